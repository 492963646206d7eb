import { abortable } from '../async/abortable.js'
import { attempt } from '../async/attempt.js'
import { type CheckedFolders, makingLockPath } from '../disk/cache-layout.js'
import {
  type BytesContent,
  type Content,
  type ContentInfo,
  contentOf,
  isDamageError,
  isSmall,
  readContent,
} from '../disk/content.js'
import { createFileLimiter, retryWhileTooManyFiles } from '../disk/open-files.js'
import {
  type LockFamily,
  type LockOptions,
  openLockFamily,
  type Release,
  takeFreeLock,
  takeLock,
} from '../disk/process-lock.js'
import { ContentSpaceError } from '../errors.js'
import { addContent, addEntry, createUnverifiedFolder, findByKey, findContent, removeIfDamaged } from './disk-store.js'
import { readIntoMemory, receiveBody, type ReceiveBody, receiveInMemory } from './receive.js'
import { openStoreIndex } from './store-index.js'

/** Content that the store returns. The hash of a file is checked when the file is read. */
export type StoredContent = Content & {
  /** Whether the content was in the cache, or was made by another call in this process. */
  cached: boolean
  /** Whether the content is in the cache now. Otherwise, it exists only in memory or in a temporary file. */
  kept: boolean
}

/** Content in memory whose hash was checked. */
export type StoredBytes = BytesContent & Pick<StoredContent, 'cached'>

interface EntryRequest {
  key: string
  /** Processes that make content under the same lock wait for each other. If undefined, they don't wait. */
  lock?: string | undefined
  /** Makes the content even if it is cached, and replaces it in the cache. */
  renew?: boolean
  /**
   * Searches for the content elsewhere before taking the lock, which needs two files on disk. Two processes may search
   * at once, because a search doesn't contact the service.
   */
  findElsewhere?: ((receive: ReceiveBody) => Promise<Content | undefined>) | undefined
  signal?: AbortSignal | undefined
}

type Make = (receive: ReceiveBody) => Promise<Content>

/** Uses content. Throws a damage error if the content doesn't match its hash. */
export type Consume<T> = (content: StoredContent) => Promise<T>

/** The number of attempts to make content on disk before it is made in memory. */
const attempts = 2

/** Milliseconds without a chunk after which other processes stop waiting for a download. */
const stalled = 30_000

/** Downloads, conversions, and snapshots on disk, by key. */
export type Store = ReturnType<typeof openStore>

/**
 * Opens a content-addressed store that several processes can use at once and that checks hashes on every read. If it
 * can't write to the disk, it warns once and continues without the cache.
 *
 * This function is long because its methods share the index, the locks, and the folder.
 * @param cacheDir absolute path
 */
