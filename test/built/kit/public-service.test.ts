import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import contentSpace from 'unplugin-content-space/esbuild'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hasSameStructure } from '../../../src/catalog/changes.js'
import { mirror } from '../../../src/commands/mirror/run.js'
import type { Options } from '../../../src/config/options.js'
import { openEngine } from '../../../src/engine/engine.js'
import { kitCollection } from '../../../src/kit/named-kit.js'
import { parseKit } from '../../../src/request/request.js'
import { id } from '../../support/memory-space.js'
import { everyKind, members, publicService, asset, item, type PublicContent } from '../../support/public-service.js'
import { serveSpace } from '../../support/space.js'

const token = 'a-token-of-the-public-service'
const content: PublicContent = { items: everyKind, galleries: { [id(106)]: members } }
let root: string
let closers: (() => Promise<unknown>)[]

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-public-')))
  closers = [() => rm(root, { recursive: true, force: true, maxRetries: 3 })]
})
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
})

async function serve(more: Partial<PublicContent> = {}) {
  const server = await publicService({ ...content, ...more })
  closers.push(server.close)
  return server
}

async function open(options: Options, cacheDir = 'cache') {
  const engine = await openEngine({ cacheDir, lockfile: false, types: false, ...options }, { root, env: {} })
  closers.push(() => engine.close())
  return { engine, loadKit: (kit: string) => engine.catalog.load(parseKit(kit, engine.options.kits)) }
}

async function load(options: Options, cacheDir?: string) {
  const { loadKit } = await open(options, cacheDir)
  return loadKit('brand@1')
}

/** Returns the output of a build. */
async function bundle(source: string, space: string): Promise<string> {
  const plugin = contentSpace({ space, spaceId: 7, token, lockfile: false, types: false, cacheDir: 'cache' })
  await writeFile(join(root, 'main.js'), source)
  await build({
    entryPoints: ['main.js'],
    absWorkingDir: root,
    outdir: 'out',
    bundle: true,
    minify: true,
    plugins: [plugin],
  })
  return readFile(join(root, 'out/main.js'), 'utf8')
}

/** Returns the default export of the kit's module, with the names of assets in place of the assets. */
function shown(named: Awaited<ReturnType<typeof load>>, full = false) {
  return kitCollection(named, full).tree((uuid) => named.kit.assets[uuid]?.name)
}

/** Returns a field in an asset's record, as in its version. */
const one = (field: object) => ({ space_id: 7, status: 'active', public: true, display_order: 0, ...field })

