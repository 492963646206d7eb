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
  /** Caches facts about files. */
  store?: ByteStore
}

/**
 * Creates a function that reads a folder again if it has changed since the last request. Only changed files are read
 * again.
 */
export function createFolderReader(folder: string, { store, ...options }: ReaderOptions = {}) {
  const files = memoize(async (root) => {
    // Another version of this package may read files differently.
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
    await kept.save()
    return content
  }
  const now = () =>
    // Concurrent calls share one read.
    (reading ??= read().finally(() => {
      reading = undefined
    }))
  return {
    now,
    /**
     * Finds an asset in the result of the last read, so that a thousand downloads don't list the folder a thousand
     * times. Reads the folder again if the result doesn't contain the asset.
     * @throws ContentSpaceError `assetNotFound`, `invalidSpace`
     */
    async asset(uuid: string, hash?: string): Promise<{ content: FolderContent; asset: StoredAsset }> {
      const content = last?.content.assets.has(canonicalUuid(uuid) ?? '') ? last.content : await now()
      return { content, asset: findAsset(content, uuid, hash) }
    },
  }
}
