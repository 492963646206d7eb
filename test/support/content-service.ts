import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { envelope, refusal, type Respond } from './fault-server.js'

/** An asset's record as the API returns it, and its bytes. */
export interface Upload {
  record: Record<string, unknown> & { uuid: string }
  bytes: Uint8Array
  /** The bytes of cuts, by requested type. */
  cuts?: Record<string, Uint8Array>
}

/** A kit with one section, as raw records. The defaults follow the API. */
export interface ServiceContent {
  uploads: Upload[]
  /** By default, one item per upload. */
  items: unknown[]
  /** Overrides fields of the kit's record. */
  kit: object
  /** Overrides fields of the outline. */
  outline: object
  /** Overrides fields of the section. */
  section: object
  version: number
  /** The `server_clock` of envelopes. By default, 1. */
  clock: unknown
  /** The number of the first page, and the maximum number of items per page. */
  pages: { base: 0 | 1; size: number }
}

/** A parsed request. `path` has neither the prefix `/1/` nor a trailing slash. */
export interface Asked {
  path: string
  query: URLSearchParams
  /** The number of earlier requests for this path. */
  at: number
  request: IncomingMessage
  response: ServerResponse
}

export const kitUuid = '3BD9A8C0-1111-4222-8333-444455556666'
export const sectionUuid = '5EC70000-1111-4222-8333-000000000001'
export const assetUuid = (number: number): string =>
  `A55E7000-1111-4222-8333-${number.toString(16).toUpperCase().padStart(12, '0')}`
const itemUuid = (number: number): string =>
  `17E30000-1111-4222-8333-${number.toString(16).toUpperCase().padStart(12, '0')}`

export const logo = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path d="M0 0h24v24z"/></svg>',
)

/** Creates an asset in the section. */
export function upload(
  number: number,
  name: string,
  type = 'SVG',
  bytes: Uint8Array = logo,
  more: object = {},
  cuts = {},
): Upload {
  const record = {
    uuid: assetUuid(number),
    name,
    type,
    notes: '',
    keywords: '',
    colors: [],
    dimensions: '24x24',
    size: bytes.length,
    file_hash: createHash('md5').update(bytes).digest('hex'),
    thumbnails: {},
    meta: {},
    ...more,
  }
  return { record, bytes, cuts }
}

/** Creates small drawings named `Mark 0`, `Mark 1`, and so on. */
export function marks(count: number): Upload[] {
  return Array.from({ length: count }, (_, at) =>
    upload(at, `Mark ${at}`, 'SVG', Buffer.from(`${logo.toString()}<!-- ${at} -->`)),
  )
}

/** Creates an item that contains an asset. */
export function assetItem(number: number, asset: unknown, more: object = {}): object {
  return { uuid: itemUuid(number), type: 'asset', status: 'active', display_order: number, data: {}, asset, ...more }
}

export function headingItem(number: number, more: object = {}): object {
  return {
    uuid: itemUuid(number),
    type: 'heading',
    status: 'active',
    display_order: number,
    data: { content: `Heading ${number}` },
    ...more,
  }
}

/**
 * Creates a service that follows the API, although its records may violate it.
 * @param given a function is called for each response, so that a test can change the content
 * @param instead may respond itself, and then returns true
 */
export function contentService(
  given: Partial<ServiceContent> | (() => Partial<ServiceContent>) = {},
  instead: (asked: Asked) => boolean = () => false,
): Respond {
  const counts = new Map<string, number>()
  return (response, request) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    const path = url.pathname.replace(/^\/1\/|\/$/g, '')
    const at = counts.get(path) ?? 0
    counts.set(path, at + 1)
    if (instead({ path, query: url.searchParams, at, request, response })) return
    const content = typeof given === 'function' ? given() : given
    respond(path, url.searchParams, response, { uploads: [upload(1, 'Acme Logo')], ...content })
  }
}

function respond(
  path: string,
  query: URLSearchParams,
  response: ServerResponse,
  content: Partial<ServiceContent> & { uploads: Upload[] },
): void {
  const { uploads, version = 1, clock = 1 } = content
  const kit = { kit_uuid: kitUuid, space_id: 7, name: 'Brand', status: 'active', use_version: version, ...content.kit }
  const head = { version, version_identifier: `${version}.0`, status: 'active', notes: '', counts: {} }
  const [kind, uuid = '', rest] = path.split('/')
  const asset = uploads.find(({ record }) => record.uuid.toUpperCase() === uuid)
  if (path === 'kits') return envelope(response, { kit: [kit] }, clock)
  if (path === `kits/${kitUuid}`) return envelope(response, { kit: { versions: [head], ...kit } }, clock)
  if (path === `kits/${kitUuid}/outline`) {
    const sections = [{ uuid: sectionUuid, name: 'Logos', version, display_order: 0, headers: [] }]
    return envelope(response, { kit_version: { ...head, kit_uuid: kitUuid, sections, ...content.outline } }, clock)
  }
  if (kind === 'sections' && uuid === sectionUuid)
    return envelope(response, { section: sectionPage(content, query) }, clock)
  if (kind === 'assets' && rest === 'download' && asset) {
    const bytes = query.has('type') ? asset.cuts?.[query.get('type') ?? ''] : asset.bytes
    if (bytes === undefined) return refusal(response, 3304, 404)
    return void response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
  }
  refusal(response, 404, 404)
}

function sectionPage(
  { uploads = [], items, section, version = 1, pages }: Partial<ServiceContent>,
  query: URLSearchParams,
): object {
  const all = items ?? uploads.map(({ record }, at) => assetItem(at, record))
  const { base, size } = pages ?? { base: 1, size: 200 }
  const number = Number(query.get('page') ?? base) - base
  return {
    uuid: sectionUuid,
    kit_uuid: kitUuid,
    name: 'Logos',
    status: 'active',
    version,
    display_order: 0,
    counts: { items: all.length },
    items: all.slice(number * size, (number + 1) * size),
    ...section,
  }
}
