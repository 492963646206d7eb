import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { memoize } from '../../async/memoize.js'
import { integrityOf, type Content } from '../../disk/content.js'
import { makeFolder } from '../../disk/make-folder.js'
import type { Folder } from '../../disk/folder.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { openRunFolder, type WrittenFile } from './journal.js'
import { manifestName, type OwnedFiles } from './ownership.js'

/** Writes files into a folder and keeps the list of them for the manifest. */
export interface Writer {
  /** Every file in the folder that `pull` owns once the run has finished, by path. */
  readonly written: Map<string, WrittenFile>
  /** The paths that this run wrote. */
  readonly paths: string[]
  put(this: void, path: string, data: string | Content, revision?: string): Promise<void>
  /** Adds a file of an earlier run to `written`. */
  keep(this: void, path: string): void
  /** Removes the folders of this run and of interrupted ones. Call it once the manifest is written. */
  finish(this: void): Promise<void>
  /** Always call it, also after a failure. A run that has not finished leaves its folder for the next run. */
  close(this: void): Promise<void>
}

export function openWriter(folder: Folder, { files, interruptedRuns }: OwnedFiles): Writer {
  const run = memoize(async () => {
    makeFolder(folder.path, '--out')
    return openRunFolder(folder.path)
  })
  const written = new Map<string, WrittenFile>()
  const paths: string[] = []

  async function write(path: string, data: string | Content, file: WrittenFile): Promise<void> {
    // No other process sees a staging folder: it needs no journal, and its files no temporary paths.
    if (!folder.live) return folder.write(path, data, { flush: path === manifestName })
    const { note, temporaryPath } = await run.get('')
    await note(path, file)
    await folder.write(path, data, { temporary: temporaryPath() })
  }

  return {
    written,
    paths,
    async put(path, data, revision) {
      const sha256 = typeof data === 'string' ? integrityOf(data) : data.integrity
      const file = omitUndefined({ sha256, revision })
      await write(path, data, file)
      written.set(path, file)
      paths.push(path)
    },
    keep(path) {
      const file = files.get(path)?.at(-1)
      if (file) written.set(path, file)
    },
    async close() {
      for (const name of run.keys()) await (await run.get(name)).close()
    },
    async finish() {
      if (run.keys().length > 0) await (await run.get('')).remove()
      await Promise.all(interruptedRuns.map((name) => rm(join(folder.path, name), { recursive: true, force: true })))
    },
  }
}
