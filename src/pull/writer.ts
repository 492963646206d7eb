import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { once } from '../once.js'
import { hashOf, type Folder } from './disk.js'
import { openJournal, type Owned, type WrittenFile } from './owned.js'

/** Writes into a folder, and keeps account of what is there. */
export interface Writer {
  /** Everything of ours in the folder, once the run is done, by path. */
  readonly written: Map<string, WrittenFile>
  /** The paths that were written. */
  readonly paths: string[]
  put(this: void, path: string, data: string | Uint8Array, revision?: string): Promise<void>
  /** What a file of ours is that was there before. */
  leave(this: void, path: string): void
  /** Clears away journals: this run's, and those that ended runs have left. To be called once the manifest says it all. */
  done(this: void): Promise<void>
}

/** What is about to be written is noted first; a folder that nobody knows needs no notes. */
export function openWriter(folder: Folder, { files, left }: Owned): Writer {
  const journal = once(() => openJournal(folder.path))
  const written = new Map<string, WrittenFile>()
  const paths: string[] = []
  return {
    written,
    paths,
    async put(path, data, revision) {
      const file = { sha256: hashOf(data), ...(revision === undefined ? {} : { revision }) }
      if (folder.live) await (await journal.get('')).add(path, file)
      await folder.write(path, data)
      written.set(path, file)
      paths.push(path)
    },
    leave(path) {
      const file = files.get(path)?.at(-1)
      if (file) written.set(path, file)
    },
    async done() {
      if (journal.keys().length > 0) await (await journal.get('')).remove()
      await Promise.all(left.map((name) => rm(join(folder.path, name), { force: true })))
    },
  }
}
