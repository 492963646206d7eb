import { hash, randomUUID } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../async/attempt.js'
import { type CheckedFolders, indexFolder, indexPath, isIndexName } from '../disk/cache-layout.js'
import type { ContentInfo } from '../disk/content.js'
import { statsOf } from '../disk/stats.js'
import { jsonOf } from '../text/json.js'

/** The content that belongs to a key. */
export interface IndexEntry extends ContentInfo {
  key: string
}

export type StoreIndex = ReturnType<typeof openStoreIndex>

/** A file of the index, as last read. */
interface Shard {
  ino: number
  mtimeMs: number
  size: number
  /** The last line of each key, by the key as JSON. */
  lines: Map<string, string>
}

/**
 * Opens the index of the store: 16 files to which processes append lines. A line is
 *
 *     <checksum of the rest>\t<integrity>\t<size>\t<key as JSON>
 *
 * The last line of a key counts. A line that is incomplete, edited, or mixed with another line doesn't match its
 * checksum and is ignored, so its content is downloaded or made again.
 *
 * One file per key would be simpler, but creating a file and its folders takes much longer than appending a line. Lines
 * aren't flushed to the disk: if a process is killed, no lines are lost, and content whose lines are lost in a power
 * failure is downloaded again.
 * @param cacheDir absolute path
 */
export function openStoreIndex(cacheDir: string, checked: CheckedFolders = new Map()) {
  const shards = new Map<string, Shard>()

  /** Finds an entry, even if another process has just added it. Throws if the file can't be read. */
  function find(key: string): IndexEntry | undefined {
    const path = indexPath(cacheDir, key, checked)
    const shard = readShard(path, shards.get(path))
    if (shard) shards.set(path, shard)
    const line = shard?.lines.get(JSON.stringify(key))
    return line === undefined ? undefined : parseLine(line)
  }

  return {
    find,
    /** Throws if the file can't be written. */
    add(entry: IndexEntry): void {
      const path = indexPath(cacheDir, entry.key, checked)
      // Don't read the file again if it didn't have the key when it was last read. Another process may have added the
      // same entry since, and then the file has two equal lines.
      const isNew = shards.get(path)?.lines.has(JSON.stringify(entry.key)) === false
      const known = isNew ? undefined : find(entry.key)
      if (known?.integrity === entry.integrity && known.size === entry.size) return
      const shard = append(path, formatLine(entry), shards.get(path))
      if (shard) shards.set(path, shard)
    },
  }
}

const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW } = constants
/** Don't follow a link that may have just replaced the file. Windows doesn't support O_NOFOLLOW, so it is 0 there. */
const appending = O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW

/**
 * Adds a line to a file of the index.
 * @param known the file as last read
 * @returns the file with the added line; undefined if another process has changed the file since
 */
function append(path: string, line: string, known: Shard | undefined): Shard | undefined {
  const file = openSync(path, appending, 0o600)
  try {
    // A single appending write isn't interleaved with writes by other processes.
    appendFileSync(file, line)
    const { ino, mtimeMs, size } = fstatSync(file)
    if (size - Buffer.byteLength(line) !== (known?.size ?? 0) || (known && known.ino !== ino)) return undefined
    return { ino, mtimeMs, size, lines: addLines(known?.lines ?? new Map(), line) }
  } finally {
    closeSync(file)
  }
}

/**
 * Reads all entries of an index. Removes a folder or link that exists in place of a file.
 * @param cacheDir absolute path
 */
export function readIndex(cacheDir: string): IndexEntry[] {
  const folder = indexFolder(cacheDir)
  const names = attempt(() => readdirSync(folder)) ?? []
  return names.filter(isIndexName).flatMap((name) => {
    const path = join(folder, name)
    if (statsOf(path)?.isFile() === false) rmSync(path, { recursive: true, force: true })
    return readEntries(path)
  })
}

function readEntries(path: string): IndexEntry[] {
  return [...(readShard(path, undefined)?.lines.values() ?? [])].flatMap((line) => parseLine(line) ?? [])
}

/**
 * Removes entries and invalid or outdated lines from an index. If another process adds a line at the same time, the
 * line may be lost, so its content is downloaded or made again.
 * @param cacheDir absolute path
 */
export function removeFromIndex(cacheDir: string, entries: readonly { key: string }[]): void {
  const removed = new Set(entries.map(({ key }) => key))
  for (const path of new Set([...removed].map((key) => indexPath(cacheDir, key)))) {
    const kept = readEntries(path).filter(({ key }) => !removed.has(key))
    const temporary = `${path}.${randomUUID()}`
    writeFileSync(temporary, kept.map(formatLine).join(''), { mode: 0o600 })
    renameSync(temporary, path)
  }
}

/**
 * Reads a file of the index if it has changed.
 * @returns undefined if it doesn't exist
 */
function readShard(path: string, known: Shard | undefined): Shard | undefined {
  const stats = statsOf(path)
  if (!stats) return undefined
  if (!stats.isFile()) throw new Error(`${path} is not a file.`)
  const { ino, mtimeMs, size } = stats
  if (known?.ino === ino && known.size === size && known.mtimeMs === mtimeMs) return known
  return { ino, mtimeMs, size, lines: addLines(new Map(), readFileSync(path, 'utf8')) }
}

function addLines(lines: Map<string, string>, text: string): Map<string, string> {
  for (const line of text.split('\n')) {
    const key = line.split('\t', 4)[3]
    if (key !== undefined) lines.set(key, line)
  }
  return lines
}

/** Begins with a line break, so that the line isn't appended to an incomplete one. */
function formatLine({ key, integrity, size }: IndexEntry): string {
  const rest = [integrity, size, JSON.stringify(key)].join('\t')
  return `\n${checksum(rest)}\t${rest}`
}

/** @returns undefined if the line is incomplete or edited */
function parseLine(line: string): IndexEntry | undefined {
  const end = line.indexOf('\t')
  const rest = line.slice(end + 1)
  if (line.slice(0, end) !== checksum(rest)) return undefined
  const [integrity = '', size, json = ''] = rest.split('\t')
  const key = jsonOf(json)
  if (typeof key !== 'string' || !/^sha256-[A-Za-z0-9+/]{43}=$/.test(integrity)) return undefined
  return { key, integrity, size: Number(size) }
}

function checksum(text: string): string {
  return hash('sha256', text, 'base64url')
}
