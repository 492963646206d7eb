import { ContentSpaceError } from '../../errors.js'
import { decode } from '../../space/http/credentials.js'
import type { StoredAsset } from '../../space/folder/model.js'
import { readAssetBytes, resolveCutType } from '../../space/folder/bytes.js'
import type { FolderReader } from '../../space/folder/cached-read.js'
import {
  findKit,
  findSection,
  findVersion,
  kitResult,
  kitsResult,
  outlineResult,
  revisionOf,
  sectionResult,
  type Addresses,
} from '../../space/folder/to-wire.js'
import { failure, file, success, type Response } from './response.js'
import { revisionHeader } from '../../space/space.js'
import { canonicalUuid } from '../../space/uuid.js'

/** What routes answer from. */
export interface Service {
  reader: FolderReader
  addresses: Addresses
  /** The signed address of an original or a cut. */
  fileAddress(asset: StoredAsset, type: string): string
  /**
   * Hash of each asset's file as a section last showed it. A download names no version: what a client has listed is
   * what it means, where versions have different files.
   */
  shown: Map<string, string>
  pageBase: 0 | 1
  downloads: 'bytes' | 'redirect' | 'url'
  /** Takes one download of the rate limit. Returns 0, or the seconds to wait when none is left. */
  takeDownload(): number
}

type Handler = (service: Service, id: string, query: URLSearchParams) => Promise<Response>

/** The endpoints of the interface, without `/1` in front and without a slash behind. */
const routes = {
  kits: { path: /^\/kits$/, answer: kits },
  kit: { path: /^\/kits\/([^/]+)$/, answer: kit },
  outline: { path: /^\/kits\/([^/]+)\/outline$/, answer: outline },
  section: { path: /^\/sections\/([^/]+)$/, answer: section },
  download: { path: /^\/assets\/([^/]+)\/download$/, answer: download },
} as const satisfies Record<string, { path: RegExp; answer: Handler }>

export type RouteName = keyof typeof routes

function isRouteName(name: string): name is RouteName {
  return Object.hasOwn(routes, name)
}

export const routeNames = Object.keys(routes).filter(isRouteName)

export interface Route {
  name: RouteName
  answer(service: Service, query: URLSearchParams): Promise<Response>
}

/** @returns undefined for a path that the interface does not know */
export function findRoute(pathname: string): Route | undefined {
  const path = pathname.replace(/^\/1(?=\/)/, '').replace(/\/+$/, '')
  for (const name of routeNames) {
    const match = routes[name].path.exec(path)
    if (match) return { name, answer: (service, query) => routes[name].answer(service, decode(match[1] ?? ''), query) }
  }
  return undefined
}

async function kits({ reader, addresses }: Service): Promise<Response> {
  return success(kitsResult(await reader.now(), addresses))
}

async function kit({ reader, addresses }: Service, id: string, query: URLSearchParams): Promise<Response> {
  const found = findKit(await reader.now(), id)
  // known clients of the interface spell it `options`
  const include = given(query, 'include') ?? given(query, 'options') ?? ''
  if (include !== '' && include !== 'versions' && include !== 'use_versions') {
    throw new ContentSpaceError('invalidParams', '`include` is `versions`, `use_versions` or empty.')
  }
  return success(kitResult(found, include, addresses), { [revisionHeader]: revisionOf(found) })
}

async function outline({ reader }: Service, id: string, query: URLSearchParams): Promise<Response> {
  const found = findKit(await reader.now(), id)
  return success(outlineResult(findVersion(found, versionOf(query))))
}

async function section(
  { reader, addresses, pageBase, shown }: Service,
  id: string,
  query: URLSearchParams,
): Promise<Response> {
  const limit = integer(query, 'limit', { least: 0, most: 200 }) ?? 50
  const page = (integer(query, 'page', { least: pageBase }) ?? pageBase) - pageBase
  const found = findSection(await reader.now(), id, versionOf(query))
  const items = found.items.slice(page * limit, (page + 1) * limit)
  for (const { asset } of items) if (asset?.file) shown.set(asset.uuid, asset.file.hash)
  return success(sectionResult(found, items, addresses))
}

async function download(service: Service, id: string, query: URLSearchParams): Promise<Response> {
  const { content, asset } = await service.reader.asset(id, service.shown.get(canonicalUuid(id) ?? ''))
  const wanted = given(query, 'type')
  const type = resolveCutType(asset, wanted)
  const seconds = service.takeDownload()
  if (seconds > 0) return failure('rateLimited', 'Too many downloads.', { 'retry-after': String(seconds) })
  if (service.downloads === 'redirect' && query.get('response') !== 'json') {
    return { status: 302, headers: { location: service.fileAddress(asset, type) }, body: Buffer.alloc(0) }
  }
  if (service.downloads === 'url' || query.get('response') === 'json') {
    return success({ url: service.fileAddress(asset, type) })
  }
  const found = await readAssetBytes(content, asset, wanted)
  return file(found.type, found.bytes)
}

/** Both spellings appear in the interface; they must not contradict each other. */
function versionOf(query: URLSearchParams): number {
  const long = integer(query, 'version', { least: 0 })
  const short = integer(query, 'v', { least: 0 })
  if (long !== undefined && short !== undefined && long !== short) {
    throw new ContentSpaceError('invalidParams', '`version` and `v` contradict each other.')
  }
  return long ?? short ?? 0
}

function integer(query: URLSearchParams, name: string, bounds: { least: number; most?: number }): number | undefined {
  const { least, most = Number.MAX_SAFE_INTEGER } = bounds
  const text = given(query, name)
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`
  throw new ContentSpaceError('invalidParams', `\`${name}\` is an integer ${range}.`)
}

/** Clients that build addresses from empty variables send `null` or nothing. */
function given(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  return text === null || text === '' || text === 'null' ? undefined : text
}
