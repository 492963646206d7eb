import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { faultServer, refusal, type FaultServer } from './fault-server.js'
import { id } from './memory-space.js'
import { svg } from './space.js'

/*
 * A service with the same structure as the public one, based on the types of its own client (`@lingo-app/node` 3):
 * items of all types, display properties, galleries, custom fields, short ids, compressed answers, and limits in
 * headers.
 */

const stamp = '2025-03-04 05:06:07.000000+0000'
const kitUuid = id(1)

/** The custom fields of the space. Only the first four are displayed. */
const definitions = [
  field(1, 'Expires', 'date'),
  field(2, 'Usage rights', 'select', ['Web', 'Print']),
  field(3, 'Regions', 'checklist', ['EU', 'US']),
  field(4, 'Priority', 'number'),
  { ...field(5, 'Budget', 'text'), public: false },
  { ...field(6, 'expires', 'text'), status: 'deleted' },
]

function field(number: number, name: string, type: string, options?: string[]) {
  const choices = options?.map((option, at) => ({ id: at + 1, name: option, status: 'active' }))
  return {
    id: number,
    type,
    space_id: 7,
    name,
    status: 'active',
    public: true,
    display_order: number,
    options: choices,
  }
}

function bytesOf(number: number): Buffer {
  return Buffer.from(svg(`drawing ${number}`))
}

export function asset(number: number, name: string, more: object = {}): Record<string, unknown> {
  const bytes = bytesOf(number)
  return {
    uuid: id(number),
    type: 'SVG',
    name,
    notes: '',
    dimensions: '24x24',
    size: bytes.length,
    meta: { asset_processing: 'complete', filecuts: { available_types: [], presets: [] } },
    keywords: '',
    colors: [],
    file_hash: createHash('md5').update(bytes).digest('hex'),
    file_id: id(number).toLowerCase(),
    date_added: stamp,
    date_updated: stamp,
    file_updated: stamp,
    permalink: `https://content.example/assets/${number}`,
    thumbnails: {},
    fields: {},
    ...more,
  }
}

export function item(number: number, type: string, more: object = {}): Record<string, unknown> {
  const { asset: carried } = Object.assign({ asset: undefined }, more)
  const uuid = typeof carried === 'object' ? Reflect.get(Object(carried), 'uuid') : null
  return {
    uuid: id(number),
    short_id: `i${number}`,
    kit_uuid: kitUuid,
    section_uuid: id(2),
    asset_uuid: uuid,
    display_order: number - 100,
    version: 1,
    status: 'active',
    type,
    date_added: stamp,
    date_updated: stamp,
    data: {},
    display_properties: {},
    ...more,
  }
}

/**
 * One item of each type that the client knows and one of another type. Each has its own asset if its type allows one.
 */
export const everyKind = [
  item(100, 'heading', { data: { content: 'Logos' } }),
  item(101, 'asset', {
    asset: asset(11, 'Acme Logo', {
      fields: { '1': '2027-01-31', '2': 'Web', '3': ['EU', 'US'], '4': 2, '5': 'secret' },
    }),
    display_properties: { size: 3, caption: 'Only on white', card_background_color: '#fff', new_one: { a: 1 } },
  }),
  item(102, 'inline_note', { data: { content: 'Use the **logo** with care.' } }),
  item(103, 'code_snippet', { data: { content: 'a { color: red }', code_language: 'css' } }),
  item(104, 'guide', {
    data: { title: 'Do', content: 'Leave space around it.', color: '#2e7d32' },
    asset: asset(12, 'Good Example'),
  }),
  item(105, 'guide', { data: { title: 'Do not' } }),
  item(106, 'gallery', { data: { name: 'Campaign', assets: 2, date_refreshed: stamp } }),
  item(107, 'supporting_image', { asset: asset(15, 'Support'), data: { background: 'dark' } }),
  item(108, 'hologram', { asset: asset(16, 'Depth'), data: { depth: 7 } }),
]

export const members = [
  item(201, 'asset', { asset: asset(13, 'Poster') }),
  item(202, 'asset', { asset: asset(14, 'Banner') }),
]

