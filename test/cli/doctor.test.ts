import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rollup } from 'rollup'
import { afterEach, describe, expect, test } from 'vitest'
import contentSpace from '../../src/entries/rollup.js'
import { project, type Project } from '../support/cli.js'
import { faultServer, type FaultServer } from '../support/fault-server.js'
import { id } from '../support/memory-space.js'
import { secret } from '../support/secret.js'

/** A name in the space that the report must not contain. */
const canary = 'Canary Of Names'
const [kitUuid, sectionUuid] = [id(1), id(2)]
const drawing = (number: number) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path d="M0 ${number}h24v24z"/></svg>`)

type Wire = Record<string, unknown>

/** A service that follows the interface except for its deviations. */
interface Service {
  space: Wire
  versions: number[]
  kit: Wire
  items: Wire[]
  /** The number of the first page. */
  base: 0 | 1
  /** The parameters that select a version. */
  selectors: string[]
  listKey: 'kit' | 'kits'
  headers: Record<string, string>
  /** Compresses a listing. */
  pack?: (text: string) => [encoding: string, bytes: Buffer]
  /** The form of all paths. Other forms are redirected. */
  slash?: boolean
  download: (response: ServerResponse, bytes: Buffer, url: string) => unknown
  authorization: string
  fields?: Wire[]
}

function asset(number: number, more: Wire = {}): Wire {
  const bytes = drawing(number)
  return {
    uuid: id(10 + number),
    name: `${canary} ${number}`,
    type: 'SVG',
    notes: '',
    keywords: '',
    colors: [],
    dimensions: '24x24',
    size: bytes.length,
    file_hash: createHash('md5').update(bytes).digest('hex'),
    meta: {},
    thumbnails: {},
    ...more,
  }
}

const item = (number: number, more: Wire = {}): Wire => ({
  uuid: id(100 + number),
  type: 'asset',
  status: 'active',
  display_order: number,
  data: {},
  asset: asset(number),
  ...more,
})

function plainService(): Service {
  return {
    space: {},
    versions: [0, 1, 2],
    kit: { kit_uuid: kitUuid, space_id: 7, name: canary, status: 'active', use_version: 2 },
    items: [item(1), item(2), item(3)],
    base: 1,
    selectors: ['version', 'v'],
    listKey: 'kit',
    headers: {},
    download: (response, bytes) => response.writeHead(200, { 'content-length': bytes.length }).end(bytes),
    authorization: `Basic ${Buffer.from(`${secret.spaceId}:${secret.token}`).toString('base64')}`,
  }
}

async function start(service: Service): Promise<FaultServer> {
  const { kit, items, versions } = service
  const assets = () => items.flatMap((one) => (one['asset'] ? [Object(one['asset'])] : []))
  const server = await faultServer((response, request) => {
    const url = new URL(request.url ?? '', 'http://service')
    const { searchParams: query, pathname } = url
    const file = /^\/files\/(\d+)$/.exec(pathname)
    if (file) return void response.end(drawing(Number(file[1])))
    if (service.slash !== undefined && pathname.endsWith('/') !== service.slash) {
      const location = (service.slash ? `${pathname}/` : pathname.replace(/\/$/, '')) + url.search
      return void response.writeHead(301, { location }).end()
    }
    const send = (body: object, status = 200) => {
      const text = JSON.stringify({ ...body, server_clock: 1 })
      const [encoding, bytes] = service.pack?.(text) ?? [undefined, Buffer.from(text)]
      const coding = encoding === undefined ? {} : { 'content-encoding': encoding }
      response.writeHead(status, { 'content-type': 'application/json', ...service.headers, ...coding }).end(bytes)
    }
    const refuse = (code: number) => send({ success: false, error: { code, message: `no ${canary}` } }, 404)
    const answer = (result: object) => send({ success: true, result })
    if (request.headers.authorization !== service.authorization) return refuse(401)
    const path = pathname.replace(/^\/1\/|\/$/g, '')
    const selected = service.selectors.map((name) => query.get(name)).find((value) => value !== null)
    const version = Number(selected ?? 0)
    const head = (number: number) => ({ kit_uuid: kitUuid, version: number, version_identifier: '', counts: {} })
    if (path === 'kits') return answer({ [service.listKey]: [{ ...kit, ...service.space }] })
    if (path === `kits/${kitUuid}`) return answer({ kit: { ...kit, versions: versions.map(head) } })
    if (path === `kits/${kitUuid}/outline`)
      return answer({ kit_version: { ...head(version), sections: [{ uuid: sectionUuid, name: canary, version }] } })
    if (path === `sections/${sectionUuid}`) {
      const limit = Number(query.get('limit') ?? 50)
      const page = Number(query.get('page') ?? service.base) - service.base
      const record = { uuid: sectionUuid, kit_uuid: kitUuid, name: canary, version, counts: { items: items.length } }
      return answer({ section: { ...record, items: items.slice(page * limit, (page + 1) * limit) } })
    }
    const number = assets().findIndex(({ uuid }) => path === `assets/${uuid}/download`) + 1
    if (number > 0) return void service.download(response, drawing(number), `${server.url}/files/${number}`)
    if (path === 'fields' && service.fields) return answer({ fields: service.fields })
    refuse(404)
  })
  cleanups.push(server.close)
  return server
}

const sha256 = (number: number) => createHash('sha256').update(drawing(number)).digest('hex')
const withAssets = (change: (number: number) => Wire) => (service: Service) =>
  Object.assign(service, { items: [1, 2, 3].map((at) => item(at, { asset: asset(at, change(at)) })) })

/** Deviations of services, and what the report says about each. */
const deviations: [name: string, plant: (service: Service) => object, topic: string, found: RegExp][] = [
  ['lists kits under `kits`', (service) => Object.assign(service, { listKey: 'kits' }), 'kits', /under `kits`/],
  ['takes a token alone', (service) => ({ ...service, bearer: true }), 'credentials', /Bearer/],
  [
    'compresses with gzip',
    (service) => Object.assign(service, { pack: (text: string) => ['gzip', gzipSync(text)] }),
    'compression',
    /gzip/,
  ],
  [
    'compresses with br',
    (service) => Object.assign(service, { pack: (text: string) => ['br', brotliCompressSync(text)] }),
    'compression',
    /br/,
  ],
  [
    'knows `version` only',
    (service) => Object.assign(service, { selectors: ['version'] }),
    'selectors',
    /only `version`/,
  ],
  ['knows `v` only', (service) => Object.assign(service, { selectors: ['v'] }), 'selectors', /only `v`/],
  ['counts pages from 0', (service) => Object.assign(service, { base: 0 }), 'pages', /number 0/],
  ['wants a slash at the end', (service) => Object.assign(service, { slash: true }), 'paths', /redirected/],
  ['wants no slash at the end', (service) => Object.assign(service, { slash: false }), 'paths', /redirected/],
  ['says what it allows', (service) => Object.assign(service, { headers: limits }), 'limits', /x-ratelimit-reset/],
  ['hashes with SHA-256', withAssets((at) => ({ file_hash: sha256(at) })), 'hashes', /right \(256 bits\)/],
  ['sends no hash', withAssets(() => ({ file_hash: null })), 'hashes', /no `file_hash`/],
  ['sends a wrong hash', withAssets(() => ({ file_hash: 'a'.repeat(32) })), 'hashes', /does not match/],
  ['redirects downloads', (service) => Object.assign(service, { download: redirect }), 'downloads', /redirect/],
  [
    'answers addresses of files',
    (service) => Object.assign(service, { download: link }),
    'downloads',
    /address of the file/,
  ],
  [
    'has an unknown type of asset',
    (service) =>
      Object.assign(service, { items: [...service.items, item(4, { asset: asset(4, { type: 'HOLOGRAM' }) })] }),
    'types',
    /HOLOGRAM/,
  ],
  [
    'has an unknown type of item',
    (service) => Object.assign(service, { items: [...service.items, item(4, { type: 'carousel', asset: null })] }),
    'types',
    /carousel/,
  ],
  ['has unknown fields', withAssets(() => ({ license_terms: canary })), 'fields', /license_terms/],
  [
    'signs addresses',
    withAssets(() => ({ permalink: `https://files.example/a?token=an-access-canary` })),
    'addresses',
    /query/,
  ],
  [
    'is not done with a file',
    withAssets(() => ({ meta: { asset_processing: 'processing' } })),
    'processing',
    /3 assets in progress/,
  ],
  [
    'has failed with a file',
    withAssets(() => ({ meta: { asset_processing: 'error' } })),
    'processing',
    /3 assets failed/,
  ],
  ['gives versions uuids of their own', withAssets((at) => ({ source_id: id(50 + at) })), 'identity', /3 of \d assets/],
  ['has short ids', (service) => Object.assign(service, { space: { short_id: 'k1' } }), 'shortIds', /^`short_id`$/],
  ['has custom fields', (service) => Object.assign(service, { fields: [] }), 'customFields', /has a list/],
]

