import { buffer } from 'node:stream/consumers'
import type { DownloadTarget, Space } from '../../src/space/space.js'

/** A download as one piece of memory. */
export function downloadBytes(space: Pick<Space, 'download'>, asset: DownloadTarget, cut?: string): Promise<Buffer> {
  return space.download(asset, cut, buffer)
}
