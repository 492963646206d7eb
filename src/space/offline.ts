import { ContentSpaceError, type ErrorDetails } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import type { Space } from './space.js'

export const networkHint = 'Check the address of the space and the network, or use `offline` to build from the cache.'

/** The next step if the service sends a page instead of a file. */
export const pageHint = 'It is an HTML page: a proxy or a login page may have answered instead of the service.'

/**
 * Returns the next step after a certificate error, by its code, such as CERT_HAS_EXPIRED. Returns undefined for other
 * codes.
 */
export function certificateHint(code: string): string | undefined {
  if (!/CERT|LEAF_SIGNATURE/.test(code)) return undefined
  return 'Check the host and the dates of its certificate. For a CA of your own, set NODE_EXTRA_CA_CERTS to its file.'
}

/**
 * Creates the error for content that isn't in the cache while `offline` is set.
 * @param summary for example `Acme Logo is not in the cache.`
 */
export function offlineError(summary: string, details: Omit<ErrorDetails, 'hint'> = {}): ContentSpaceError {
  return new ContentSpaceError('offline', summary, {
    ...details,
    hint: 'Run once without `offline`, or copy the cache from a machine that has done so.',
  })
}

export function isOffline(error: unknown): error is ContentSpaceError {
  return error instanceof ContentSpaceError && error.code === 'offline'
}

/** Combines errors with code `offline` into one error that lists everything that is missing. */
export function missingError(errors: readonly ContentSpaceError[]): ContentSpaceError {
  // An error about several files has one line per file.
  const all = errors.flatMap(({ summary }) => (summary.includes('\n') ? summary.split('\n  ').slice(1) : summary))
  const lines = [...new Set(all)].toSorted(compareStrings)
  const [first = ''] = lines
  return lines.length === 1 ? offlineError(first) : offlineError('Missing from the cache while offline:', { lines })
}

/** Behaves like `Promise.all`, but its error lists everything that is missing while `offline` is set. */
export async function allPresent<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const results = await Promise.allSettled(work)
  const reasons: unknown[] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  const missing = reasons.filter(isOffline)
  if (missing.length > 1) throw missingError(missing)
  return Promise.all(work)
}

/** Returns a space whose calls all fail with `offline`, without opening a socket. */
export function offlineSpace(space: Space): Space {
  return {
    ...space,
    kits: () => fail('The list of kits'),
    kit: (uuid) => fail(`Kit ${uuid}`),
    outline: (kit, version) => fail(`Version ${version} of kit ${kit}`),
    section: (uuid, version) => fail(`Version ${version} of section ${uuid}`),
    gallery: ({ uuid }, version) => fail(`Version ${version} of gallery ${uuid}`),
    fields: () => fail('The list of custom fields'),
    isUnchanged: () => fail('The listing'),
    download: ({ uuid }, cut) => fail(`${cut === undefined ? 'The original' : `The ${cut} cut`} of asset ${uuid}`),
    preview: () => fail('The preview'),
  }
}

async function fail(what: string): Promise<never> {
  throw offlineError(`${what} is not in the cache.`)
}