describe('a kit with items of every type', () => {
  test('has each of them with its texts, and every asset that any of them carries', async () => {
    const { url } = await serve()
    const named = await load({ space: url, spaceId: 7, token })
    expect(Object.values(named.kit.assets).map(({ name }) => name)).toEqual([
      'Acme Logo',
      'Good Example',
      'Poster',
      'Banner',
      'Support',
      'Depth',
    ])
    expect(shown(named)).toMatchObject({ description: 'All that is ours.' })
    expect(shown(named)).toHaveProperty('sections.0.items', [
      { type: 'heading', uuid: id(100), content: 'Logos' },
      {
        type: 'asset',
        uuid: id(101),
        asset: 'Acme Logo',
        display: { size: 3, caption: 'Only on white', cardBackgroundColor: '#fff', newOne: { a: 1 } },
      },
      { type: 'inline_note', uuid: id(102), content: 'Use the **logo** with care.' },
      { type: 'code_snippet', uuid: id(103), content: 'a { color: red }', language: 'css' },
      {
        type: 'guide',
        uuid: id(104),
        title: 'Do',
        content: 'Leave space around it.',
        color: '#2e7d32',
        asset: 'Good Example',
      },
      { type: 'guide', uuid: id(105), title: 'Do not' },
      { type: 'gallery', uuid: id(106), name: 'Campaign', assets: ['Poster', 'Banner'] },
      { type: 'supporting_image', uuid: id(107), asset: 'Support' },
      { type: 'hologram', uuid: id(108), data: { depth: 7 }, asset: 'Depth' },
    ])
  })

  test('has only the public and active custom fields, with their definitions', async () => {
    const { url, requests } = await serve()
    const named = await load({ space: url, spaceId: 7, token })
    expect(named.kit.assets[id(11)]).toMatchObject({
      fields: { expires: '2027-01-31', usageRights: 'Web', regions: ['EU', 'US'], priority: 2 },
      raw: { fields: { '1': '2027-01-31', '2': 'Web', '3': ['EU', 'US'], '4': 2 } },
    })
    expect(JSON.stringify([named.kit.assets, shown(named, true)])).not.toContain('secret')
    expect(named.kit.assets[id(12)]?.fields).toBeUndefined()
    expect(shown(named)).toHaveProperty('fields', [
      { id: 1, key: 'expires', name: 'Expires', type: 'date' },
      { id: 2, key: 'usageRights', name: 'Usage rights', type: 'select', options: ['Web', 'Print'] },
      { id: 3, key: 'regions', name: 'Regions', type: 'checklist', options: ['EU', 'US'] },
      { id: 4, key: 'priority', name: 'Priority', type: 'number' },
    ])
    expect(requests.filter(({ url: address }) => address.includes('/fields'))).toHaveLength(1)
  })

  test('reads fields of the version first, without a request, and tells names that collide apart', async () => {
    const options = ['EU', 'US', 'UK'].map((name, at) => ({ id: at, name, status: 'active', selected: at !== 1 }))
    const versioned = [
      one({ id: 1, name: 'Valid until', type: 'date', value: '2026-12-31' }),
      one({ id: 2, name: 'valid-until', type: 'number', value: '7' }),
      one({ id: 3, name: 'Regions', type: 'checklist', options }),
      one({ id: 4, name: 'Owner', type: 'text', value: 'secret', public: false }),
      one({ id: 5, name: 'Regions', type: 'text', value: 'old', status: 'deleted' }),
      one({ id: 6, name: 'Empty', type: 'text', value: '' }),
    ]
    const record = asset(11, 'Logo', { fields: { '1': 'newer', '4': 'secret' }, versioned_fields: versioned })
    const { url, requests } = await serve({ items: [item(101, 'asset', { asset: record })] })
    const named = await load({ space: url, spaceId: 7, token })
    expect(named.kit.assets[id(11)]?.fields).toEqual({
      validUntil_1: '2026-12-31',
      validUntil_2: 7,
      regions: ['EU', 'UK'],
    })
    expect(JSON.stringify([named.kit.assets, shown(named, true)])).not.toMatch(/secret|"old"/)
    expect(requests.map(({ url: address }) => address).join('\n')).not.toContain('/fields')
  })

  test('has a field whose name is a reserved word, or begins with a digit, under its name in camelCase', async () => {
    const versioned = ['Package', 'Default', '2x Width'].map((name, at) =>
      one({ id: at + 1, name, type: 'text', value: name }),
    )
    const record = asset(11, 'Logo', { versioned_fields: versioned })
    const { url } = await serve({ items: [item(101, 'asset', { asset: record })] })
    const named = await load({ space: url, spaceId: 7, token })
    expect(named.kit.assets[id(11)]?.fields).toEqual({ package: 'Package', default: 'Default', '2xWidth': '2x Width' })
  })

  test('has a link as data, with any size or none', async () => {
    const links = [0, null, undefined].map((size, at) =>
      item(101 + at, 'asset', {
        asset: asset(11 + at, `Link ${at}`, { type: 'URL', size, meta: { content: 'https://acme.example' } }),
      }),
    )
    const { url, requests } = await serve({ items: links })
    const script = await bundle("import kit from 'content-space:kit/brand'; console.log(kit)", url)
    expect(script.match(/meta: ?\{ ?content: ?"https:\/\/acme\.example"/g)).toHaveLength(3)
    expect(script).not.toContain('src:')
    expect(requests.filter(({ url: address }) => address.includes('/download'))).toEqual([])
  })

  test('has the records of the service with metadata=full', async () => {
    const { url } = await serve()
    const full = shown(await load({ space: url, spaceId: 7, token }), true)
    expect(full).toMatchObject({
      raw: { kit: { short_id: 'k1', privacy: 'public' }, version: { version_identifier: '1.0' } },
      sections: [{ raw: { short_id: 's2', creator_id: 3 } }],
    })
    expect(full).toHaveProperty('sections.0.items.7.raw.data', { background: 'dark' })
    expect(full).not.toHaveProperty('sections.0.items.7.raw.asset')
    const keys = Object.keys(Object(full).sections[0].raw)
    expect(keys).toEqual(keys.toSorted())
  })

  test('is the same from the cache, from its mirror, and from a server of the mirror', async () => {
    const { url, requests } = await serve()
    const service = { space: url, spaceId: 7, token }
    const { engine, loadKit } = await open(service)
    const first = await loadKit('brand@1')
    const asked = requests.length
    const report = await mirror(engine, { kits: ['brand'], out: 'mirror' })
    expect(report.missing).toEqual([])
    const folder = await load({ space: join(root, 'mirror') }, 'other')
    const served = await serveSpace(join(root, 'mirror'))
    closers.push(() => served.close())
    const again = await load(served.options, 'third')
    const authorization = `Basic ${Buffer.from(`${served.spaceId}:${served.token}`).toString('base64')}`
    for (const path of [`kits/${id(1)}`, `kits/${id(1)}/outline?v=1`, `sections/${id(2)}?v=1`]) {
      const answer = await fetch(`${served.url}/1/${path}`, { headers: { authorization } })
      expect(await answer.text()).toContain('"date_added":"2025-03-04 05:06:07.000000+0000"')
    }
    expect(asked).toBe(6)
    for (const other of [folder, again]) {
      expect(shown(other)).toEqual(shown(first))
      expect(other.kit.assets[id(11)]?.fields).toEqual(first.kit.assets[id(11)]?.fields)
      expect(hasSameStructure(first.kit, other.kit)).toBe(true)
      expect(other.kit.sections[0]?.items.map(({ raw }) => raw)).toMatchObject(
        everyKind.map(({ short_id, display_properties, date_added }) => ({ short_id, display_properties, date_added })),
      )
    }
    const cached = await load(service)
    expect(shown(cached)).toEqual(shown(first))
    expect(cached.kit.assets[id(11)]?.fields).toEqual(first.kit.assets[id(11)]?.fields)
  })

  test.each([
    [404, 404],
    [1100, 404],
    [2100, 404],
    [3100, 404],
    [103, 400],
  ])('keeps its galleries empty, and says so once, if the service has none: %i, %i', async (...unknown) => {
    const { url } = await serve({ unknown })
    const { engine, loadKit } = await open({ space: url, spaceId: 7, token })
    const named = await loadKit('brand@1')
    expect(shown(named)).toHaveProperty('sections.0.items.6', {
      type: 'gallery',
      uuid: id(106),
      name: 'Campaign',
      assets: [],
    })
    expect(engine.stats.summary().warnings.filter((line) => line.includes('galleries are empty'))).toHaveLength(1)
  })
})

const many = (count: number, from = 5000) =>
  Array.from({ length: count }, (_, at) =>
    item(from + at, 'asset', { asset: asset(from + at, `Picture ${from + at}`) }),
  )
const gallery = (data: object) => [item(106, 'gallery', { data })]

describe('a gallery', () => {
  test.each([
    [200, { name: 'Many', assets: 200 }, 1],
    [199, { view_name: 'Many' }, 1],
    [430, { name: 'Many', assets: 430 }, 4],
    [49, { name: 'Many' }, 1],
    [50, { name: 'Many' }, 3],
    [200, { name: 'Many' }, 3],
    [430, { name: 'Many' }, 5],
    [120, { name: 'Many', assets: 119 }, 1],
    [120, { name: 'Many', assets: 121 }, 3],
  ])('of %i members costs a request for each 200', async (count, data, expected) => {
    const { url, requests } = await serve({ items: gallery(data), galleries: { [id(106)]: many(count) } })
    const named = await load({ space: url, spaceId: 7, token })
    expect(named.kit.sections[0]?.items[0]).toMatchObject({ name: 'Many' })
    expect(named.kit.sections[0]?.items[0]?.assets).toEqual(many(count).map(({ asset_uuid: uuid }) => uuid))
    expect(requests.filter(({ url: address }) => address.includes('/items/'))).toHaveLength(expected)
    expect(requests.filter(({ url: address }) => address.includes('/download'))).toEqual([])
  })
})

/** Counts the requests per endpoint, and lists the files. */
function counted(requests: readonly { url: string }[]) {
  const paths = requests.map(({ url }) => url.replace(/^\/1\/|\?.*/g, ''))
  const count = (kind: string) => paths.filter((path) => path.split('/')[0] === kind).length
  const downloads = paths.filter((path) => path.endsWith('/download'))
  return { kits: count('kits'), sections: count('sections'), items: count('items'), fields: count('fields'), downloads }
}

describe('a kit of 5,000 assets', () => {
  // The list of kits, the kit, its outline, pages of 200, and one page that reveals whether page numbers start at 0.
  const listing = { kits: 3, sections: 26, items: 0, fields: 0, downloads: [] }

  test('costs a request for each 200 items without galleries and fields', async () => {
    const { url, requests } = await serve({ items: many(5000) })
    await load({ space: url, spaceId: 7, token })
    expect(counted(requests)).toEqual(listing)
  })

  test('costs one more for a gallery of 200, and one for fields of all assets; a build downloads what it uses', async () => {
    const fields = { '1': '2027-01-31', '4': 2 }
    const items = many(4800).map((sent) => ({ ...sent, asset: Object.assign({}, sent['asset'], { fields }) }))
    const { url, requests } = await serve({
      items: [...items, ...gallery({ name: 'Many', assets: 200 })],
      galleries: { [id(106)]: many(200, 10_000) },
    })
    const contents =
      "import { picture5007, picture10007 } from 'content-space:kit/brand'; console.log(picture5007.fields, picture10007.src)"
    const script = await bundle(contents, url)
    const downloads = [5007, 10_007].map((number) => `assets/${id(number)}/download`)
    expect({ ...counted(requests), downloads: counted(requests).downloads.toSorted() }).toEqual({
      ...listing,
      items: 1,
      fields: 1,
      downloads,
    })
    expect(script).toContain('expires:"2027-01-31"')
    expect(script).not.toContain('Picture 10008')
  })
})
