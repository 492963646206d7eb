import { setMaxListeners } from 'node:events'
import { ContentSpaceError } from '../errors.js'

/**
 * Awaits work, but rejects on abort. The work then continues, but its result is ignored.
 * @throws ContentSpaceError `aborted`
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(new ContentSpaceError('aborted', 'Aborted.', { cause: signal.reason }))
    if (signal.aborted) abort()
    // Each waiting task adds a listener. 0 turns off Node's warning about many listeners.
    setMaxListeners(0, signal)
    signal.addEventListener('abort', abort)
    work.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject)
  })
}
