import { lstatSync, type Stats } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import cacache from 'cacache'
import glob from 'fast-glob'
import { isSound, storeFolder } from '../../files/shelf.js'
import { compareStrings } from '../../text/compare.js'
import { omitUndefined } from '../../text/omit-undefined.js'

/** Kinds of entries by the first line of their keys. */
const kinds = { file: 'original', made: 'conversion', 'kit-v1': 'snapshot' } as const

export const entryKinds = ['original', 'cut', 'conversion', 'snapshot', 'other'] as const

/** An entry of the cache. */
export interface CacheEntry {
  kind: (typeof entryKinds)[number]
  /** Uuid of the asset or kit. For a conversion: the `sha256-…` of the file that it was made from. */
  of: string
  /** Type of a cut, version of a kit, or recipe of a conversion. */
  detail?: string
  /** Address and id of the space, without credentials. */
  space?: string
  /** Bytes. */
  size: number
  integrity: string
  /**
   * When the entry was last read, or written if the disk does not record reads; ISO 8601. Absent if its content is
   * missing.
   */
  used?: string
}

/** An entry, and its place on the disk. */
export interface StoredEntry extends CacheEntry {
  key: string
  /** Absolute path of the content. Several entries may share it. */
  path: string
  /** Whether the entry is as it was written. */
  sound: boolean
}

/** Returns the folder of the store in a cache. */
export function storeRoot(cacheDir: string): string {
  return join(cacheDir, storeFolder)
}

/** Reads every entry of a cache, sorted by kind and key. Returns none if there is no cache. */
export async function readEntries(cacheDir: string): Promise<StoredEntry[]> {
  const found = await readIndex(storeRoot(cacheDir))
  const entries = found.map((entry): StoredEntry => {
    const { key, path, size, integrity } = entry
    const stats = statsOf(path)
    const used = stats && new Date(Math.max(stats.atimeMs, stats.mtimeMs)).toISOString()
    return { ...readKey(key), size, integrity, ...omitUndefined({ used }), key, path, sound: isSound(entry) }
  })
  const rank = ({ kind }: StoredEntry): number => entryKinds.indexOf(kind)
  return entries.toSorted((a, b) => rank(a) - rank(b) || compareStrings(a.key, b.key))
}

/** Reads the index. Reading fails if anything but a file is in the place of an index file, which is removed then. */
async function readIndex(root: string) {
  try {
    return Object.values(await cacache.ls(root))
  } catch {
    const all = await glob('index-v5/*/*/*', {
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

/** Returns the stats of a path, of a link itself; undefined if nothing is there. */
export function statsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

function readKey(key: string): Pick<StoredEntry, 'kind' | 'of' | 'detail' | 'space'> {
  const [first = '', one = '', two = '', three, four] = key.split('\n')
  switch (Object.entries(kinds).find(([prefix]) => prefix === first)?.[1]) {
    case 'original': {
      const cut = four === 'original' ? undefined : four
      return { kind: four === 'original' ? 'original' : 'cut', of: two, ...omitUndefined({ detail: cut }), space: one }
    }
    case 'conversion':
      return { kind: 'conversion', of: one, detail: two }
    case 'snapshot':
      return { kind: 'snapshot', of: two, ...omitUndefined({ detail: three }), space: one }
    default:
      return { kind: 'other', of: first }
  }
}
