import { ContentSpaceError } from '../errors.js'

const [message, hint] = ['Interrupted.', 'Downloaded files are kept in the cache. Run the command again to continue.']

/** What the command line prints. */
export const interrupted = `${message} ${hint}`

/** Runs work. After the signal was aborted, every failure is reported as `aborted`. */
export async function interruptible<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!signal.aborted) throw cause
    throw new ContentSpaceError('aborted', message, { hint, cause })
  }
}
