import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import cacache from 'cacache'
import lockfile from 'proper-lockfile'
import ssri from 'ssri'
import { once } from '../once.js'

export interface Stored {
  bytes: Uint8Array
  /** `sha256-…`, as Subresource Integrity spells it. */
  integrity: string
  cached: boolean
}

/** Results kept by key on disk. */
export interface Store {
  /** What is kept under a key, or else what `make` gives, which is kept then. Made once, however many ask at a time. */
  get(key: string, make: () => Promise<Uint8Array>): Promise<Stored>
  /**
   * The same for what is dear to make: other processes that want it wait, as far as that can be had.
   * @param family what is made of one source: asked for together, it is made under one lock
   */
  getOnce(key: string, family: string, make: () => Promise<Uint8Array>): Promise<Stored>
  /** What is kept under a key, without making it. */
  peek(key: string): Promise<Stored | undefined>
  /** Keeps what replaces anything that was there before. */
  put(key: string, bytes: Uint8Array): Promise<Stored>
  /** What is known of an entry without reading it. */
  look(key: string): Promise<Omit<Stored, 'bytes'> & { size: number } | undefined>
  /** Content by its hash, whatever its key. */
  content(integrity: string): Promise<Stored | undefined>
}

/** Raise it when the layout of the folder changes: `<cacheDir>/files-v1/content-v2/sha256/ab/cd/…` is cacache's own. */
export const storeFolder = 'files-v1'

/**
 * A content-addressed store, verified on every read and safe for several processes at once.
 * A disk that cannot be written costs the cache and not the build: it is said once, and work goes on without.
 * @param cacheDir absolute path
 */
export function openStore(cacheDir: string, warn: (message: string) => void): Store {
  const root = join(cacheDir, storeFolder)
  const underWay = new Map<string, Promise<Stored>>()
  const made = once((path) => mkdir(path, { recursive: true, mode: 0o700 }))
  const locks = new Map<string, { users: number; release: Promise<() => Promise<void>> }>()
  let warned = false

  /** Content that does not match its hash is removed first: putting over it does not heal it. */
  async function read(key: string): Promise<Stored | undefined> {
    try {
      const { data, integrity } = await cacache.get(root, key)
      return { bytes: data, integrity, cached: true }
    } catch (error) {
      if (codeOf(error) === 'EINTEGRITY') await forget(key)
      return undefined
    }
  }

  async function forget(key: string): Promise<void> {
    const entry = await cacache.get.info(root, key)
    if (entry) await cacache.rm.content(root, entry.integrity)
  }

  async function keep(key: string, bytes: Uint8Array): Promise<Stored> {
    try {
      await made.get(cacheDir)
      const integrity = await cacache.put(root, key, bufferOf(bytes), { algorithms: ['sha256'] })
      return { bytes, integrity: ssri.stringify(integrity), cached: false }
    } catch (error) {
      if (!warned) warn(`The cache at ${cacheDir} cannot be written (${codeOf(error) ?? 'unknown'}); going on without it.`)
      warned = true
    }
    const integrity = ssri.fromData(bufferOf(bytes), { algorithms: ['sha256'] }).toString()
    return { bytes, integrity, cached: false }
  }

  async function readOrKeep(key: string, make: () => Promise<Uint8Array>): Promise<Stored> {
    return (await read(key)) ?? keep(key, await make())
  }

  /** Looks again once it has the lock: whoever had it may have kept what is wanted. */
  async function readOrKeepAlone(key: string, family: string, make: () => Promise<Uint8Array>): Promise<Stored> {
    const known = await read(key)
    if (known) return known
    const held = locks.get(family) ?? { users: 0, release: lock(join(cacheDir, 'making'), family) }
    locks.set(family, held)
    held.users++
    try {
      await held.release
      return await readOrKeep(key, make)
    } finally {
      held.users--
      if (held.users === 0) {
        locks.delete(family)
        await (await held.release)()
      }
    }
  }

  function share(key: string, work: () => Promise<Stored>): Promise<Stored> {
    const running = underWay.get(key)
    // Who shares the work has not paid for it.
    if (running) return running.then((stored) => ({ ...stored, cached: true }))
    const started = work().finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }

  return {
    get: (key, make) => share(key, () => readOrKeep(key, make)),
    getOnce: (key, family, make) => share(key, () => readOrKeepAlone(key, family, make)),
    peek: read,
    put: keep,
    async look(key) {
      const entry = await cacache.get.info(root, key).catch(() => undefined)
      return entry ? { integrity: entry.integrity, size: entry.size ?? 0, cached: true } : undefined
    },
    async content(integrity) {
      try {
        return { bytes: await cacache.get.byDigest(root, integrity), integrity, cached: true }
      } catch {
        return undefined
      }
    },
  }
}

/**
 * Saves work and guards nothing: whoever cannot have the lock works without, and the store stays right.
 * @returns what gives it back
 */
async function lock(locks: string, key: string): Promise<() => Promise<void>> {
  const path = join(locks, createHash('sha256').update(key).digest('hex'))
  try {
    await mkdir(locks, { recursive: true, mode: 0o700 })
    const release = await lockfile.lock(path, {
      realpath: false,
      retries: { retries: 60, minTimeout: 50, maxTimeout: 500 },
      onCompromised: () => {},
    })
    return () => release().catch(() => {})
  } catch {
    return async () => {}
  }
}

/** The same bytes, not a copy. */
function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
