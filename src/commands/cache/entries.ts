import { type CheckedFolders, contentPath, describeKey, type KeyDescription } from '../../disk/cache-layout.js'
import { statsOf } from '../../disk/stats.js'
import { readIndex } from '../../files/store-index.js'
import { compareStrings } from '../../text/compare.js'
import { omitUndefined } from '../../text/omit-undefined.js'

export const entryKinds = [
  'original',
  'cut',
  'conversion',
  'snapshot',
  'preview',
  'derived',
  'other',
] as const satisfies KeyDescription['kind'][]

export interface CacheEntry extends KeyDescription {
  /** The name of the asset or kit, or of a conversion's source, if a snapshot in the cache contains it. */
  name?: string
  /** The space of the source of a conversion, if the source is in the cache. */
  sourceSpace?: string
  /** In bytes. */
  size: number
  integrity: string
  /**
   * When the entry was last read, or last written if the disk doesn't record reads; ISO 8601. Absent if its content is
   * missing.
   */
  used?: string
}

export interface StoredEntry extends CacheEntry {
  key: string
  /** Absolute path of the content. Several entries may share it. */
  path: string
}

/** Reads every entry of a cache, sorted by kind and key. Returns an empty list if the cache doesn't exist. */
export function readEntries(cacheDir: string): StoredEntry[] {
  const checked: CheckedFolders = new Map()
  const entries = readIndex(cacheDir).map(({ key, integrity, size }): StoredEntry => {
    const path = contentPath(cacheDir, integrity, checked)
    const stats = statsOf(path)
    const used = stats && new Date(Math.max(stats.atimeMs, stats.mtimeMs)).toISOString()
    return { ...describeKey(key), size, integrity, ...omitUndefined({ used }), key, path }
  })
  const rank = ({ kind }: StoredEntry): number => entryKinds.indexOf(kind)
  return entries.toSorted((a, b) => rank(a) - rank(b) || compareStrings(a.key, b.key))
}
