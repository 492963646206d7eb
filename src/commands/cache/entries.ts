import { lstatSync, type Stats } from 'node:fs'
import { rm } from 'node:fs/promises'
import cacache from 'cacache'
import glob from 'fast-glob'
import { describeKey, storeFolder, storePatterns, type KeyDescription } from '../../disk/cache-layout.js'
import { isValidEntry } from '../../files/disk-store.js'
import { compareStrings } from '../../text/compare.js'

export const entryKinds = [
  'original',
  'cut',
  'conversion',
  'snapshot',
  'other',
] as const satisfies KeyDescription['kind'][]

export interface CacheEntry extends KeyDescription {
  /** Bytes. */
  size: number
  integrity: string
  /** When it was last read, as far as the disk keeps that, or written; ISO 8601. Absent: its content is gone. */
  used?: string
}

/** An entry, and where it is. */
export interface StoredEntry extends CacheEntry {
  key: string
  /** Absolute path of the content, which several entries may share. */
  path: string
  /** Whether the entry is as it was written. */
  sound: boolean
}

/** Every entry of a cache, by kind, then by key; none where there is no cache. */
export async function readEntries(cacheDir: string): Promise<StoredEntry[]> {
  const found = await readIndex(storeFolder(cacheDir))
  const entries = found.map((entry): StoredEntry => {
    const { key, path, size, integrity } = entry
    const facts = factsOf(path)
    const used = facts && { used: new Date(Math.max(facts.atimeMs, facts.mtimeMs)).toISOString() }
    return { ...describeKey(key), size, integrity, ...used, key, path, sound: isValidEntry(entry) }
  })
  const place = ({ kind }: StoredEntry): number => entryKinds.indexOf(kind)
  return entries.toSorted((a, b) => place(a) - place(b) || compareStrings(a.key, b.key))
}

/** Something that stands in the place of a file of the index, and is none, hides all the others: it is removed. */
async function readIndex(root: string) {
  try {
    return Object.values(await cacache.ls(root))
  } catch {
    const all = await glob(storePatterns.index, {
      cwd: root,
      absolute: true,
      onlyFiles: false,
      followSymbolicLinks: false,
      stats: true,
    })
    for (const { path, stats } of all) if (!stats?.isFile()) await rm(path, { recursive: true, force: true })
    return Object.values(await cacache.ls(root))
  }
}

/** Of a link itself. */
export function factsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}
