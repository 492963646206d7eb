import { readFileSync } from 'node:fs'
import { memoize } from '../../async/memoize.js'
import { derivedKey } from '../../disk/cache-layout.js'
import type { ByteStore } from '../../disk/content.js'
import { noDerived, openDerived } from '../../disk/derived.js'
import { ownPackage } from '../../disk/own-file.js'
import { createFileReader } from './asset.js'
import type { FolderContent, StoredAsset } from './model.js'
import { createLister } from './list.js'
import { findRoot, readContent, type ReadOptions } from './read.js'
import { findAsset } from './to-wire.js'
import { canonicalUuid } from '../uuid.js'

export type FolderReader = ReturnType<typeof createFolderReader>

export interface ReaderOptions extends ReadOptions {
  /** Keeps what was read of files. */
  store?: ByteStore
}

/**
 * Reads a folder on each request if it has changed since the last one. Files in it are read again only if they have.
 */
export function createFolderReader(folder: string, { store, ...options }: ReaderOptions = {}) {
  const files = memoize(async (root) => {
    // Another version of this package may read files in another way.
    const key = () => derivedKey({ space: root, inputs: readFileSync(ownPackage(), 'utf8') })
    const kept = store ? await openDerived(store, key(), undefined) : noDerived
    return { kept, readFile: createFileReader(kept) }
  })
  let last: { content: FolderContent; isCurrent: () => Promise<boolean> } | undefined
  let reading: Promise<FolderContent> | undefined
  async function read(): Promise<FolderContent> {
    const root = await findRoot(folder, options.kit !== undefined)
    if (last?.content.root === root && (await last.isCurrent())) return last.content
    const { list, isCurrent } = createLister(root)
    const { kept, readFile } = await files.get(root)
    const content = await readContent(root, list, readFile, options)
    last = { content, isCurrent }
    await kept.save(undefined)
    return content
  }
  const now = () =>
    // Concurrent calls share one reading.
    (reading ??= read().finally(() => {
      reading = undefined
    }))
  return {
    now,
    /**
     * Finds an asset in the result of the last read, so that a thousand downloads do not list the folder a thousand
     * times. The folder is read again if the result does not contain the asset.
     * @throws ContentSpaceError `assetNotFound`, `invalidSpace`
     */
    async asset(uuid: string, hash?: string): Promise<{ content: FolderContent; asset: StoredAsset }> {
      const content = last?.content.assets.has(canonicalUuid(uuid) ?? '') ? last.content : await now()
      return { content, asset: findAsset(content, uuid, hash) }
    },
  }
}
