import type { HttpOptions } from './http/client.js'
import type { ByteStore } from '../disk/content.js'
import { memoize } from '../async/memoize.js'
import { requireSecureTransport, serviceKey } from './http/transport.js'
import { withBoundedTexts } from './bounded-texts.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { offlineSpace } from './offline.js'
import type { Places } from './places.js'
import type { Space } from './space.js'

export interface SpaceEvents {
  warn: (message: string) => void
  request: () => void
  /** Called when the headers of a response have arrived, or when a request has failed. */
  response?: () => void
  /** Called with the milliseconds of each pause that the rate limit or the service imposes. */
  wait: (milliseconds: number) => void
}

export interface SpaceOptions
  extends Places, Omit<HttpOptions, 'address' | 'credentials' | 'warn' | 'onRequest' | 'onResponse' | 'onWait'> {
  offline: boolean
  /** Caches facts about the files of a folder. */
  store?: ByteStore
}

/**
 * Opens the spaces of a project as one. Loads only the modules that its kinds of spaces need.
 * @throws ContentSpaceError `invalidOption` for plain http beyond loopback
 */
export async function openSpace(options: SpaceOptions, events: SpaceEvents): Promise<Space> {
  const { space, sources } = options
  if (sources === undefined || sources.size === 0) return openOne(options, space, events)
  const { openSources } = await import('./sources/router.js')
  return openSources(space, sources, (location) => openOne(options, location, events))
}

async function openOne(
  options: SpaceOptions,
  space: Places['space'],
  { warn, request, response, wait }: SpaceEvents,
): Promise<Space> {
  const { store } = options
  if ('none' in space) return (await import('./sources/router.js')).noSpace
  if ('folder' in space)
    return withBoundedTexts(
      (await import('./folder/space.js')).folderSpace(space.folder, omitUndefined({ store, kit: space.kit })),
      warn,
    )
  if ('source' in space) {
    const { objectSpace } = await import('./sources/object.js')
    return withBoundedTexts(objectSpace({ ...options, ...space, warn, onRequest: request, onWait: wait }), warn)
  }
  const service = lazySpace({ ...options, ...space, warn, onRequest: request, onResponse: response, onWait: wait })
  return options.offline ? offlineSpace(service) : service
}

/**
 * Opens a service, but loads the code that sends requests only with the first request, because a build from the cache
 * doesn't send any.
 * @throws ContentSpaceError `invalidOption` for plain http beyond loopback
 */
function lazySpace(options: HttpOptions): Space {
  const { address, credentials } = options
  requireSecureTransport(options)
  let isClosed = false
  const spaces = memoize(async () => {
    const space = (await import('./http/client.js')).httpSpace(options)
    // The first request may start after the space was closed, because it had to wait for another process.
    if (isClosed) await space.close()
    return space
  })
  const opened = () => spaces.get('')
  return {
    label: address.origin,
    key: serviceKey(options),
    spaceId: credentials.spaceId,
    kits: async (call) => (await opened()).kits(call),
    kit: async (uuid, include, call) => (await opened()).kit(uuid, include, call),
    outline: async (kit, version, call) => (await opened()).outline(kit, version, call),
    section: async (uuid, version, call) => (await opened()).section(uuid, version, call),
    gallery: async (item, version, call) => (await opened()).gallery(item, version, call),
    fields: async (call) => (await opened()).fields(call),
    isUnchanged: async (digests) => (await opened()).isUnchanged(digests),
    download: async (asset, cut, receive, call) => (await opened()).download(asset, cut, receive, call),
    preview: async (url, receive, call) => (await opened()).preview(url, receive, call),
    async close() {
      isClosed = true
      await Promise.all(spaces.keys().map(async () => (await opened()).close()))
    },
  }
}
