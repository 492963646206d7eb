import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isAbandoned, keepAlive, ownerTag, thisProcess } from '../../disk/process.js'

/** A file that `pull` wrote. */
export interface WrittenFile {
  /** `sha256-…` */
  sha256: string
  /** Identifies what a file of an asset was made from. Undefined for modules. */
  revision?: string | undefined
}

/**
 * `.content-space-pull-<process>-<uuid>`, one for each run. It is inside the pulled folder, because a rename works
 * within one file system only.
 */
const prefix = '.content-space-pull-'
const form = /^\.content-space-pull-[\da-f.]+-[\da-f-]{36}$/

/** A file in the folder of a run: what the run is about to write, one line for each file. */
export const journalName = 'journal'

/** Whether a folder of this name belongs to a run. */
export function isRunFolder(name: string): boolean {
  return form.test(name)
}

/** Whether the run that a folder belongs to was interrupted. */
export function isInterruptedRun(folder: string, name: string): boolean {
  return isAbandoned(join(folder, name), name.slice(prefix.length))
}

/**
 * The folder of a run. Files are written there and then renamed to their places. If the run is killed, the next one
 * removes the folder.
 */
export interface RunFolder {
  /** Records a file before it is written. If this run is interrupted, the next one knows that `pull` wrote the file. */
  note(this: void, path: string, file: WrittenFile): Promise<void>
  /** Returns a new path for a file that is being written. */
  temporaryPath(this: void): string
  remove(this: void): Promise<void>
  close(this: void): Promise<void>
}

export async function openRunFolder(folder: string): Promise<RunFolder> {
  const path = join(folder, `${prefix}${ownerTag(thisProcess())}-${randomUUID()}`)
  await mkdir(path)
  const journal = await open(join(path, journalName), 'ax')
  const heartbeat = keepAlive(path)
  const flush = shared(() => journal.datasync())
  let count = 0
  return {
    async note(file, { sha256, revision }) {
      await journal.appendFile(`${JSON.stringify({ path: file, sha256, revision })}\n`)
      // If a power failure removed this line, the next run would refuse to replace the file, as one of the user's.
      await flush()
    },
    temporaryPath: () => join(path, String(count++)),
    async remove() {
      heartbeat.stop()
      await journal.close()
      await rm(path, { recursive: true, force: true })
    },
    close() {
      heartbeat.stop()
      return journal.close()
    },
  }
}

/** Shares runs of work: calls that arrive while the work is running share the next run. */
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
