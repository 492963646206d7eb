import { isSmall, readContent, type Content } from '../disk/content.js'
import { createFileLimiter, retryWhileTooManyFiles } from '../disk/open-files.js'
import type { DiskStore } from './disk-store.js'
import type { MakingLocks } from './making-locks.js'
import { discard, receiveBody, type Received, type ReceiveOptions } from './receive.js'

/** Content that the store returns. The hash of a file is checked when it is read. */
export type StoredContent = Content & {
  /** Whether it was in the cache, or made by another call of this process. */
  cached: boolean
  /** Whether it is in the cache now. Otherwise, it exists only in memory or in a temporary file. */
  kept: boolean
}

/** What to look for in the store. */
export interface EntryRequest {
  key: string
  /** Processes that make something under the same name wait for each other. Absent: they do not wait. */
  lock?: string | undefined
  /** Makes the content even if the cache has it, and replaces it. */
  renew?: boolean
  /**
   * Looks elsewhere for the content before the lock is taken. Two processes may do this at once, because it sends no
   * request to the service, and a lock needs two files on disk.
   */
  look?: ((receive: ReceiveBody) => Promise<Content | undefined>) | undefined
  /** Ends the wait. */
  signal?: AbortSignal | undefined
}

/** Reads a body to its end. The content is not verified; `discard` removes it. */
export type ReceiveBody = (body: AsyncIterable<Uint8Array>, options: ReceiveOptions) => Promise<Received>

/** Makes the content of an entry. */
export type Make = (receive: ReceiveBody) => Promise<Content>

/** Entries of the cache. When the disk cannot be written, the methods work without the cache. */
export interface StoreEntries {
  find(this: void, key: string): Promise<StoredContent | undefined>
  /** Makes an entry under its lock, unless another process has made it by then, and adds it to the cache. */
  make(this: void, request: EntryRequest, make: Make): Promise<StoredContent>
  /** Adds content to the cache. */
  add(this: void, key: string, content: Content): Promise<StoredContent>
}

/** Milliseconds without a chunk after which other processes stop waiting for a download. */
const stalled = 30_000

/** @param onFailure called each time the disk cannot be written */
export function openStoreEntries(
  disk: DiskStore,
  locks: MakingLocks,
  onFailure: (error: unknown) => undefined,
): StoreEntries {
  const gate = createFileLimiter()
  /** A small content is written at once, so that there is never more than one such file open. */
  const gateOf = (content: Content) => (isSmall(content) ? retryWhileTooManyFiles : gate)

  async function find(key: string): Promise<StoredContent | undefined> {
    const file = await disk.find(key)
    return file && { ...file, cached: true, kept: true }
  }

  async function add(key: string, content: Content): Promise<StoredContent> {
    const file = await gateOf(content)(() => disk.addContent(content)).catch(onFailure)
    if (file === undefined) return { ...(await readIntoMemory(content)), cached: false, kept: false }
    const kept = await retryWhileTooManyFiles(() => disk.addEntry(key, file)).then(() => true, onFailure)
    return { ...('bytes' in content ? content : file), cached: false, kept: kept === true }
  }

  async function unverifiedFolder(): Promise<string | undefined> {
    try {
      return disk.createUnverifiedFolder()
    } catch (error) {
      return onFailure(error)
    }
  }

  return {
    find,
    add,
    async make({ key, lock, look, renew = false, signal }, make) {
      let lastChunk: number | undefined
      const onChunk = () => void (lastChunk = performance.now())
      const receive: ReceiveBody = (body, options) =>
        receiveBody(body, options, { folder: unverifiedFolder, onFailure, onChunk })
      const elsewhere = await look?.(receive)
      if (elsewhere) return add(key, elsewhere)
      if (lock === undefined) return add(key, await make(receive))
      const isActive = () => lastChunk === undefined || performance.now() - lastChunk < stalled
      return locks.run(lock, { signal, isActive }, async () => {
        const found = renew ? undefined : await find(key)
        return found ?? add(key, await make(receive))
      })
    },
  }
}

export const receiveInMemory: ReceiveBody = (body, options) =>
  receiveBody(body, options, { folder: async () => undefined, onFailure: () => {}, onChunk: () => {} })

/** For content that cannot be moved into the cache. */
async function readIntoMemory(content: Content): Promise<Content> {
  const { integrity, size } = content
  const bytes = await readContent(content)
  await discard(content)
  return { integrity, size, bytes }
}
