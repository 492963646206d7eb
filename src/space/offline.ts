import { ContentSpaceError } from '../errors.js'
import type { Space } from './space.js'

/** The next step for everything that is missing from the cache. */
export const offlineHint = 'Build once without `offline`, or copy the cache of a machine that did.'

/** A space that is never asked: what is not in the cache is missing, and no socket is opened. */
export function offlineSpace(space: Space): Space {
  return {
    ...space,
    kits: () => missing('The list of kits'),
    kit: (uuid) => missing(`Kit ${uuid}`),
    outline: (kit, version) => missing(`Version ${version} of kit ${kit}`),
    section: (uuid, version) => missing(`Version ${version} of section ${uuid}`),
    download: ({ uuid }, cut) => missing(`Asset ${uuid}${cut === undefined ? '' : ` as ${cut}`}`),
  }
}

async function missing(what: string): Promise<never> {
  throw new ContentSpaceError('offline', `${what} is not in the cache.`, {
    hint: offlineHint,
  })
}
