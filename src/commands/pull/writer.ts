import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { integrityOf, type Content } from '../../disk/content.js'
import { memoize } from '../../async/memoize.js'
import type { Folder } from '../../disk/folder.js'
import type { WrittenFile } from './journal.js'
import type { Owned } from './ownership.js'
import { openRunFolder } from './journal.js'

/** Writes into a folder, and keeps account of what is there. */
export interface Writer {
  /** Everything of ours in the folder, once the run is done, by path. */
  readonly written: Map<string, WrittenFile>
  /** The paths that were written. */
  readonly paths: string[]
  put(this: void, path: string, data: string | Content, revision?: string): Promise<void>
  /** What a file of ours is that was there before. */
  leave(this: void, path: string): void
  /**
   * Clears away what this run, and those that ended before they were done, needed. To be called once the manifest says
   * it all.
   */
  done(this: void): Promise<void>
  /** In any case. What is not done yet is left for the next run. */
  close(this: void): Promise<void>
}

export function openWriter(folder: Folder, { files, left }: Owned): Writer {
  const run = memoize(async () => {
    await mkdir(folder.path, { recursive: true })
    return openRunFolder(folder.path)
  })
  const written = new Map<string, WrittenFile>()
  const paths: string[] = []

  async function write(path: string, data: string | Content, file: WrittenFile): Promise<void> {
    // A folder that nobody knows needs no such care.
    if (!folder.live) return folder.write(path, data)
    const { note, aside } = await run.get('')
    await note(path, file)
    await folder.write(path, data, aside())
  }

  return {
    written,
    paths,
    async put(path, data, revision) {
      const file = {
        sha256: typeof data === 'string' ? integrityOf(data) : data.integrity,
        ...(revision === undefined ? {} : { revision }),
      }
      await write(path, data, file)
      written.set(path, file)
      paths.push(path)
    },
    leave(path) {
      const file = files.get(path)?.at(-1)
      if (file) written.set(path, file)
    },
    async close() {
      for (const name of run.keys()) await (await run.get(name)).close()
    },
    async done() {
      if (run.keys().length > 0) await (await run.get('')).remove()
      await Promise.all(left.map((name) => rm(join(folder.path, name), { recursive: true, force: true })))
    },
  }
}
