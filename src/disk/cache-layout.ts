import { hash } from 'node:crypto'
import { join } from 'node:path'
import { attempt } from '../async/attempt.js'
import { ContentSpaceError } from '../errors.js'
import { statsOf } from './stats.js'

/**
 * The layout of the cache folder and the keys of its entries. No other module depends on them. Requesting a path behind
 * a linked folder of the cache is an error, so that files outside aren't read, replaced or removed. The cache folder
 * itself may be a link.
 *
 *     <cacheDir>/
 *       files-v3/                  the store
 *         content/9/f86d081884c…   content, by the SHA-256 of its bytes
 *         index/3                  entries, by the start of the SHA-256 of their key: a line each
 *         tmp/0d3c9a62-…           content that is not verified yet
 *       making/8c1f…               locks of downloads and conversions
 *       pulling/77ab…              locks of folders that `pull` and `mirror` write
 *       rate/03fe….json            requests of the last seconds, for the rate limit
 *       cleared-5b1e…              folders that `cache clear` couldn't remove completely
 *
 * A key is a list of lines:
 *
 *     original     file, space, asset, revision, original, SVG
 *     cut          file, space, asset, revision, PNG
 *     conversion   made, sha256-n4bQ…=, {"format":"webp","kind":"raster",…}, sharp@0.35.5
 *     snapshot     kit-v6, space, kit, version
 *     derived      derived-v1, space, inputs
 *     preview      preview, space, asset, revision, https://api.example.com/thumbnails/…
 *
 * where `inputs` is a digest of the project's folder and options, `space` is its address and id
 * (`https://api.example.com/ 7`), and `revision` is the `file_hash` of the asset.
 */

/** Increment it when the format of the store changes. `cache prune` removes the files of other versions. */
const store = 'files-v3'

/** Increment it when the structure of snapshots changes. */
const snapshot = 'kit-v6'

/** Increment it when the structure of derived values changes. */
const derived = 'derived-v1'

/** Folders of a cache that weren't links when they were last checked, by their path in the cache. */
export type CheckedFolders = Map<string, { folder: string; at: number }>

/** @param checked avoids checking the same folders for each file */
export function contentPath(cacheDir: string, integrity: string, checked?: CheckedFolders): string {
  const hex = Buffer.from(integrity.slice('sha256-'.length), 'base64').toString('hex')
  return join(folderIn(cacheDir, `${store}/content/${hex.slice(0, 1)}`, checked), hex.slice(1))
}

/** Returns the index file that contains the entry of a key, along with many others. */
export function indexPath(cacheDir: string, key: string, checked?: CheckedFolders): string {
  return join(indexFolder(cacheDir, checked), sha256(key).slice(0, 1))
}

export function indexFolder(cacheDir: string, checked?: CheckedFolders): string {
  return folderIn(cacheDir, `${store}/index`, checked)
}

/** Checks whether a name in `indexFolder` belongs to an index file. */
export function isIndexName(name: string): boolean {
  return /^[\da-f]$/.test(name)
}

export function unverifiedFolder(cacheDir: string, checked?: CheckedFolders): string {
  return folderIn(cacheDir, `${store}/tmp`, checked)
}

/** Returns the lock file of a download or a conversion. @param name a key, or `conversionLock` */
export function makingLockPath(cacheDir: string, name: string, checked?: CheckedFolders): string {
  return join(folderIn(cacheDir, 'making', checked), sha256(name))
}

/** Returns the lock file of a folder outside the cache. */
export function folderLockPath(cacheDir: string, folder: string): string {
  return join(folderIn(cacheDir, 'pulling'), sha256(folder))
}

export function rateFolder(cacheDir: string): string {
  return folderIn(cacheDir, 'rate')
}

/** @throws ContentSpaceError `fileSystem` if any folder of the cache is a link */
export function requireNoLinks(cacheDir: string): void {
  for (const folder of ['making', 'pulling', 'rate']) folderIn(cacheDir, folder)
  for (const folder of ['index', 'tmp']) folderIn(cacheDir, `${store}/${folder}`)
  for (const digit of '0123456789abcdef') folderIn(cacheDir, `${store}/content/${digit}`)
}

/**
 * Milliseconds for which the check of a folder counts. Checks are for links that others have put into the cache, such
 * as in an archive that CI restores, and not for links that appear between a check and the use of a path: only this
 * user can write to the folder. A process that runs for days still notices a link.
 */
const trusted = 1000

/**
 * Returns a folder of the cache.
 * @param path relative to the cache, with forward slashes
 * @throws ContentSpaceError `fileSystem` if the folder, or a parent in the cache, is a link
 */
