import { snapshotKey } from '../disk/cache-layout.js'
import { contentOf, readContent, type Content } from '../disk/content.js'
import { receiveInMemory } from '../files/store-entries.js'
import { contentDigest } from '../kit/content-digest.js'
import type { LoadedKit } from '../kit/load.js'
import type { Remote, SignedEntry } from '../remote/remote.js'

/** A published version of a kit with a certain content. */
export interface LockedContent {
  /** Uuid. */
  kit: string
  version: number
  /** As `contentDigest` returns it. */
  digest: string
}

/**
 * Published versions of kits in the remote cache. Each state of a version has an entry of its own, by the digest that
 * the lockfile has.
 */
export interface SharedListings {
  /** Returns a version with this content. */
  find(this: void, content: LockedContent): Promise<Uint8Array | undefined>
  /**
   * Loads a version that `find` has not found, and that `load` also saves. Of several runners with the same locked
   * content, one loads it, and the others find what it has saved.
   */
  load(
    this: void,
    content: LockedContent,
    load: () => Promise<LoadedKit>,
  ): Promise<{ bytes: Uint8Array } | { kit: LoadedKit }>
  /** Ignores a version that `find` or `load` has returned, so that the one that is loaded instead replaces it. */
  reject(this: void, content: LockedContent): void
  /** Writes a version. */
  save(this: void, content: LockedContent, bytes: Content | Uint8Array): void
}

export const noSharedListings: SharedListings = {
  find: async () => undefined,
  load: async (_content, load) => ({ kit: await load() }),
  reject: () => {},
  save: () => {},
}

/** @param space the key of the space */
export function openSharedListings(remote: Remote, space: string): SharedListings {
  /** The key, which is signed, contains the digest. */
  const entryOf = (content: LockedContent): SignedEntry => ({ kind: 'kit', key: snapshotKey({ space, ...content }) })

  return {
    async find(content) {
      const found = await remote.find(entryOf(content), receiveInMemory)
      return found && readContent(found)
    },
    async load(content, load) {
      const loaded = await remote.load(entryOf(content), receiveInMemory, async () => ({ kit: await load() }))
      if (!('kit' in loaded)) return { bytes: await readContent(loaded) }
      // The service may list another state, which was saved as another entry.
      if (contentDigest(loaded.kit) !== content.digest) remote.drop(entryOf(content))
      return loaded
    },
    reject: (content) => remote.reject(entryOf(content)),
    save(content, bytes) {
      if (content.version === 0) return
      const saved = bytes instanceof Uint8Array ? contentOf(bytes) : bytes
      remote.save(entryOf(content), saved.integrity, async () => saved)
    },
  }
}
