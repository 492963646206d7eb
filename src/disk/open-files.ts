import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'
import { ContentSpaceError, type ErrorFacts } from '../errors.js'

/** Files that Node, this package and its libraries have open while modules are loaded. */
const others = 44
/** Files and sockets that one download may need at a time: its connection, what is read, and what is written. */
const eachDownload = 5

/**
 * As many requests at once as the process can have files open for.
 * @param wanted
 * @param limits the text of `/proc/self/limits`; empty where the limit cannot be known
 * @returns `wanted`, or fewer, and at least 1
 */
export function limitByOpenFiles(wanted: number, limits: string = ownLimits()): number {
  const soft = /^Max open files +(\d+)/m.exec(limits)?.[1]
  return soft === undefined ? wanted : Math.max(1, Math.min(wanted, Math.floor((Number(soft) - others) / eachDownload)))
}

/** Linux alone says it without another process. Node has raised the soft limit to the hard one. */
function ownLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}

/** Does work that holds a file open, a bounded number of times at once, and waits while too many files are open. */
export type FileLimiter = <T>(work: () => Promise<T>) => Promise<T>

/** Milliseconds to wait, in all, until fewer files are open. */
const patience = 5000

/** @param limit files open at once */
export function createFileLimiter(limit = 16): FileLimiter {
  const queue = new PQueue({ concurrency: limit })
  return (work) => queue.add(() => retryWhileTooManyFiles(work))
}

/** Tries again as long as too many files are open: work under way closes the files that it has open. */
export async function retryWhileTooManyFiles<T>(work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  for (let pause = 10; ; pause *= 2) {
    try {
      return await work()
    } catch (error) {
      if (!isTooManyFiles(error) || performance.now() - begun + pause > patience) throw error
      await sleep(pause)
    }
  }
}

/** Whether an operation failed because the process (EMFILE) or the machine (ENFILE) has too many files open. */
export function isTooManyFiles(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isTooManyFiles)
  return error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
}

/** The next step to take. */
export const tooManyFilesHint = 'Raise the limit of open files (`ulimit -n 1024`), or lower option `concurrency`.'

/** The error for it. The same may succeed once other files are closed. */
export function tooManyFilesError(cause: unknown, facts: ErrorFacts = {}): ContentSpaceError {
  const message = 'Too many files and connections are open at once (EMFILE).'
  return new ContentSpaceError('fileSystem', message, { ...facts, hint: tooManyFilesHint, cause, retryable: true })
}

/** Names the reason when too many files are open, also when it kept a module from being loaded. */
export function explainTooManyFiles(error: unknown): unknown {
  return isTooManyFiles(error) ? tooManyFilesError(error) : error
}