/** Returns the fields of an asset from a service with all of these deviations. */
const deviating = (at: number): Wire => ({
  license_terms: canary,
  source_id: id(60 + at),
  file_hash: sha256(at),
  meta: { asset_processing: 'error' },
  permalink: 'https://f.example/a?b=c',
})

const limits = { 'x-ratelimit-limit': '1000', 'x-ratelimit-remaining': '900', 'x-ratelimit-reset': '60' }

function redirect(response: ServerResponse, _: Buffer, url: string): void {
  response.writeHead(302, { location: url }).end()
}

function link(response: ServerResponse, _: Buffer, url: string): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ success: true, result: { url }, server_clock: 1 }))
}

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).toReversed()) await clean()
})

async function workOn(url: string, hasId = true): Promise<Project> {
  const ownId = hasId ? { CONTENT_SPACE_ID: String(secret.spaceId) } : {}
  const work = await project({}, { CONTENT_SPACE_URL: url, CONTENT_SPACE_TOKEN: secret.token, ...ownId })
  cleanups.push(() => work.remove())
  return work
}

interface Report {
  requests: number
  findings: { topic: string; state: string; found: string; means: string }[]
}

/** Runs the command and checks everything that all reports have in common. */
async function examine(server: FaultServer, hasId = true): Promise<Report & { code: unknown }> {
  const work = await workOn(server.url, hasId)
  const before = server.requests.length
  const { code, stdout, stderr } = await work.run('doctor', '--json')
  const sent = server.requests.length - before
  const report: Report = JSON.parse(stdout)
  expect(sent).toBeLessThanOrEqual(12)
  expect(report.requests).toBe(sent)
  const { port } = new URL(server.url)
  for (const text of [
    canary,
    'an-access-canary',
    secret.token,
    port,
    '127.0.0.1',
    kitUuid.slice(0, 8),
    sectionUuid,
    id(11),
  ])
    expect(stdout + stderr).not.toContain(text)
  return { ...report, code }
}