export interface PublicContent {
  items: readonly Record<string, unknown>[]
  /** The assets by the uuid of their gallery. */
  galleries: Readonly<Record<string, readonly Record<string, unknown>[]>>
  /** How a service without galleries and fields answers: code and HTTP status. */
  unknown?: readonly [code: number, status: number]
  /** Returns the file of an asset. By default, a drawing. */
  fileOf?: (number: number, query: URLSearchParams) => Buffer | Promise<Buffer>
}

/** Starts the service with a kit of one section. */
export function publicService({ items, galleries, unknown, fileOf = bytesOf }: PublicContent): Promise<FaultServer> {
  const version = {
    kit_uuid: kitUuid,
    status: 'active',
    version: 1,
    version_identifier: '1.0',
    notes: '',
    date_added: stamp,
    date_updated: stamp,
    counts: { assets: 8, items: items.length, sections: 1 },
  }
  const kit = {
    name: 'Brand',
    description: 'All that is ours.',
    kit_uuid: kitUuid,
    space_id: 7,
    short_id: 'k1',
    use_version: 1,
    status: 'active',
    privacy: 'public',
    date_added: stamp,
    date_updated: stamp,
    images: {},
  }
  const section = {
    uuid: id(2),
    short_id: 's2',
    name: 'Logos',
    kit_uuid: kitUuid,
    version: 1,
    status: 'active',
    display_order: 0,
    creator_id: 3,
    counts: { assets: 8, items: items.length },
    date_added: stamp,
    date_updated: stamp,
  }
  const headers = items.flatMap(({ uuid, short_id: shortId, type, data, display_order: order }) =>
    type === 'heading'
      ? [{ uuid, short_id: shortId, name: Reflect.get(Object(data), 'content'), version: 1, display_order: order }]
      : [],
  )
  return faultServer((response, { url = '' }) => {
    const { pathname, searchParams: query } = new URL(url, 'http://service')
    const asked = pathname.replace(/^\/1\//, '').replace(/\/$/, '')
    const of = Number(query.get('version') ?? query.get('v') ?? 1)
    const pageOf = <T>(all: readonly T[]) => {
      const [limit, page] = [Number(query.get('limit') ?? 50), Number(query.get('page') ?? 1)]
      return all.slice((page - 1) * limit, page * limit)
    }
    const gallery = items.find(({ uuid }) => asked === `items/${String(uuid)}`)
    const number = Number(/^assets\/0*(\d+)-.*\/download$/.exec(asked)?.[1])
    if (asked === 'kits') packed(response, { kits: [kit] })
    else if (asked === `kits/${kitUuid}`)
      packed(response, { kit: { ...kit, versions: [{ ...version, version: 0 }, version] } })
    else if (asked === `kits/${kitUuid}/outline`)
      packed(response, { kit_version: { ...version, version: of, sections: [{ ...section, headers }] } })
    else if (asked === `sections/${id(2)}`)
      packed(response, { section: { ...section, version: of, items: pageOf(items) } })
    else if (gallery && !unknown)
      packed(response, { item: { ...gallery, version: of, items: pageOf(galleries[String(gallery['uuid'])] ?? []) } })
    else if (asked === 'fields' && !unknown) packed(response, { fields: definitions })
    else if (number > 0)
      void Promise.resolve(fileOf(number, query)).then((bytes) => response.writeHead(200, limits).end(bytes))
    else refusal(response, ...(gallery && unknown ? unknown : ([404, 404] as const)))
  })
}

const limits = { 'x-ratelimit-limit': '2000', 'x-ratelimit-remaining': '1990', 'x-ratelimit-reset': '300' }

/** Sends a result like the public service, compressed for clients that accept it. */
function packed(response: ServerResponse, result: object): void {
  const text = JSON.stringify({ success: true, result, server_clock: 1 })
  const isAsked = String(response.req.headers['accept-encoding']).includes('gzip')
  const coding = isAsked ? { 'content-encoding': 'gzip' } : {}
  response.writeHead(200, { 'content-type': 'application/json', ...limits, ...coding })
  response.end(isAsked ? gzipSync(text) : text)
}
