import { ContentSpaceError } from '../errors.js'
import type { ResolvedOptions } from '../options.js'
import { folderSpace } from './folder.js'
import type { Space } from './space.js'

/** What a space tells while it works. */
export interface SpaceEvents {
  warn: (message: string) => void
  /** Told of each HTTP request that is sent. */
  request: () => void
}

/** Opens the space of the options, a service or a folder: nothing above knows which. */
export function openSpace({ space }: ResolvedOptions, _events: SpaceEvents): Space {
  if ('folder' in space) return folderSpace(space.folder)
  throw new ContentSpaceError('invalidOption', 'No service can be opened yet.')
}
