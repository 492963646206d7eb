import { createFileReader } from './asset.js'
import type { FolderContent, StoredAsset } from './model.js'
import { readContent } from './read.js'
import { findAsset } from './to-wire.js'
import { canonicalUuid } from '../uuid.js'

/** Reads a folder on each request. Files in it are read again only if they have changed. */
export interface FolderReader {
  /** Reads the folder as it is now. */
  now(): Promise<FolderContent>
  /**
   * Finds an asset in the result of the last read, so that a thousand downloads do not list the folder a thousand
   * times. The folder is read again if the result does not contain the asset.
   * @param hash selects among versions with different files
   * @throws ContentSpaceError `assetNotFound`, `invalidSpace`
   */
  asset(uuid: string, hash?: string): Promise<{ content: FolderContent; asset: StoredAsset }>
}

/** @param spaceId takes precedence over the one in `space.json` */
export function createFolderReader(folder: string, spaceId?: number): FolderReader {
  const readFile = createFileReader()
  let last: FolderContent | undefined
  let reading: Promise<FolderContent> | undefined
  const read = async () => (last = await readContent(folder, readFile, spaceId))
  const now = () =>
    // Concurrent calls share one reading.
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
