import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import PQueue from 'p-queue'
import { attempt } from '../async/attempt.js'
import { hasCode, isTooManyFiles } from './file-error.js'

/** The number of files that Node, this package and its libraries have open while they load modules. */
const reserve = 44
/**
 * The number of files and sockets that one download may have open: its connection, and the files that it reads and
 * writes.
 */
const perDownload = 5

/**
 * Reduces a concurrency to the process's limit of open files, but not below 1.
 * @param limits defaults to the limits of this process, from a file that only Linux has. Node raises the soft limit to
 *   the hard limit.
 */
export function limitByOpenFiles(concurrency: number, limits?: string): number {
  const text = limits ?? attempt(() => readFileSync('/proc/self/limits', 'utf8')) ?? ''
  const soft = /^Max open files +(\d+)/m.exec(text)?.[1]
  if (soft === undefined) return concurrency
  return Math.max(1, Math.min(concurrency, Math.floor((Number(soft) - reserve) / perDownload)))
}

/** Milliseconds to wait in total. */
const patience = 5000

/** Creates a function that runs up to 16 file operations at once, and retries while too many files are open. */
export function createFileLimiter() {
  const queue = new PQueue({ concurrency: 16 })
  return <T>(work: () => Promise<T>): Promise<T> => queue.add(() => retryWhileTooManyFiles(work))
}

/** Retries while too many files are open, because running work closes its files when it ends. */
export function retryWhileTooManyFiles<T>(work: () => Promise<T>): Promise<T> {
  return retryWhile(isTooManyFiles, work)
}

/**
 * Retries a rename that Windows rejects while another program, such as a virus scanner, has the file open. Elsewhere,
 * the same codes mean a missing permission.
 */
export function retryWhileHeld<T>(rename: () => Promise<T>, isWindows = process.platform === 'win32'): Promise<T> {
  return retryWhile((error) => isWindows && hasCode(error, 'EPERM', 'EBUSY', 'EACCES'), rename)
}

async function retryWhile<T>(mayPass: (error: unknown) => boolean, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  for (let pause = 10; ; pause *= 2) {
    try {
      return await work()
    } catch (error) {
      if (!mayPass(error) || performance.now() - start + pause > patience) throw error
      await sleep(pause)
    }
  }
}
