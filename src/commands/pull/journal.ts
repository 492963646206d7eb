import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbandoned, keepAlive, ownerTag, thisProcess } from '../../disk/process.js'

/** A file of ours: its `sha256-…`, and of a file of an asset what it was made from. */
export interface WrittenFile {
  sha256: string
  revision?: string | undefined
}

/** `.content-space-pull-<process>-<uuid>` in the pulled folder: one a run, and one file system with what is pulled. */
const prefix = '.content-space-pull-'
const form = /^\.content-space-pull-[\da-f.]+-[\da-f-]{36}$/

/** In the folder of a run: what it is about to write, a line each. */
export const journalName = 'journal'

/** Whether a folder of this name is that of a run. */
export function isRunFolder(name: string): boolean {
  return form.test(name)
}

/** Whether the run of a folder has ended before it was done. */
export function isLeftBehind(folder: string, name: string): boolean {
  return isAbandoned(join(folder, name), name.slice(prefix.length))
}

/** Where a run writes what then takes its place with a rename. A run that is killed leaves it to the next one. */
export interface RunFolder {
  /** Notes what is about to be written, so that the next run knows it for ours if this one is interrupted. */
  note(this: void, path: string, file: WrittenFile): Promise<void>
  /** A path for a file that is not whole yet. */
  aside(this: void): string
  remove(this: void): Promise<void>
  close(this: void): Promise<void>
}

export async function openRunFolder(folder: string): Promise<RunFolder> {
  const place = join(folder, `${prefix}${ownerTag(thisProcess())}-${randomUUID()}`)
  await mkdir(place)
  const journal = await open(join(place, journalName), 'ax')
  const beat = keepAlive(place)
  const flush = shared(() => journal.datasync())
  let count = 0
  return {
    async note(path, { sha256, revision }) {
      await journal.appendFile(`${JSON.stringify({ path, sha256, revision })}\n`)
      // A file whose line is lost with the power would be taken for the user's own.
      await flush()
    },
    aside: () => join(place, String(count++)),
    async remove() {
      beat.stop()
      await journal.close()
      await rm(place, { recursive: true, force: true })
    },
    close() {
      beat.stop()
      return journal.close()
    },
  }
}

/** Work that serves all who asked before it began: those who ask while it is under way share the next one. */
function shared(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const start = (): Promise<void> => {
    next = undefined
    running = work().finally(() => (running = undefined))
    return running
  }
  return () => (running ? (next ??= running.then(start, start)) : start())
}
