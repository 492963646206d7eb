import { randomUUID } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { WrittenFile } from './owned.js'

/** `.content-space-pull-<process>-<uuid>` in the pulled folder: one a run, and one file system with what is pulled. */
const form = /^\.content-space-pull-(\d+)-[\da-f-]{36}$/

/** In the folder of a run: what it is about to write, a line each. */
export const journalName = 'journal'

/** @returns the process whose run a folder of this name belongs to; undefined for any other name */
export function processOf(name: string): number | undefined {
  const pid = form.exec(name)?.[1]
  return pid === undefined ? undefined : Number(pid)
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
  const place = join(folder, `.content-space-pull-${process.pid}-${randomUUID()}`)
  await mkdir(place)
  const journal = await open(join(place, journalName), 'ax')
  let count = 0
  return {
    async note(path, { sha256, revision }) {
      await journal.appendFile(`${JSON.stringify({ path, sha256, revision })}\n`)
    },
    aside: () => join(place, String(count++)),
    async remove() {
      await journal.close()
      await rm(place, { recursive: true, force: true })
    },
    close: () => journal.close(),
  }
}
