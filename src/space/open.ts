import type { ResolvedOptions } from '../options.js'
import { folderSpace } from './folder.js'
import { httpSpace } from './http.js'
import { offlineSpace } from './offline.js'
import type { Space } from './space.js'

/** What a space tells while it works. */
export interface SpaceEvents {
  warn: (message: string) => void
  /** Told of each HTTP request that is sent. */
  request: () => void
}

/** Opens the space of the options, a service or a folder: nothing above knows which. */
export function openSpace(options: ResolvedOptions, { warn, request }: SpaceEvents): Space {
  const { space } = options
  if ('folder' in space) return folderSpace(space.folder)
  const service = httpSpace({ ...options, ...space, warn, onRequest: request })
  return options.offline ? offlineSpace(service) : service
}
