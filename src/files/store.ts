import { contentOf, isDamageError, readContent, type ContentInfo } from '../disk/content.js'
import { ContentSpaceError } from '../errors.js'
import { openDiskStore } from './disk-store.js'
import { openMakingLocks } from './making-locks.js'
import { openStoreEntries, receiveInMemory, type EntryRequest, type Make, type StoredContent } from './store-entries.js'

/** Content in memory, with its hash checked. */
export interface StoredBytes extends ContentInfo {
  bytes: Uint8Array
  /** Whether it was in the cache, or made by another call of this process. */
  cached: boolean
}

/** Uses content. Throws a damage error when the content does not match its hash. */
export type Consume<T> = (content: StoredContent) => Promise<T>

/** Downloads, conversions and snapshots on disk, by key. */
export interface Store {
  /**
   * Passes the content of a key to `consume`. Missing content is made first, once for all concurrent calls.
   * Content that turns out to be damaged is made again, and `consume` is called again.
   */
  use<T>(request: EntryRequest, make: Make, consume: Consume<T>): Promise<T>
  /** Returns the bytes of a key without making them. */
  peek(key: string): Promise<StoredBytes | undefined>
  /** Writes bytes under a key, and replaces what is there. */
  put(key: string, bytes: Uint8Array): Promise<StoredBytes>
  /** Does the same with bytes that come in parts. Large content is in memory only if it cannot be written. */
  putParts(key: string, parts: AsyncIterable<Uint8Array>): Promise<StoredContent>
  /** Runs work that makes the content of a key. Other processes wait before theirs for the same key. */
  alone<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Returns hash and size of an entry without reading its content. */
  info(key: string): Promise<ContentInfo | undefined>
  /** Finds content by its hash, under any key. */
  findContent(integrity: string): Promise<StoredContent | undefined>
  removeIfDamaged(integrity: string): Promise<void>
}

/** Attempts with the disk. After them, the content is made in memory. */
const attempts = 2

/**
 * Opens a content-addressed store that checks hashes on every read and that several processes can use at once.
 * When the disk cannot be written, work continues without the cache, after one warning.
 * @param cacheDir absolute path
 */
export function openStore(cacheDir: string, warn: (message: string) => void): Store {
  const disk = openDiskStore(cacheDir)
  const locks = openMakingLocks(cacheDir)
  const entries = openStoreEntries(disk, locks, warnOnce(cacheDir, warn))
  const share = openSharedWork()

  async function use<T>(request: EntryRequest, make: Make, consume: Consume<T>): Promise<T> {
    const { key, signal } = request
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const content = await share(key, signal, async () => {
        const found = request.renew ? undefined : await entries.find(key)
        return found ?? entries.make(request, make)
      })
      try {
        return await consume(content)
      } catch (error) {
        if (!isDamageError(error)) throw error
        await disk.removeIfDamaged(content.integrity)
      }
    }
    return consume({ ...(await make(receiveInMemory)), cached: false, kept: false })
  }

  return {
    use,
    async peek(key) {
      const content = await entries.find(key)
      if (!content) return undefined
      try {
        return await readBytes(content)
      } catch (error) {
        if (!isDamageError(error)) throw error
        await disk.removeIfDamaged(content.integrity)
        return undefined
      }
    },
    put: async (key, bytes) => readBytes(await entries.add(key, contentOf(bytes))),
    putParts: (key, parts) => entries.make({ key, renew: true }, async (receive) => (await receive(parts, {})).content),
    alone: (key, work) => locks.run(key, {}, work),
    async info(key) {
      const file = await disk.find(key)
      return file && { integrity: file.integrity, size: file.size }
    },
    async findContent(integrity) {
      const file = await disk.findContent(integrity)
      return file && { ...file, cached: true, kept: true }
    },
    removeIfDamaged: (integrity) => disk.removeIfDamaged(integrity),
  }
}

/** Runs work once for all concurrent callers with the same key. If its caller aborts, another one starts it again. */
function openSharedWork() {
  const running = new Map<string, { result: Promise<StoredContent>; signal: AbortSignal | undefined }>()

  /** Returns the promise of the work itself: the caller that started it is the first to continue. */
  function share(
    key: string,
    signal: AbortSignal | undefined,
    work: () => Promise<StoredContent>,
  ): Promise<StoredContent> {
    const shared = running.get(key)
    if (shared) {
      return shared.result.then(
        // Only the caller that started the work counts its download.
        (content) => ({ ...content, cached: true }),
        (error: unknown) => {
          if (!shared.signal?.aborted || signal?.aborted) throw error
          return share(key, signal, work)
        },
      )
    }
    const result = work().finally(() => running.delete(key))
    running.set(key, { result, signal })
    return result
  }
  return share
}

function warnOnce(cacheDir: string, warn: (message: string) => void): (error: unknown) => undefined {
  let warned = false
  return (error) => {
    // A folder of the cache is a link.
    if (error instanceof ContentSpaceError) throw error
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (!warned) warn(`The cache at ${cacheDir} cannot be written (${reason}). Continuing without it.`)
    warned = true
  }
}

/** @throws a damage error */
export async function readBytes(content: StoredContent): Promise<StoredBytes> {
  const { integrity, size, cached } = content
  return { integrity, size, cached, bytes: await readContent(content) }
}
