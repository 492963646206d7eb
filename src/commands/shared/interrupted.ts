import { ContentSpaceError } from '../../errors.js'

const [message, hint] = ['Interrupted.', 'Downloaded files are kept in the cache. Run the command again to continue.']

/** Returns what the command line prints. @param downloads whether the command downloads files */
export const interrupted = (downloads: boolean): string => (downloads ? `${message} ${hint}` : message)

/** Runs work. After the signal was aborted, reports every failure as `aborted`. */
export async function interruptible<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!signal.aborted) throw cause
    throw new ContentSpaceError('aborted', message, { hint, cause })
  }
}
