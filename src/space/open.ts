import type { Credentials } from './http/credentials.js'
import type { HttpOptions } from './http/client.js'
import { offlineSpace } from './offline.js'
import type { Space } from './space.js'

/** What a space tells while it works. */
export interface SpaceEvents {
  warn: (message: string) => void
  /** Told of each HTTP request that is sent. */
  request: () => void
  /** Told of the milliseconds for which requests are held back. */
  wait: (milliseconds: number) => void
}

/** Where content comes from: a service, or a folder by its absolute path. Credentials print as `[secret]`. */
export type SpaceLocation = { address: URL; credentials: Credentials } | { folder: string }

export interface SpaceOptions extends Omit<HttpOptions, 'address' | 'credentials' | 'warn' | 'onRequest' | 'onWait'> {
  space: SpaceLocation
  offline: boolean
}

/** Opens the space of the options, a service or a folder: nothing above knows which. Only what it needs is loaded. */
export async function openSpace(options: SpaceOptions, { warn, request, wait }: SpaceEvents): Promise<Space> {
  const { space } = options
  if ('folder' in space) return (await import('./folder/space.js')).folderSpace(space.folder)
  const { httpSpace } = await import('./http/client.js')
  const service = httpSpace({ ...options, ...space, warn, onRequest: request, onWait: wait })
  return options.offline ? offlineSpace(service) : service
}
