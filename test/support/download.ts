import { buffer } from 'node:stream/consumers'
import type { DownloadTarget, Space } from '../../src/space/space.js'

/** Returns the bytes of a download. */
export function downloadBytes(space: Pick<Space, 'download'>, asset: DownloadTarget, cut?: string): Promise<Buffer> {
  return space.download(asset, cut, buffer)
}
