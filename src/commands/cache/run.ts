import { randomUUID } from 'node:crypto'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import glob from 'fast-glob'
import { attempt, succeeds } from '../../async/attempt.js'
import { eachLimit } from '../../async/each-limit.js'
import { cachePatterns, clearedPath, isCacheName, requireNoLinks } from '../../disk/cache-layout.js'
import { checkContent } from '../../disk/content.js'
import { throwFileError } from '../../disk/file-error.js'
import { statsOf } from '../../disk/stats.js'
import { ContentSpaceError, ignoreCodes } from '../../errors.js'
import { removeFromIndex } from '../../files/store-index.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { shortList } from '../../text/quantities.js'
import { entryKinds, readEntries, type CacheEntry, type StoredEntry } from './entries.js'
import { readNames, type FindName } from './names.js'

export type CacheListing = Awaited<ReturnType<typeof listCache>>
export type CacheRemoval = Awaited<ReturnType<typeof pruneCache>>

/** Milliseconds after which we assume that the process that created a temporary file has ended. */
const abandonedAfter = 3_600_000

/**
 * Lists every entry of a cache, with totals.
 * @param known names of assets by uuid, for spaces without a listing in the cache
 */
export async function listCache(cacheDir: string, known: ReadonlyMap<string, string> = new Map()) {
  const entries = readEntries(cacheDir)
  return {
    cacheDir,
    entries: withNames(entries, await readNames(entries, known)).map(publicEntry),
    /** Totals of every kind, including kinds without entries. */
    kinds: entryKinds.map((kind) => ({ kind, ...amountOf(entries.filter((entry) => entry.kind === kind)) })),
    total: amountOf(entries),
  }
}

/** Adds the names of assets and kits. A conversion gets its source's name. */
function withNames(entries: readonly StoredEntry[], nameOf: FindName): StoredEntry[] {
  const sources = new Map(
    entries.flatMap((entry) =>
      entry.kind === 'original' || entry.kind === 'cut' ? [[entry.integrity, entry] as const] : [],
    ),
  )
  return entries.map((entry) => {
    const { of, space = '' } = entry.kind === 'conversion' ? (sources.get(entry.of) ?? entry) : entry
    const sourceSpace = entry.kind === 'conversion' && space !== '' ? space : undefined
    return { ...entry, ...omitUndefined({ name: nameOf(space, of), sourceSpace }) }
  })
}

/**
 * Removes entries that haven't been used for a given time, content that no entry refers to, temporary files of
 * processes that have ended, and unused files of other versions of the store. A build that needs a removed entry
 * downloads or makes it again.
 * @param age in milliseconds
 * @throws ContentSpaceError `fileSystem` if a folder of the cache is a link, without removing anything
 */
export async function pruneCache(cacheDir: string, age: number) {
  requireNoLinks(cacheDir)
  const limit = Date.now() - age
  const unused = readEntries(cacheDir).filter(({ used }) => used === undefined || Date.parse(used) <= limit)
  removeFromIndex(cacheDir, unused)
  // Read again, because a build may have added an entry with the content of a removed one.
  const referenced = new Set(readEntries(cacheDir).map(({ path }) => path))
  const [content, temporary, others] = await Promise.all(
    [cachePatterns.content, cachePatterns.temporary, cachePatterns.others].map((patterns) =>
      glob(patterns, { cwd: cacheDir, absolute: true, stats: true, followSymbolicLinks: false }),
    ),
  )
  const obsolete = [
    ...(content ?? []).filter(({ path }) => !referenced.has(join(path))),
    ...(temporary ?? []).filter(({ stats }) => Date.now() - (stats?.mtimeMs ?? 0) > abandonedAfter),
    ...(others ?? []).filter(({ stats }) => Math.max(stats?.atimeMs ?? 0, stats?.mtimeMs ?? 0) <= limit),
  ]
  for (const { path } of obsolete) await rm(path, { force: true }).catch(throwFileError(path))
  return {
    cacheDir,
    removed: { entries: unused.length, size: obsolete.reduce((sum, { stats }) => sum + (stats?.size ?? 0), 0) },
  }
}

/**
 * Removes everything from a cache folder. Removes links themselves, but not their targets.
 * @throws ContentSpaceError `invalidOption` for a folder with other files, without removing anything
 */
export async function clearCache(cacheDir: string): Promise<CacheRemoval> {
  const names = await readdir(cacheDir).catch(() => [])
  const foreign = names.filter((name) => !isCacheName(name))
  if (foreign.length > 0) {
    const message = `${cacheDir} contains files that are not part of a cache: ${shortList(foreign)}.`
    const hint = 'Nothing was removed. Check option cacheDir and CONTENT_SPACE_CACHE, or remove the cache manually.'
    throw new ContentSpaceError('invalidOption', message, { hint })
  }
  // A cache with links can't be read, but it can be cleared anyway.
  const removed = amountOf(attempt(() => readEntries(cacheDir), ignoreCodes('fileSystem')) ?? [])
  for (const name of names) {
    // Rename it first, so that a running build starts a new store and never finds half of the old one.
    const aside = clearedPath(cacheDir, randomUUID())
    await rename(join(cacheDir, name), aside).catch(throwFileError(cacheDir))
    await rm(aside, { recursive: true, force: true, maxRetries: 3 }).catch(throwFileError(cacheDir))
  }
  return { cacheDir, removed }
}

/** Reads every entry, and removes entries with a wrong hash. They are downloaded or made again. */
export async function verifyCache(cacheDir: string) {
  const entries = readEntries(cacheDir)
  const byPath = new Map(entries.map((entry) => [entry.path, entry]))
  const problems = new Map<string, 'corrupt' | 'missing' | undefined>()
  await eachLimit([...byPath.values()], 8, undefined, async (entry) => {
    problems.set(entry.path, await problemOfEntry(entry))
  })
  const bad = entries.flatMap((entry) => {
    const reason = problems.get(entry.path)
    return reason === undefined ? [] : [{ ...entry, reason }]
  })
  for (const { path } of bad) await rm(path, { recursive: true, force: true }).catch(throwFileError(path))
  removeFromIndex(cacheDir, bad)
  const corrupt = bad.map((entry) => ({ ...publicEntry(entry), reason: entry.reason }))
  return { cacheDir, checked: entries.length, corrupt, removed: amountOf(bad) }
}

async function problemOfEntry({ path, integrity, size }: StoredEntry): Promise<'corrupt' | 'missing' | undefined> {
  const stats = statsOf(path)
  if (stats === undefined) return 'missing'
  if (!stats.isFile() || stats.size !== size) return 'corrupt'
  return (await succeeds(checkContent({ path, integrity, size }))) ? undefined : 'corrupt'
}

function publicEntry({ key: _key, path: _path, ...entry }: StoredEntry): CacheEntry {
  return entry
}

/** Sums up entries. Content that several entries share counts once. */
function amountOf(entries: readonly StoredEntry[]) {
  const sizes = new Map(entries.map(({ path, size }) => [path, size]))
  return { entries: entries.length, size: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
}
