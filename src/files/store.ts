import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import cacache from 'cacache'
import ssri from 'ssri'

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
}

/** Raise it when the layout of the folder changes: `<cacheDir>/files-v1/content-v2/sha256/ab/cd/…` is cacache's own. */
const folder = 'files-v1'

/**
 * A content-addressed store, verified on every read and safe for several processes at once.
 * A disk that cannot be written costs the cache and not the build: it is said once, and work goes on without.
 * @param cacheDir absolute path
 */
export function openStore(cacheDir: string, warn: (message: string) => void): Store {
  const root = join(cacheDir, folder)
  const underWay = new Map<string, Promise<Stored>>()
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
      await mkdir(cacheDir, { recursive: true, mode: 0o700 })
      await cacache.put(root, key, Buffer.from(bytes), { algorithms: ['sha256'] })
      const back = await read(key)
      if (back) return { ...back, cached: false }
    } catch (error) {
      if (!warned) warn(`The cache at ${cacheDir} cannot be written (${codeOf(error) ?? 'unknown'}); going on without it.`)
      warned = true
    }
    const integrity = ssri.fromData(Buffer.from(bytes), { algorithms: ['sha256'] }).toString()
    return { bytes, integrity, cached: false }
  }

  return {
    get(key, make) {
      const running = underWay.get(key)
      if (running) return running
      const work = (async () => (await read(key)) ?? keep(key, await make()))().finally(() => underWay.delete(key))
      underWay.set(key, work)
      return work
    },
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}
