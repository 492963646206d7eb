import type { Credentials } from './http/credentials.js'
import type { HttpOptions } from './http/client.js'
import { offlineSpace } from './offline.js'
import type { Space } from './space.js'

/** Callbacks for the work of a space. */
export interface SpaceEvents {
  warn: (message: string) => void
  /** Called for each HTTP request that is sent. */
  request: () => void
  /** Called when the headers of a response have arrived, or a request has failed. */
  response?: () => void
  /** Called with the milliseconds of each pause that the rate limit or the service imposes. */
  wait: (milliseconds: number) => void
}

/** The location of a space: a service, or a folder by its absolute path. Credentials print as `[secret]`. */
export type SpaceLocation = { address: URL; credentials: Credentials } | { folder: string }

export interface SpaceOptions extends Omit<
  HttpOptions,
  'address' | 'credentials' | 'warn' | 'onRequest' | 'onResponse' | 'onWait'
> {
  space: SpaceLocation
  offline: boolean
}

/** Opens a service or a folder as a space. Only the modules for one of them are loaded. */
export async function openSpace(options: SpaceOptions, { warn, request, response, wait }: SpaceEvents): Promise<Space> {
  const { space } = options
  if ('folder' in space) return (await import('./folder/space.js')).folderSpace(space.folder)
  const { httpSpace } = await import('./http/client.js')
  const service = httpSpace({ ...options, ...space, warn, onRequest: request, onResponse: response, onWait: wait })
  return options.offline ? offlineSpace(service) : service
}
