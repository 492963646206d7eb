import { createFileReader } from './asset.js'
import type { FolderContent, StoredAsset } from './model.js'
import { readContent } from './read.js'
import { findAsset } from './to-wire.js'
import { canonicalUuid } from '../uuid.js'

/** A folder that is read whenever it is asked for, and of it again only the files that have changed. */
export interface FolderReader {
  /** The folder as it is now. */
  now(): Promise<FolderContent>
  /**
   * An asset to take the bytes of: of the last reading, so that a thousand downloads do not list the folder
   * a thousand times; of a new one when it was not there.
   * @param hash picks among versions with different files
   * @throws ContentSpaceError `assetNotFound`, `invalidSpace`
   */
  asset(uuid: string, hash?: string): Promise<{ content: FolderContent; asset: StoredAsset }>
}

/** @param spaceId wins over the one in `space.json` */
export function createFolderReader(folder: string, spaceId?: number): FolderReader {
  const readFile = createFileReader()
  let last: FolderContent | undefined
  let reading: Promise<FolderContent> | undefined
  const read = async () => (last = await readContent(folder, readFile, spaceId))
  const now = () =>
    // calls that come while the folder is being read share that reading
    (reading ??= read().finally(() => {
      reading = undefined
    }))
  return {
    now,
    async asset(uuid, hash) {
      const content = last?.assets.has(canonicalUuid(uuid) ?? '') ? last : await now()
      return { content, asset: findAsset(content, uuid, hash) }
    },
  }
}