/** Builds the kit, and returns the emitted code without the port. */
async function build(server: FaultServer, hasId = true): Promise<string> {
  const { root } = await workOn(server.url, hasId)
  const plugin = contentSpace({
    space: server.url,
    token: secret.token,
    ...(hasId && { spaceId: secret.spaceId }),
    kits: { brand: kitUuid },
    cacheDir: join(root, '.cache'),
    lockfile: join(root, 'lock.json'),
    types: false,
    scan: ['none.js'],
    rateLimit: false,
  })
  const names = {
    resolveId: (name: string) => (name === 'main' ? name : null),
    load: (name: string) => (name === 'main' ? source : null),
  }
  const built = await rollup({ input: 'main', plugins: [{ name: 'main', ...names }, plugin], onwarn: () => {} })
  const { output } = await built.generate({ format: 'es' })
  await built.close()
  return output
    .map((file) => (file.type === 'chunk' ? file.code : `${file.fileName}\n${String(file.source)}`))
    .join('\n')
}

const source = `export { canaryOfNames1, canaryOfNames2, canaryOfNames3 } from 'content-space:kit/brand'\n`

describe('doctor', () => {
  test("doesn't find anything at a service that follows its interface", async () => {
    const { code, findings } = await examine(await start(plainService()))
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([])
    expect(code).toBe(0)
    expect(findings.map(({ topic }) => topic)).toContain('credentials')
  })

  test.each(deviations)('names a service that %s, and it builds right', async (name, plant, topic, found) => {
    const service = plainService()
    const isBearer = topic === 'credentials'
    if (isBearer) service.authorization = `Bearer ${secret.token}`
    plant(service)
    const server = await start(service)
    const { code, findings } = await examine(server, !isBearer)
    expect(findings.find((one) => one.topic === topic)?.found, name).toMatch(found)
    expect(code).toBe(findings.some(({ state }) => state === 'problem') ? 1 : 0)
    const output = await build(server, !isBearer)
    for (const number of [1, 2, 3]) expect(output).toContain(drawing(number).toString())
  })

  test('names all that can come together at once', async () => {
    const together = deviations.filter(
      ([name]) => !/token alone|with br|knows `v`|no slash|sends|answers addresses|not done/.test(name),
    )
    const service = plainService()
    for (const [, plant] of together) plant(service)
    const holograms = [item(4, { type: 'carousel', asset: null }), item(5, { asset: asset(5, { type: 'HOLOGRAM' }) })]
    service.items = [...[1, 2, 3].map((at) => item(at, { asset: asset(at, deviating(at)) })), ...holograms]
    const server = await start(service)
    const { findings } = await examine(server)
    for (const [name, , topic, found] of together)
      expect(findings.find((one) => one.topic === topic)?.found, name).toMatch(found)
    const code = await build(server)
    for (const number of [1, 2, 3]) expect(code).toContain(drawing(number).toString())
  })

  test.each([
    ['refuses the token', { authorization: 'Basic other' }, 'credentials', /refused/],
    ['has no kits', { versions: [], listKey: 'kitties' }, 'credentials|kits', /./],
  ])('ends with 1 for a service that %s', async (_, change, topic, found) => {
    const { code, findings } = await examine(await start(Object.assign(plainService(), change)))
    expect(code).toBe(1)
    expect(
      findings.find((one) => new RegExp(`^(?:${topic})$`).test(one.topic) && one.state === 'problem')?.found,
    ).toMatch(found)
  })

  test('prints a table for people, and rejects a folder', async () => {
    const work = await workOn((await start(plainService())).url)
    const { stdout, code } = await work.run('doctor')
    expect(code).toBe(0)
    expect(stdout).toMatch(/credentials +accepted as Basic/)
    expect(stdout).toMatch(/no problem found with \d+ requests$/m)
    const folder = await work.run('doctor', '--space', '.')
    expect(folder.code).toBe(1)
    expect(folder.stderr).toContain('A folder has no service to examine.')
  })
})
