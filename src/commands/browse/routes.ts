import { readFile } from 'node:fs/promises'
import { ownFile } from '../../disk/own-file.js'
import { canonicalUuid } from '../../space/uuid.js'
import { isKeyOf } from '../../text/keys.js'

export interface AssetPlace {
  /** Uuid. */
  kit: string
  version: number
  /** Uuid. */
  asset: string
}

export type Route =
  | { kind: 'page'; file: PageFile }
  | { kind: 'project' | 'usage' | 'copies' | 'drift' | 'events' | 'open' }
  | { kind: 'kit'; kit: string; version: number }
  | ({ kind: 'preview' | 'original' } & AssetPlace)
  | { kind: 'cover'; kit: string }
  | { kind: 'query'; id: string }

export const pageFiles = {
  'index.html': 'text/html; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'app.css': 'text/css; charset=utf-8',
  'licenses.txt': 'text/plain; charset=utf-8',
} as const

export type PageFile = keyof typeof pageFiles

/** Reads a file of the page, which is built beside the code of this package. */
export function readPageFile(name: PageFile): Promise<Buffer> {
  return readFile(ownFile(`browser/${name}`))
}

const dataNames = ['project', 'usage', 'copies', 'drift'] as const
const kitPath = /^data\/kits\/([\dA-Fa-f-]{36})\/(\d{1,15})\.json$/
const coverPath = /^covers\/([\dA-Fa-f-]{36})\/[\da-f]{1,16}$/
const picturePath = /^(preview|original)s\/([\dA-Fa-f-]{36})\/(\d{1,15})\/([\dA-Fa-f-]{36})\/[\da-f]{1,16}$/

/**
 * Parses a path. Doesn't decode it or join it with a path on disk. Rejects anything that isn't exactly one of the forms
 * below.
 * @param path below the kit browser, without a leading slash: `data/project.json`
 * @param query with the question mark, or empty
 */
export function readRoute(path: string, query: string): Route | undefined {
  if (path === '') return { kind: 'page', file: 'index.html' }
  if (isKeyOf(pageFiles, path)) return { kind: 'page', file: path }
  if (path === 'events' || path === 'open') return { kind: path }
  if (path === 'query') return { kind: 'query', id: new URLSearchParams(query).get('id') ?? '' }
  const name = dataNames.find((one) => path === `data/${one}.json`)
  if (name !== undefined) return { kind: name }
  const cover = canonicalUuid(coverPath.exec(path)?.[1] ?? '')
  return cover === undefined ? (readKitRoute(path) ?? readPicture(path)) : { kind: 'cover', kit: cover }
}

function readKitRoute(path: string): Route | undefined {
  const [, text = '', version] = kitPath.exec(path) ?? []
  const uuid = canonicalUuid(text)
  return uuid === undefined ? undefined : { kind: 'kit', kit: uuid, version: Number(version) }
}

function readPicture(path: string): Route | undefined {
  const [, kind, kitText = '', version, assetText = ''] = picturePath.exec(path) ?? []
  const [kitUuid, asset] = [canonicalUuid(kitText), canonicalUuid(assetText)]
  if ((kind !== 'preview' && kind !== 'original') || kitUuid === undefined || asset === undefined) return undefined
  return { kind, kit: kitUuid, version: Number(version), asset }
}

/**
 * Returns the part of the page's URL that selects a kit: `#/brand/2`.
 * @param kit as in ids: alias, slug or uuid, with an optional `@<version>`
 */
export function kitFragment(kit: string): string {
  const at = kit.lastIndexOf('@')
  const [name, version] = at === -1 ? [kit, 'use'] : [kit.slice(0, at), kit.slice(at + 1)]
  return `#/${[name, ...(version === 'use' ? [] : [version])].map(encodeURIComponent).join('/')}`
}