export function openStore(cacheDir: string, warn: (message: string) => void) {
  const checked: CheckedFolders = new Map()
  const files = { cacheDir, index: openStoreIndex(cacheDir, checked), checked }
  const locks = openMakingLocks(cacheDir, checked)
  const share = openSharedWork()
  const onFailure = warnOnce(cacheDir, warn)
  const gate = createFileLimiter()
  const folder = () => attempt(() => createUnverifiedFolder(files), onFailure)

  async function find(key: string): Promise<StoredContent | undefined> {
    const file = await findByKey(files, key)
    return file && { ...file, cached: true, kept: true }
  }

  async function add(key: string, content: Content): Promise<StoredContent> {
    // Write small content synchronously, so that at most one such file is open at a time.
    const write = isSmall(content) ? retryWhileTooManyFiles : gate
    const file = await write(() => addContent(files, content)).catch(onFailure)
    if (file === undefined) return { ...(await readIntoMemory(content)), cached: false, kept: false }
    const { integrity, size } = file
    const adding = retryWhileTooManyFiles(() => addEntry(files, { key, integrity, size }))
    const kept = await adding.then(() => true, onFailure)
    const isKept = kept === true
    return { ...('bytes' in content ? content : { ...file, isFresh: isKept }), cached: false, kept: isKept }
  }

  /** Makes an entry under its lock and adds it to the cache, unless another process has made it in the meantime. */
  async function make(
    { key, lock, findElsewhere, renew, signal }: EntryRequest,
    makeContent: Make,
  ): Promise<StoredContent> {
    let lastChunk: number | undefined
    const onChunk = () => void (lastChunk = performance.now())
    const receive: ReceiveBody = (body, options) => receiveBody(body, options, { folder, onFailure, onChunk })
    const elsewhere = await findElsewhere?.(receive)
    if (elsewhere) return add(key, elsewhere)
    if (lock === undefined) return add(key, await makeContent(receive))
    const isActive = () => lastChunk === undefined || performance.now() - lastChunk < stalled
    return locks.run(lock, { signal, isActive }, async () => {
      const found = renew ? undefined : await find(key)
      return found ?? add(key, await makeContent(receive))
    })
  }

  /**
   * Uses content.
   * @returns undefined if the content was damaged and therefore removed from the cache
   */
  async function useUndamaged<T>(content: StoredContent, consume: Consume<T>): Promise<{ result: T } | undefined> {
    try {
      return { result: await consume(content) }
    } catch (error) {
      if (!isDamageError(error)) throw error
      await removeIfDamaged(files, content.integrity)
      return undefined
    }
  }

  return {
    useUndamaged,
    /**
     * Passes the content of a key to `consume`. Makes missing content first, once for all concurrent calls. If the
     * content turns out to be damaged, makes it again and calls `consume` again.
     */
    async use<T>(request: EntryRequest, makeContent: Make, consume: Consume<T>): Promise<T> {
      for (let count = 1; count <= attempts; count++) {
        const content = await share(request.key, request.signal, async () => {
          const found = request.renew ? undefined : await find(request.key)
          return found ?? make(request, makeContent)
        })
        const used = await useUndamaged(content, consume)
        if (used) return used.result
      }
      return consume({ ...(await makeContent(receiveInMemory)), cached: false, kept: false })
    },
    /** Returns the bytes of a key, but doesn't make missing ones. */
    async peek(key: string): Promise<StoredBytes | undefined> {
      const content = await find(key)
      const read = content && (await useUndamaged(content, readBytes))
      return read?.result
    },
    /** Stores bytes under a key, replacing existing content. */
    put: async (key: string, bytes: Uint8Array) => readBytes(await add(key, contentOf(bytes))),
    /** Stores bytes that arrive in parts. Keeps large content in memory only if it can't be written. */
    putParts: (key: string, parts: AsyncIterable<Uint8Array>) =>
      make({ key }, async (receive) => (await receive(parts, {})).content),
    /** Runs work that makes the content of a key. Other processes that do the same wait. */
    alone: <T>(key: string, work: () => Promise<T>) => locks.run(key, {}, work),
    /** Returns the hash and size of an entry without reading its content. */
    async info(key: string): Promise<ContentInfo | undefined> {
      const file = await findByKey(files, key)
      return file && { integrity: file.integrity, size: file.size }
    },
    /** Finds content by its hash, under any key. */
    async findContent(integrity: string): Promise<StoredContent | undefined> {
      const file = await findContent(files, integrity)
      return file && { ...file, cached: true, kept: true }
    },
    removeIfDamaged: (integrity: string) => removeIfDamaged(files, integrity),
  }
}

/**
 * Returns a function that runs work once for all concurrent callers with the same key. If the caller that started the
 * work aborts it, another caller starts it again.
 */
function openSharedWork() {
  const running = new Map<string, { result: Promise<StoredContent>; signal: AbortSignal | undefined }>()

  /** Returns the promise of the work itself, so that the caller that started the work continues first. */
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
    // This error says that a folder of the cache is a link.
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

/** Milliseconds to wait for other processes before doing their work a second time. */
const patience = 300_000

interface Held {
  users: number
  release?: Release
  /** Set if the lock wasn't free. */
  wait?: { lock: Promise<Release | undefined>; unused: AbortController }
}

/** Opens locks for downloads and conversions, so that processes don't do the same work at once. */
export function openMakingLocks(cacheDir: string, checked: CheckedFolders = new Map()) {
  // Opened with the first lock, because the identity of this process is read from files.
  let family: LockFamily | undefined
  const held = new Map<string, Held>()

  function open(name: string, options: LockOptions): Held {
    family ??= openLockFamily()
    const path = makingLockPath(cacheDir, name, checked)
    const release = takeFreeLock(path, family, options.isActive)
    if (release) return { users: 0, release }
    const unused = new AbortController()
    const lock = takeLock(path, { ...options, signal: unused.signal, patience, family })
    return { users: 0, wait: { lock, unused } }
  }

  return {
    /**
     * Runs work under a lock. Callers in this process share it; other processes wait.
     * @throws ContentSpaceError `aborted` if the signal is aborted during the wait
     */
    async run<T>(
      this: void,
      name: string,
      options: Pick<LockOptions, 'signal' | 'isActive'>,
      work: () => Promise<T>,
    ): Promise<T> {
      const entry = held.get(name) ?? open(name, options)
      held.set(name, entry)
      entry.users++
      try {
        if (entry.wait) await abortable(entry.wait.lock, options.signal)
        return await work()
      } finally {
        entry.users--
        if (entry.users === 0) {
          held.delete(name)
          entry.release?.()
          // End the wait if all callers have aborted.
          entry.wait?.unused.abort()
          await entry.wait?.lock.then(
            (release) => release?.(),
            () => {},
          )
        }
      }
    },
  }
}
