import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { createFileLimiter } from '../disk/open-files.js'
import { takeLock, type Release } from '../disk/process-lock.js'
import { integrityOf, isDamageError, readContent, type Content, type ContentInfo } from '../disk/content.js'
import { discard, receiveBody, type ReceiveOptions, type Received } from './intake.js'
import { openShelf } from './shelf.js'

export interface Stored extends ContentInfo {
  bytes: Uint8Array
  cached: boolean
}

/** Content as the store gives it. In a file, it is found out only when it is read whether it was damaged. */
export type Found = Content & {
  cached: boolean
  /** Whether the store has it by now. What it does not have is lost once it was used. */
  kept: boolean
}

/** What is wanted of the store. */
interface Wanted {
  key: string
  /**
   * What processes take turns for: those that want what is being made under the same name wait for it, as far as that
   * can be had. Absent: nobody waits.
   */
  turn?: string
  /** Ends the wait. */
  signal?: AbortSignal | undefined
}

/** Reads a body to its end, and gives content that is not checked yet. It is removed again with `discard`. */
export type ReceiveBody = (body: AsyncIterable<Uint8Array>, options: ReceiveOptions) => Promise<Received>

/** Results kept by key on disk. */
export interface Store {
  /**
   * Gives `how` what is kept under a key, or else what `make` gives, which is kept then. Made once, however many ask at
   * a time. What turns out to be damaged while it is used is made again, and `how` is called again.
   */
  use<T>(
    wanted: Wanted,
    make: (receive: ReceiveBody) => Promise<Content>,
    how: (found: Found) => Promise<T>,
  ): Promise<T>
  /** The same for bytes in memory. */
  get(key: string, make: () => Promise<Uint8Array>): Promise<Stored>
  /** What is kept under a key, without making it. */
  peek(key: string): Promise<Stored | undefined>
  /** Keeps what replaces anything that was there before. */
  put(key: string, bytes: Uint8Array): Promise<Stored>
  /** What is known of an entry without reading it. */
  look(key: string): Promise<ContentInfo | undefined>
  /** Content by its hash, whatever its key. */
  content(integrity: string): Promise<Found | undefined>
  /** Removes content if it is damaged. */
  drop(integrity: string): Promise<void>
}

/** Rounds in which damaged content is replaced; after them, what is needed is made without the disk. */
const rounds = 2

/** Milliseconds: for so long, others are waited for that make what is wanted. */
const patience = 300_000
/** Milliseconds without a byte, after which a download that has begun is no longer waited for. */
const stalled = 30_000

/**
 * A content-addressed store, verified on every read and safe for several processes at once.
 * A disk that cannot be written costs the cache and not the build: it is said once, and work goes on without.
 * @param cacheDir absolute path
 */
export function openStore(cacheDir: string, warn: (message: string) => void): Store {
  const shelf = openShelf(cacheDir)
  const gate = createFileLimiter()
  const underWay = new Map<string, Promise<Found>>()
  const turns = new Map<string, { users: number; lock: Promise<Release | undefined> }>()
  let warned = false

  function complain(error: unknown): undefined {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    if (!warned) warn(`The cache at ${cacheDir} cannot be written (${reason}); going on without it.`)
    warned = true
  }

  async function folder(): Promise<string | undefined> {
    try {
      return shelf.unchecked()
    } catch (error) {
      complain(error)
      return undefined
    }
  }

  async function keep(key: string, content: Content): Promise<Found> {
    const placed = await gate(() => shelf.place(content)).catch(complain)
    if (placed === undefined) return { ...(await rescue(content)), cached: false, kept: false }
    const kept = await gate(() => shelf.note(key, placed)).then(() => true, complain)
    return { ...('bytes' in content ? content : placed), cached: false, kept: kept === true }
  }

  async function find(key: string): Promise<Found | undefined> {
    const kept = await shelf.find(key)
    return kept && { ...kept, cached: true, kept: true }
  }

  /** Looks again once it is its turn: whoever had it before may have kept what is wanted. */
  async function make({ key, turn, signal }: Wanted, work: (receive: ReceiveBody) => Promise<Content>): Promise<Found> {
    let heard: number | undefined
    const onChunk = () => void (heard = performance.now())
    const receive: ReceiveBody = (body, options) => receiveBody(body, options, { folder, onFailure: complain, onChunk })
    if (turn === undefined) return keep(key, await work(receive))
    const isMoving = () => heard === undefined || performance.now() - heard < stalled
    return inTurn(
      turn,
      { signal, patience, isActive: isMoving },
      async () => (await find(key)) ?? keep(key, await work(receive)),
    )
  }

  async function inTurn<T>(turn: string, options: Parameters<typeof takeLock>[1], work: () => Promise<T>): Promise<T> {
    const path = join(cacheDir, 'making', createHash('sha256').update(turn).digest('hex'))
    const held = turns.get(turn) ?? { users: 0, lock: takeLock(path, options) }
    turns.set(turn, held)
    held.users++
    try {
      await held.lock
      return await work()
    } finally {
      held.users--
      if (held.users === 0) {
        turns.delete(turn)
        await held.lock.then(
          (release) => release?.(),
          () => {},
        )
      }
    }
  }

  function share(key: string, work: () => Promise<Found>): Promise<Found> {
    const running = underWay.get(key)
    // Who shares the work has not paid for it.
    if (running) return running.then((found) => ({ ...found, cached: true }))
    const started = work().finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }

  async function use<T>(
    wanted: Wanted,
    work: (receive: ReceiveBody) => Promise<Content>,
    how: (found: Found) => Promise<T>,
  ): Promise<T> {
    for (let round = 1; round <= rounds; round++) {
      const found = await share(wanted.key, async () => (await find(wanted.key)) ?? make(wanted, work))
      try {
        return await how(found)
      } catch (error) {
        if (!isDamageError(error)) throw error
        await shelf.drop(found.integrity)
      }
    }
    return how({ ...(await work(inMemory)), cached: false, kept: false })
  }

  return {
    use,
    get: (key, work) => use({ key }, async () => contentOf(await work()), stored),
    async peek(key) {
      const found = await find(key)
      if (!found) return undefined
      try {
        return await stored(found)
      } catch (error) {
        if (!isDamageError(error)) throw error
        await shelf.drop(found.integrity)
        return undefined
      }
    },
    put: async (key, bytes) => stored(await keep(key, contentOf(bytes))),
    async look(key) {
      const kept = await shelf.find(key)
      return kept && { integrity: kept.integrity, size: kept.size }
    },
    async content(integrity) {
      const kept = await shelf.at(integrity)
      return kept && { ...kept, cached: true, kept: true }
    },
    drop: (integrity) => shelf.drop(integrity),
  }
}

const inMemory: ReceiveBody = (body, options) =>
  receiveBody(body, options, { folder: async () => undefined, onFailure: () => {}, onChunk: () => {} })

/** What cannot be brought to its place is held in memory. */
async function rescue(content: Content): Promise<Content> {
  const { integrity, size } = content
  const bytes = await readContent(content)
  await discard(content)
  return { integrity, size, bytes }
}

/** What was found, as bytes in memory. @throws a damage error */
export async function stored(found: Found): Promise<Stored> {
  const { integrity, size, cached } = found
  return { integrity, size, cached, bytes: await readContent(found) }
}

/** Bytes as content. */
export function contentOf(bytes: Uint8Array): Content {
  return { bytes, size: bytes.length, integrity: integrityOf(bytes) }
}
