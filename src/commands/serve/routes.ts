import { ContentSpaceError } from '../../errors.js'
import { decodeOrKeep } from '../../space/http/credentials.js'
import type { FolderContent, StoredAsset, StoredItem } from '../../space/folder/model.js'
import { readAssetBytes, resolveCutType } from '../../space/folder/bytes.js'
import type { FolderReader } from '../../space/folder/cached-read.js'
import * as records from '../../space/folder/to-wire.js'
import { durationText } from '../../text/quantities.js'
import { limitHeaders, type Allowance } from './rate-limit.js'
import { failure, file, success, type Response } from './response.js'
import { revisionHeader, writeCut } from '../../space/space.js'
import { canonicalUuid } from '../../space/uuid.js'
import { keysOf } from '../../text/keys.js'

export interface Service {
  reader: FolderReader
  served: records.ServedFields
  fileUrl(asset: StoredAsset, cut: string): string
  /**
   * The hash of each asset's file in the last listing. If versions have different files and a client doesn't name the
   * file with `revisionHeader`, the client gets the file that was listed last.
   */
  shown: Map<string, string>
  pageBase: 0 | 1
  downloads: 'bytes' | 'redirect' | 'url'
  /** Counts one download. Absent without a limit. */
  takeDownload?: (() => Allowance) | undefined
}

/** @param revision the `revisionHeader` of the request */
type Handler = (service: Service, id: string, query: URLSearchParams, revision?: string) => Promise<Response>

const routes = {
  kits: { path: /^\/kits$/, respond: kits },
  kit: { path: /^\/kits\/([^/]+)$/, respond: kit },
  outline: { path: /^\/kits\/([^/]+)\/outline$/, respond: outline },
  section: { path: /^\/sections\/([^/]+)$/, respond: section },
  item: { path: /^\/items\/([^/]+)$/, respond: item },
  fields: { path: /^\/fields()$/, respond: fields },
  download: { path: /^\/assets\/([^/]+)\/download$/, respond: download },
} as const satisfies Record<string, { path: RegExp; respond: Handler }>

export type RouteName = keyof typeof routes

export const routeNames = keysOf(routes)

export interface Route {
  name: RouteName
  respond(service: Service, query: URLSearchParams, revision: string | undefined): Promise<Response>
}

/** Finds the endpoint for a path. @returns undefined for an unknown path */
export function findRoute(pathname: string): Route | undefined {
  const path = pathname.replace(/^\/1(?=\/)/, '').replace(/\/+$/, '')
  for (const name of routeNames) {
    const match = routes[name].path.exec(path)
    if (match) {
      const id = decodeOrKeep(match[1] ?? '')
      return { name, respond: (service, query, revision) => routes[name].respond(service, id, query, revision) }
    }
  }
  return undefined
}

async function kits({ reader, served }: Service): Promise<Response> {
  return success(records.kitsResult(await reader.now(), served))
}

async function kit({ reader, served }: Service, id: string, query: URLSearchParams): Promise<Response> {
  const found = records.findKit(await reader.now(), id)
  // Some clients call this parameter `options`.
  const include = given(query, 'include') ?? given(query, 'options') ?? ''
  if (include !== '' && include !== 'versions' && include !== 'use_versions') {
    throw new ContentSpaceError('invalidParams', '`include` must be `versions`, `use_versions` or empty.')
  }
  return success(records.kitResult(found, include, served), { [revisionHeader]: records.revisionOf(found) })
}

async function outline({ reader, served }: Service, id: string, query: URLSearchParams): Promise<Response> {
  const found = records.findKit(await reader.now(), id)
  return success(records.outlineResult(records.findVersion(found, versionInQuery(query)), served))
}

async function section(service: Service, id: string, query: URLSearchParams): Promise<Response> {
  const found = records.findSection(await service.reader.now(), id, versionInQuery(query))
  return success(records.sectionResult(found, pageOf(found.items, service, query), service.served))
}

