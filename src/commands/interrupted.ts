import { ContentSpaceError } from '../errors.js'

export const interrupted = {
  message: 'Interrupted.',
  hint: 'Downloaded files are kept in the cache. Run the command again to continue.',
}

/** Runs work. After the signal was aborted, every failure is reported as `aborted`. */
export async function interruptible<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (!signal.aborted) throw cause
    throw new ContentSpaceError('aborted', interrupted.message, { hint: interrupted.hint, cause })
  }
}
