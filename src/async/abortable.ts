import { ContentSpaceError } from '../errors.js'

/**
 * The result of work, or an error as soon as it is called off; what goes on then is nobody's any more.
 * @throws ContentSpaceError `aborted`
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(new ContentSpaceError('aborted', 'It was called off.', { cause: signal.reason }))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
    work.finally(() => signal.removeEventListener('abort', abort)).then(resolve, reject)
  })
}
