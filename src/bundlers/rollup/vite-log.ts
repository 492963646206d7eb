import type { Logger } from 'vite'
import { causeOf, readableIds } from '../reports.js'

/**
 * Milliseconds during which a repeated error counts as the same report. A page requests all its modules within this
 * time.
 */
const repeatedMilliseconds = 5000

/**
 * Makes a logger report each cause once, because Vite reports an error for every failed module and every request.
 * Removes the encoded part of ids from module names.
 * @param logger modified in place
 * @returns a function to call when a cause may have changed
 */
export function reportOnce(logger: Logger): () => void {
  const reported = new Map<string, number>()
  const error = logger.error.bind(logger)
  logger.error = (message, options) => {
    const cause = causeOf(options?.error)
    const before = cause === undefined ? undefined : reported.get(cause)
    if (cause !== undefined) reported.set(cause, Date.now())
    if (before === undefined || Date.now() - before > repeatedMilliseconds) error(message, options)
  }
  const info = logger.info.bind(logger)
  logger.info = (message, options) => info(readableIds(message), options)
  return () => reported.clear()
}
