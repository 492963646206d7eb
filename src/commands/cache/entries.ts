import { lstatSync, type Stats } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import cacache from 'cacache'
import glob from 'fast-glob'
import { isSound, storeFolder } from '../../files/shelf.js'
import { compareStrings } from '../../text/compare.js'

/** What cache entries are, by the first part of their keys. */
const kinds = { file: 'original', made: 'conversion', 'kit-v1': 'snapshot' } as const

export const entryKinds = ['original', 'cut', 'conversion', 'snapshot', 'other'] as const

export interface CacheEntry {
  kind: (typeof entryKinds)[number]
  /** What it is of: the uuid of an asset or a kit; of a conversion, the `sha256-…` that it was made from. */
  of: string
  /** A cut's type, a kit's version, a conversion's recipe. */
  detail?: string
  /** The space: address and space id, never with credentials. */
  space?: string
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

/** The folder of the store in a cache. */
export function storeRoot(cacheDir: string): string {
  return join(cacheDir, storeFolder)
}

/** Every entry of a cache, by kind, then by key; none where there is no cache. */
export async function readEntries(cacheDir: string): Promise<StoredEntry[]> {
  const found = await readIndex(storeRoot(cacheDir))
  const entries = found.map((entry): StoredEntry => {
    const { key, path, size, integrity } = entry
    const facts = factsOf(path)
    const used = facts && { used: new Date(Math.max(facts.atimeMs, facts.mtimeMs)).toISOString() }
    return { ...readKey(key), size, integrity, ...used, key, path, sound: isSound(entry) }
  })
  const place = ({ kind }: StoredEntry): number => entryKinds.indexOf(kind)
  return entries.toSorted((a, b) => place(a) - place(b) || compareStrings(a.key, b.key))
}

/** Something that stands in the place of a file of the index, and is none, hides all the others: it is removed. */
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

/** Of a link itself. */
export function factsOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false })
}

function readKey(key: string): Pick<StoredEntry, 'kind' | 'of' | 'detail' | 'space'> {
  const [first = '', ...parts] = key.split('\n')
  const [one = '', two = '', three, four] = parts
  switch (Object.entries(kinds).find(([prefix]) => prefix === first)?.[1]) {
    case 'original':
      return {
        kind: four === 'original' ? 'original' : 'cut',
        of: two,
        ...(four === 'original' || four === undefined ? {} : { detail: four }),
        space: one,
      }
    case 'conversion':
      return { kind: 'conversion', of: one, detail: two }
    case 'snapshot':
      return { kind: 'snapshot', of: two, ...(three === undefined ? {} : { detail: three }), space: one }
    default:
      return { kind: 'other', of: first }
  }
}
