import { readdir, rename, rm } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import cacache from 'cacache'
import glob from 'fast-glob'
import PQueue from 'p-queue'
import { ContentSpaceError } from '../../errors.js'
import { clearedPath, isCacheName, storeFolder, storePatterns, temporaryPatterns } from '../../disk/cache-layout.js'
import { checkContent } from '../../disk/content.js'
import { entryKinds, factsOf, readEntries, type CacheEntry, type StoredEntry } from './entries.js'

export interface CacheListing {
  cacheDir: string
  entries: CacheEntry[]
  /** Every kind, also one that has no entry. */
  kinds: (Amount & { kind: CacheEntry['kind'] })[]
  /** Content that entries share counts once. */
  total: Amount
}

interface Amount {
  entries: number
  /** Bytes. */
  size: number
}

/** What a command took out of the cache. */
export interface CacheRemoval {
  cacheDir: string
  removed: Amount
}

export interface CacheCheck extends CacheRemoval {
  checked: number
  corrupt: (CacheEntry & { reason: 'corrupt' | 'missing' })[]
}

/** Milliseconds after which a file under way belongs to a process that has ended. */
const abandoned = 3_600_000

export async function listCache(cacheDir: string): Promise<CacheListing> {
  const entries = await readEntries(cacheDir)
  return {
    cacheDir,
    entries: entries.map(shown),
    kinds: entryKinds.map((kind) => ({ kind, ...amount(entries.filter((entry) => entry.kind === kind)) })),
    total: amount(entries),
  }
}

/**
 * Removes entries that were not used for a time, and content that no entry names any more.
 * A build that wants one of them meanwhile fetches it again.
 * @param age milliseconds
 */
export async function pruneCache(cacheDir: string, age: number): Promise<CacheRemoval> {
  const entries = await readEntries(cacheDir)
  const root = storeFolder(cacheDir)
  const limit = Date.now() - age
  const old = entries.filter(({ used }) => used === undefined || Date.parse(used) <= limit)
  for (const { key } of old) await cacache.rm.entry(root, key)
  // Asked anew: what came to the content of an old entry meanwhile keeps it.
  const referenced = new Set((await readEntries(cacheDir)).map(({ path }) => path))
  const content = await glob(storePatterns.content, { cwd: root, absolute: true, stats: true })
  const loose = content.filter(({ path }) => !referenced.has(join(path)))
  const underWay = await glob(temporaryPatterns, {
    cwd: cacheDir,
    absolute: true,
    stats: true,
  })
  const left = underWay.filter(({ stats }) => Date.now() - (stats?.mtimeMs ?? 0) > abandoned)
  const gone = [...loose, ...left]
  for (const { path } of gone) await rm(path, { force: true })
  return {
    cacheDir,
    removed: { entries: old.length, size: gone.reduce((sum, { stats }) => sum + (stats?.size ?? 0), 0) },
  }
}

/**
 * Removes all that this package keeps in a cache folder.
 * @throws ContentSpaceError `invalidOption` for a folder that holds anything else: it is no cache, and nothing is
 *   touched
 */
export async function clearCache(cacheDir: string): Promise<CacheRemoval> {
  const names = await readdir(cacheDir).catch(() => [])
  const foreign = names.filter((name) => !isCacheName(name))
  if (foreign.length > 0) {
    throw new ContentSpaceError(
      'invalidOption',
      `${cacheDir} holds what is no cache: ${foreign.slice(0, 3).join(', ')}.`,
      {
        hint: 'Check option cacheDir and CONTENT_SPACE_CACHE, or remove the cache by hand.',
      },
    )
  }
  const removed = amount(await readEntries(cacheDir))
  for (const name of names) {
    // One rename, so that a build under way starts a new store and never finds half of the old one.
    const aside = clearedPath(cacheDir, randomUUID())
    await rename(join(cacheDir, name), aside)
    await rm(aside, { recursive: true, force: true, maxRetries: 3 })
  }
  return { cacheDir, removed }
}

/**
 * Reads every entry, and removes those whose content is not what its hash says: they are fetched again when they are
 * needed.
 */
export async function verifyCache(cacheDir: string): Promise<CacheCheck> {
  const entries = await readEntries(cacheDir)
  const root = storeFolder(cacheDir)
  const queue = new PQueue({ concurrency: 8 })
  const paths = new Map(entries.map((entry) => [entry.path, entry]))
  const states = new Map<string, State>()
  await Promise.all(
    [...paths.values()].map((entry) => queue.add(async () => states.set(entry.path, await stateOf(entry)))),
  )
  const bad = entries.flatMap((entry) => {
    const state = entry.sound ? (states.get(entry.path) ?? 'good') : 'corrupt'
    return state === 'good' ? [] : [{ ...entry, reason: state }]
  })
  for (const { key, path } of bad) {
    // An entry that was changed may name content that is as good as ever.
    if (states.get(path) !== 'good') await rm(path, { recursive: true, force: true })
    await cacache.rm.entry(root, key)
  }
  const corrupt = bad.map((entry) => ({ ...shown(entry), reason: entry.reason }))
  return { cacheDir, checked: entries.length, corrupt, removed: amount(bad) }
}

type State = 'good' | 'corrupt' | 'missing'

async function stateOf({ path, integrity, size }: StoredEntry): Promise<State> {
  const facts = factsOf(path)
  if (facts === undefined) return 'missing'
  if (!facts.isFile() || facts.size !== size) return 'corrupt'
  return checkContent({ path, integrity, size }).then(
    () => 'good',
    () => 'corrupt',
  )
}

/** Where an entry lies is of no use to anybody. */
function shown({ key: _key, path: _path, sound: _sound, ...entry }: StoredEntry): CacheEntry {
  return entry
}

function amount(entries: readonly StoredEntry[]): Amount {
  const sizes = new Map(entries.map(({ path, size }) => [path, size]))
  return { entries: entries.length, size: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
}
