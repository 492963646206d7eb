import { randomUUID } from 'node:crypto'
import { listedKey, snapshotKey, type VersionKey } from '../disk/cache-layout.js'
import { readContent, type Content } from '../disk/content.js'
import { receiveInMemory } from '../files/receive.js'
import type { Store } from '../files/store.js'
import { contentDigest } from '../kit/content-digest.js'
import type { LoadedKit } from '../kit/load.js'
import { noRemote, type Remote, type SignedEntry } from '../remote/remote.js'
import { readSnapshot, snapshotParts } from './snapshot.js'

export type KitStore = Pick<Store, 'peek' | 'put' | 'putParts' | 'alone'>

type Version = Omit<VersionKey, 'space'>

/** A version, and its content as `contentDigest` returns it. */
type LockedContent = Version & { digest: string }

export type Snapshots = ReturnType<typeof openSnapshots>

/**
 * Opens versions of kits that were loaded completely, in the cache. Each state of a published version has an entry of
 * its own, by its digest, so that projects that share the cache do not change what the others find.
 * @param space its key, because spaces share the cache
 * @param remote listings of other runners
 */
export function openSnapshots(store: KitStore, space: string, remote: Remote = noRemote) {
  const keyOf = (content: LockedContent): string => snapshotKey({ space, ...content })
  /** Its key, which is signed, contains the digest. */
  const entryOf = (content: LockedContent): SignedEntry => ({ kind: 'kit', key: keyOf(content) })

  function share(content: LockedContent, kept: Content): void {
    if (content.version !== 0) remote.save(entryOf(content), kept.integrity, async () => kept)
  }

  async function readKept(content: LockedContent): Promise<LoadedKit | undefined> {
    const kept = await store.peek(keyOf(content))
    const kit = kept && readVersion(content, kept.bytes)
    if (kit) share(content, kept)
    return kit
  }

  /** Keeps a version that another runner has loaded. An invalid one is replaced by the one that is loaded instead. */
  async function adopt(content: LockedContent, found: Content | undefined): Promise<LoadedKit | undefined> {
    if (!found) return undefined
    const bytes = await readContent(found)
    const kit = readVersion(content, bytes)
    if (kit) await store.put(keyOf(content), bytes)
    else remote.reject(entryOf(content))
    return kit
  }

  /** `id` differs each time, so that a process sees that another has listed the same content while it was waiting. */
  async function lastListing(version: Version) {
    const listed = await store.peek(listedKey({ space, ...version }))
    const [digest, id] = Buffer.from(listed?.bytes ?? [])
      .toString()
      .split(' ')
    return digest ? { digest, id } : undefined
  }

  /** Loads a version with any content, unless another process has loaded it while this one was waiting. */
  async function loadOnce(version: Version, load: () => Promise<LoadedKit>): Promise<LoadedKit> {
    const before = await lastListing(version)
    return store.alone(listedKey({ space, ...version }), async () => {
      const last = await lastListing(version)
      const made = last && last.id !== before?.id ? await readKept({ ...version, digest: last.digest }) : undefined
      return made ?? load()
    })
  }

  /** Returns a published version with this content, from the cache of this machine or of other runners. */
  async function find(content: LockedContent): Promise<LoadedKit | undefined> {
    return (await readKept(content)) ?? adopt(content, await remote.find(entryOf(content), receiveInMemory))
  }

  return {
    find,
    /**
     * Loads and keeps a version that `find` has not found, or whose content is not locked. Of several processes and
     * runners that do so at once, one loads it. The others wait for its snapshot.
     */
    async once(
      { digest, ...version }: Version & { digest: string | undefined },
      load: () => Promise<LoadedKit>,
    ): Promise<LoadedKit> {
      if (digest === undefined) return loadOnce(version, load)
      const content = { ...version, digest }
      return store.alone(keyOf(content), async () => {
        // The remote cache was asked before.
        const made = await readKept(content)
        if (made) return made
        const loaded = await remote.load(entryOf(content), receiveInMemory, async () => ({ kit: await load() }))
        if (!('kit' in loaded)) return (await adopt(content, loaded)) ?? load()
        // The service may list another state, which was saved as another entry.
        if (contentDigest(loaded.kit) !== digest) remote.drop(entryOf(content))
        return loaded.kit
      })
    },
    /**
     * Returns a version as it was last loaded, by this or another project. Builds of a locked version do not use it. It
     * is for comparisons, and for runs without a connection.
     */
    async last(kit: string, version: number): Promise<LoadedKit | undefined> {
      const listing = await lastListing({ kit, version })
      return listing && readKept({ kit, version, digest: listing.digest })
    },
    async keep(kit: LoadedKit): Promise<void> {
      const content = { kit: kit.uuid, version: kit.version, digest: contentDigest(kit) }
      const kept = await store.putParts(keyOf(content), bytesOf(snapshotParts(kit)))
      await store.put(listedKey({ space, ...content }), Buffer.from(`${content.digest} ${randomUUID()}`))
      share(content, kept)
    },
  }
}

/** Returns a snapshot if it is valid and has this content. */
function readVersion({ kit, version, digest }: LockedContent, bytes: Uint8Array): LoadedKit | undefined {
  const found = readSnapshot(bytes)
  return found?.uuid === kit && found.version === version && contentDigest(found) === digest ? found : undefined
}

async function* bytesOf(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part)
}

/** Stores nothing. For folders, which are fast to read. */
export const noSnapshots: Snapshots = {
  find: async () => undefined,
  once: (_content, load) => load(),
  last: async () => undefined,
  keep: async () => {},
}
