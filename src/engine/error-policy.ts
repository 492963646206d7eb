import { memoize } from '../async/memoize.js'
import type { Sync } from './sync/sync.js'
import { ContentSpaceError, sanitizeError } from '../errors.js'
import type { LockSession } from '../lock/session.js'
import { withImportSite, type ImportSite } from '../source/import-site.js'

export type ErrorPolicy = ReturnType<typeof createErrorPolicy>

/**
 * Replaces the error of one import with an error about all imports. A build then reports in a single error everything
 * that is missing offline or differs from a frozen lockfile, regardless of which module the bundler loads first.
 */
export function createErrorPolicy(
  frozen: boolean,
  lock: Pick<LockSession, 'drift'>,
  sync: Pick<Sync, 'missingError' | 'frozenError'>,
) {
  // Both read the whole source, so each runs once: `missing` for a build, `differences` for each state of the lockfile.
  const missing = memoize(() => sync.missingError())
  const differences = memoize(() => sync.frozenError())

  async function frozenError(): Promise<ContentSpaceError | undefined> {
    if (!frozen) return undefined
    const drift = lock.drift()
    return drift.length > 0 ? differences.get(drift.join('\n')) : undefined
  }

  /** @throws ContentSpaceError `frozen` with every difference, if the lockfile is frozen and out of date */
  async function checkFrozen(): Promise<void> {
    const error = await frozenError()
    if (error) throw error
  }

  /** Returns the error to throw instead of `error`. */
  async function complete(error: unknown): Promise<unknown> {
    if (!(error instanceof ContentSpaceError)) return error
    if (error.code === 'offline') return (await missing.get('')) ?? error
    return (error.code === 'frozen' ? await differences.get('') : await frozenError()) ?? error
  }

  return {
    checkFrozen,
    complete,
    /** Runs a step, and then `checkFrozen`. Rejects with the result of `complete`, at the location of the import. */
    async checked<T>(step: () => Promise<T>, site: ImportSite = {}): Promise<T> {
      try {
        const result = await step()
        await checkFrozen()
        return result
      } catch (error) {
        sanitizeError(error)
        throw withImportSite(await complete(error), site)
      }
    },
  }
}