async function item(service: Service, id: string, query: URLSearchParams): Promise<Response> {
  const include = given(query, 'include')
  if (include !== undefined && include !== 'items') {
    throw new ContentSpaceError('invalidParams', '`include` must be `items` or empty.')
  }
  const { members, ...found } = records.findItem(await service.reader.now(), id, versionInQuery(query))
  const items = include && members && pageOf(members, service, query)
  return success(records.itemResult(found, items || undefined, service.served))
}

async function fields({ reader }: Service): Promise<Response> {
  return success(records.fieldsResult(await reader.now()))
}

/** Returns the requested page of items, and records the files in it. */
function pageOf(all: readonly StoredItem[], { pageBase, shown }: Service, query: URLSearchParams): StoredItem[] {
  const limit = integer(query, 'limit', { least: 0, most: 200 }) ?? 50
  const page = (integer(query, 'page', { least: pageBase }) ?? pageBase) - pageBase
  const items = all.slice(page * limit, (page + 1) * limit)
  for (const { asset } of items) if (asset?.file) shown.set(asset.uuid, asset.file.hash)
  return items
}

async function download(service: Service, id: string, query: URLSearchParams, revision?: string): Promise<Response> {
  const found = await service.reader.asset(id, revision ?? service.shown.get(canonicalUuid(id) ?? ''))
  const type = resolveCutType(found.asset, given(query, 'type'))
  const dpi = integer(query, 'dpi', { least: 1, most: 2400 })?.toString()
  const cut = writeCut({ type, dimensions: dimensionsOf(query), dpi })
  const allowance = service.takeDownload?.()
  const limits = allowance ? limitHeaders(allowance) : {}
  if (allowance?.isOver) {
    const message = `Too many downloads. Try again in ${durationText(allowance.seconds)}.`
    return failure('rateLimited', message, { ...limits, 'retry-after': String(allowance.seconds) })
  }
  const response = await downloaded(service, found, cut, query)
  return { ...response, headers: { ...response.headers, ...limits } }
}

async function downloaded(
  service: Service,
  { content, asset }: { content: FolderContent; asset: StoredAsset },
  cut: string,
  query: URLSearchParams,
): Promise<Response> {
  if (service.downloads === 'redirect' && query.get('response') !== 'json') {
    return { status: 302, headers: { location: service.fileUrl(asset, cut) }, body: Buffer.alloc(0) }
  }
  if (service.downloads === 'url' || query.get('response') === 'json') {
    return success({ url: service.fileUrl(asset, cut) })
  }
  const { format, bytes } = await readAssetBytes(content, asset, cut)
  return file(format, bytes)
}

/** Reads the version from `version` or `v`. A request may contain both, but they must agree. */
function versionInQuery(query: URLSearchParams): number {
  const long = integer(query, 'version', { least: 0 })
  const short = integer(query, 'v', { least: 0 })
  if (long !== undefined && short !== undefined && long !== short) {
    throw new ContentSpaceError('invalidParams', '`version` and `v` differ.')
  }
  return long ?? short ?? 0
}

function dimensionsOf(query: URLSearchParams): string | undefined {
  const text = given(query, 'dimensions')
  const sides = text?.split('x').map(Number) ?? []
  if (text === undefined || (/^\d+x\d+$/.test(text) && sides.every((side) => side >= 1 && side <= 16_383))) return text
  throw new ContentSpaceError('invalidParams', '`dimensions` must be `<width>x<height>`, each from 1 to 16383.')
}

function integer(query: URLSearchParams, name: string, bounds: { least: number; most?: number }): number | undefined {
  const { least, most = Number.MAX_SAFE_INTEGER } = bounds
  const text = given(query, name)
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  const range = most === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${most}`
  throw new ContentSpaceError('invalidParams', `\`${name}\` must be an integer ${range}.`)
}

/** Reads a parameter. Treats `null` and an empty string as absent, because clients send them for empty variables. */
function given(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  return text === null || text === '' || text === 'null' ? undefined : text
}
