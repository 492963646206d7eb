import { ContentSpaceError } from '../../errors.js'

const [message, hint] = ['Interrupted.', 'Downloaded files are kept in the cache. Run the command again to continue.']

/** Returns the message about an interrupted command. @param downloads whether the command downloads files */
export const interrupted = (downloads: boolean): string => (downloads ? `${message} ${hint}` : message)

/** Runs work. Once the signal is aborted, reports every failure as `aborted`. */
export async function interruptible<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!signal.aborted) throw cause
    throw new ContentSpaceError('aborted', message, { hint, cause })
  }
}
