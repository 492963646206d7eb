import type { ResolvedOptions } from '../options.js'
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

/** Opens the space of the options, a service or a folder: nothing above knows which. Only what it needs is loaded. */
export async function openSpace(options: ResolvedOptions, { warn, request, wait }: SpaceEvents): Promise<Space> {
  const { space } = options
  if ('folder' in space) return (await import('./folder.js')).folderSpace(space.folder)
  const { httpSpace } = await import('./http.js')
  const service = httpSpace({ ...options, ...space, warn, onRequest: request, onWait: wait })
  return options.offline ? offlineSpace(service) : service
}
