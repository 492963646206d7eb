import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { indexPath } from '../disk/cache-layout.js'
import { hasCode } from '../disk/file-error.js'

/** An entry of the index: which content a key has. */
export interface IndexEntry {
  key: string
  integrity: string
  size?: number
  metadata?: unknown
}

/**
 * Returns the entry of a key. The format is that of cacache, which is loaded only to write: with its dependencies, it
 * is a hundred modules. A file has a line for each entry, `<sha1 of the JSON>\t<JSON>`. The last one of a key counts.
 */
export async function readIndexEntry(cacheDir: string, key: string): Promise<IndexEntry | undefined> {
  const lines = await readLines(indexPath(cacheDir, key))
  for (const line of lines.toReversed()) {
    const [sha1, json] = line.split('\t')
    const value: unknown = json !== undefined && hash('sha1', json, 'hex') === sha1 ? parse(json) : undefined
    if (isEntry(value) && value.key === key) return typeof value.integrity === 'string' ? value : undefined
  }
  return undefined
}

async function readLines(path: string): Promise<string[]> {
  try {
    return (await readFile(path, 'utf8')).split('\n')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** An entry without a hash says that an earlier one was removed. */
function isEntry(value: unknown): value is IndexEntry {
  return typeof value === 'object' && value !== null && 'key' in value && 'integrity' in value
}