function folderIn(cacheDir: string, path: string, checked?: CheckedFolders): string {
  const now = performance.now()
  const known = checked?.get(path)
  if (known && now - known.at < trusted) return known.folder
  let folder = cacheDir
  let isFolder = false
  for (const name of path.split('/')) {
    folder = join(folder, name)
    const one = folder
    // Treats unreadable files as missing, because the cache is optional.
    const stats = attempt(() => statsOf(one))
    if (stats?.isSymbolicLink()) throw linkError(one)
    isFolder = stats?.isDirectory() === true
  }
  // Something else may appear where a folder is missing.
  if (isFolder) checked?.set(path, { folder, at: now })
  return folder
}

function linkError(path: string): ContentSpaceError {
  return new ContentSpaceError('fileSystem', `${path} is a link. The cache does not follow links.`, {
    hint: 'Remove the link, or run `npx content-space cache clear`, which keeps what it points to.',
  })
}

/** Returns the path that a folder of the cache is renamed to before it is removed. */
export function clearedPath(cacheDir: string, id: string): string {
  return join(cacheDir, `cleared-${id}`)
}

/** Checks whether a name in the cache folder belongs to any version of this package. */
export function isCacheName(name: string): boolean {
  return /^(?:files-v\d+|making|pulling|rate|cleared-[\da-f-]+)$/.test(name)
}

/** Glob patterns, relative to the cache folder. */
export const cachePatterns = {
  content: [`${store}/content/**`],
  /** Files that exist only while a process is working. */
  temporary: ['files-v*/tmp/**', `${store}/index/*.*`, 'making/**', 'pulling/**'],
  /** The stores of other versions of this package. */
  others: ['files-v*/**', `!${store}/**`, '!files-v*/tmp/**'],
}

interface OriginalKey {
  /** Address and id of the space. */
  space: string
  /** uuid. */
  asset: string
  /** `file_hash` or a date; undefined if the space lists neither. */
  revision: string | undefined
  /** The type of a cut; undefined for the original. */
  cut: string | undefined
  /** The listed type of the original, which downloads are checked against. */
  type: string
}

const unhashed = 'unhashed'

export function originalKey({ space, asset, revision, cut, type }: OriginalKey): string {
  return ['file', space, asset, revision ?? unhashed, ...(cut === undefined ? ['original', type] : [cut])].join('\n')
}

/**
 * The key of a conversion.
 * @param key.source `sha256-…` of the bytes that are converted
 * @param key.recipe as `writeRecipe` writes it
 * @param key.versions names and versions of the libraries that the bytes depend on
 */
export function conversionKey({ source, recipe, versions }: Record<'source' | 'recipe' | 'versions', string>): string {
  return [conversionLock(source), recipe, versions].join('\n')
}

/** Returns the name of the lock for all conversions of one source, because they share its download and its pixels. */
export function conversionLock(source: string): string {
  return ['made', source].join('\n')
}

export interface VersionKey {
  space: string
  /** uuid. */
  kit: string
  version: number
}

/** The key of the last listing of a version of a kit. */
export function snapshotKey({ space, kit, version }: VersionKey): string {
  return [snapshot, space, kit, version].join('\n')
}

/** @param key.url the URL from which the preview is requested */
export function previewKey({ space, asset, revision, url }: Omit<OriginalKey, 'cut' | 'type'> & { url: string }) {
  return ['preview', space, asset, revision ?? unhashed, url].join('\n')
}

/** Returns the key of derived values. @param inputs JSON data that all values depend on */
export function derivedKey({ space, inputs }: { space: string; inputs: unknown }): string {
  return [derived, space, sha256(JSON.stringify(inputs))].join('\n')
}

export interface KeyDescription {
  kind: 'original' | 'cut' | 'conversion' | 'snapshot' | 'preview' | 'derived' | 'other'
  /** The uuid of the asset or kit; for a conversion, the `sha256-…` of its source. */
  of: string
  /** The type of a cut, the version of a kit, the recipe of a conversion. */
  detail?: string
  /** Address and id of the space. */
  space?: string
}

/** Parses a key. Returns the kind `other` for keys that this version doesn't write. */
export function describeKey(key: string): KeyDescription {
  const [prefix = '', first = '', second = '', third, fourth] = key.split('\n')
  switch (prefix) {
    case 'file': {
      const cut = fourth === undefined || fourth === 'original' ? {} : { detail: fourth }
      return { kind: fourth === 'original' ? 'original' : 'cut', of: second, ...cut, space: first }
    }
    case 'preview':
      return { kind: 'preview', of: second, space: first }
    case 'made':
      return { kind: 'conversion', of: first, detail: second }
    case snapshot:
      return { kind: 'snapshot', of: second, ...(third !== undefined && { detail: third }), space: first }
    case derived:
      return { kind: 'derived', of: second, space: first }
    default:
      return { kind: 'other', of: prefix }
  }
}

function sha256(text: string): string {
  return hash('sha256', text, 'hex')
}
