import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readKit } from '../../../../src/commands/shared/kits.js'
import { readFile as readContent } from '../../../../src/engine/build.js'
import { openEngine } from '../../../../src/engine/engine.js'
import { mirror, type MirrorOptions, type MirrorReport } from '../../../../src/commands/mirror/run.js'
import type { Options } from '../../../../src/config/options.js'
import type { ProgressEvent } from '../../../../src/progress.js'
import { isObject, objectOf } from '../../../../src/text/json.js'
import { envelope, faultServer, refusal, type FaultServer } from '../../../support/fault-server.js'
import { id } from '../../../support/memory-space.js'
import { serveSpace, svg, writeSpace } from '../../../support/space.js'

const token = 'a-token-that-the-service-echoes'
const drawing = (uuid: string) => svg(uuid)
let root: string
let closers: (() => Promise<unknown>)[]

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-mirror-')))
  closers = [() => rm(root, { recursive: true, force: true })]
})
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
})

async function open(options: Options) {
  const opened = await openEngine({ cacheDir: 'cache', ...options }, { root, env: {} })
  closers.push(() => opened.close())
  return opened
}

async function mirrored(options: Options, order: Partial<MirrorOptions> = {}): Promise<MirrorReport> {
  return mirror(await open(options), { kits: ['brand'], out: 'mirror', ...order })
}

const names = [
  '../../etc/passwd',
  'CON',
  'Logo',
  'logo',
  'LOGO',
  'section',
  'Kit',
  '🎉',
  '',
  'ab'.repeat(300),
  'a\u0000b',
  'größe/é',
  '.hidden',
  'versions',
  '01 Numbers',
]

/** Returns a record as a careless service might send it. */
function record(number: number, name: unknown): Record<string, unknown> {
  const uuid = id(number)
  const bytes = Buffer.from(drawing(uuid))
  const odd = [
    {
      file_hash: createHash('sha256').update(bytes).digest('hex').toUpperCase(),
      file_id: id(number),
      size: bytes.length,
    },
    { size: null, dimensions: '0x0', keywords: ['a', 'b'], colors: null, date_added: 'yesterday', notes: 7 },
    {
      file_hash: 'beef',
      meta: { filecuts: { available_types: ['PNG', null], presets: 'none' }, deep: { b: 1, a: 2 } },
    },
    {
      meta: { filecuts: { available_types: [{ type: 'png' }, { type: 'EPS', enabled: false }] } },
      permalink: `https://7:${token}@host/x`,
    },
  ]
  return {
    type: 'SVG',
    name,
    date_updated: '2025-01-02 03:04:05.123456+0000',
    zebra: { y: 1, x: [{ b: 1, a: 2 }] },
    ...odd[number % odd.length],
    uuid,
  }
}

/** Reverses the order of keys in every object. */
const reversed = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) =>
    isObject(one) && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).toReversed()) : one,
  )

/**
 * Starts a service with a kit that contains all kinds of unusual content.
 * @param order changes each result
 */
async function oddService(order = (result: unknown) => result): Promise<FaultServer> {
  const assets = [
    ...names.map((name, index) => record(index, name)),
    { uuid: id(90), type: 'Color', name: 'Red', size: 0, meta: { hex: '#f00', a: 1 } },
  ]
  const items = assets.map((asset, index) => ({
    uuid: id(100 + index),
    type: 'asset',
    status: 'active',
    display_order: index,
    data: {},
    asset,
  }))
  const more = [
    { uuid: id(200), type: 'heading', status: 'active', display_order: -1, data: { content: '../up' } },
    {
      uuid: id(201),
      type: 'quote',
      status: 'active',
      display_order: 3,
      data: { text: 'Less', by: { name: 'Dieter' } },
    },
    { uuid: id(202), type: 'asset', status: 'archived', display_order: 4, data: {}, asset: record(60, 'Old') },
    {
      uuid: id(203),
      type: 'asset',
      status: 'active',
      display_order: 99,
      data: { display_size: 'large' },
      asset: record(61, 'Lost'),
    },
  ]
  const again = { ...items[2], uuid: id(300) }
  const sections = [
    { uuid: id(80), name: 'versions', items: [...items, ...more] },
    { uuid: id(81), name: '../../out', items: [again] },
    { uuid: id(82), name: '', items: [] },
  ]
  const version = { version: 0, version_identifier: '', status: 'draft', notes: 'x', counts: { items: 40 } }
  const send = (response: ServerResponse, result: object) => envelope(response, objectOf(order(result)))
  const service = await faultServer((response, { url = '' }) => {
    const [, uuid = ''] = /(?:sections|assets)\/([^/?]+)/.exec(url) ?? []
    const section = sections.find((one) => one.uuid === uuid)
    const kit = {
      kit_uuid: id(1),
      name: '../Brand',
      status: 'odd',
      use_version: null,
      images: { cover: 'not an address' },
      versions: [version],
    }
    if (section)
      return send(response, {
        section: {
          ...section,
          kit_uuid: id(1),
          version: 0,
          counts: { items: section.items.length },
          creator_id: 1,
          a: 2,
        },
      })
    if (url.includes('/outline')) return send(response, { kit_version: { ...version, kit_uuid: id(1), sections } })
    if (url.includes('type=')) return refusal(response, 3304, 404)
    if (url.includes('/download') && uuid !== id(61)) return void response.end(drawing(uuid))
    if (url.includes('/assets/')) return refusal(response, 3100, 404)
    return send(response, { kit: url.endsWith('/kits/') ? [kit] : kit })
  })
  closers.push(service.close)
  return service
}

/** Drops `raw`, because the mirror stores the parsed record if a record violates the interface. */
const understood = (kit: unknown): unknown =>
  JSON.parse(JSON.stringify(kit, (key, value: unknown) => (key === 'raw' ? undefined : value)))

test('a mirror gives the same kit as its service, with any names and records', async () => {
  const service = await oddService()
  const options = { space: service.url, spaceId: 7, token, kits: { brand: id(1) } }
  const report = await mirrored(options)
  expect(report.missing).toEqual([{ asset: id(61), name: 'Lost', version: 0, reason: expect.stringContaining('no') }])
  const expected = await readKit(await open(options), 'brand')
  const found = await readKit(await open({ space: 'mirror', kits: options.kits }), 'brand')
  expect(understood(found)).toEqual(understood(JSON.parse(JSON.stringify(expected).replaceAll(token, '[secret]'))))
  expect(JSON.stringify(found).match(/"zebra":\{"x":\[\{"a":2,"b":1\}\],"y":1\}/g)).toHaveLength(names.length + 2)
  expect(expected.sections.flatMap(({ items }) => items)).toHaveLength(20)
})

test('contains only safe names, each file once, and no secret', async () => {
  const service = await oddService()
  await mirrored({ space: service.url, spaceId: 7, token, kits: { brand: id(1) } })
  const entries = await readdir(join(root, 'mirror'), { recursive: true, withFileTypes: true })
  for (const { name } of entries) expect(name).toMatch(/^(?:\d\d )?[a-z0-9-]{1,100}(?:@cut)?(?:\.(?:svg|json))?$/)
  expect(entries.filter(({ name }) => name.endsWith('.svg'))).toHaveLength(names.length)
  const texts = await Promise.all(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  )
  expect(texts.join('')).not.toContain(token)
  const bytes = await Promise.all(names.map(async (_, index) => fileOf(id(index))))
  expect(bytes).toEqual(names.map((_, index) => Buffer.from(drawing(id(index)))))
})

/** Returns the bytes that a build from the mirror gets for an asset. */
async function fileOf(asset: string): Promise<Uint8Array> {
  const opened = await open({ space: 'mirror', kits: { brand: id(1) }, cacheDir: 'other' })
  return readContent(opened, { asset, label: '', name: '', ext: 'svg', type: 'SVG' })
}

async function served(files: Parameters<typeof writeSpace>[0]) {
  const space = await writeSpace({ 'space.json': { space_id: 7 }, ...files })
  const server = await serveSpace(space.folder)
  closers.push(
    () => server.close(),
    () => space.remove(),
  )
  return { space, server }
}

test('a mirror of a folder without a space id has no space id, and the lock stays the same', async () => {
  const space = await writeSpace({ 'brand/Logos/acme.svg': drawing('acme') })
  closers.push(() => space.remove())
  await mirrored({ space: space.folder })
  expect(JSON.parse(await readFile(join(root, 'mirror/space.json'), 'utf8'))).toEqual({})
})

test('each version keeps its own files, and cuts in the lock or without a converter keep their bytes', async () => {
  const logo = { uuid: id(5) }
  const { server } = await served({
    'brand/kit.json': { uuid: id(1), use_version: 1, versions: [{ version: 1, folder: 'versions/1' }] },
    'brand/A/logo.svg': svg('draft'),
    'brand/A/logo.json': logo,
    'brand/A/logo@cut.png': 'of the service',
    'brand/A/logo@cut.pdf': '%PDF-1.4\nstartxref\n0\n%%EOF\n',
    'brand/versions/1/A/logo.svg': svg('first'),
    'brand/versions/1/A/logo.json': logo,
  })
  const folder = (path: string) => readFile(join(root, 'mirror/brand', path), 'utf8')
  expect(await mirrored(server.options)).toMatchObject({
    versions: [
      { version: 0, assets: 1, files: 2 },
      { version: 1, files: 1 },
    ],
  })
  expect(await folder('01 a/logo.svg')).toBe(svg('draft'))
  expect(await folder('versions/1/01 a/logo.svg')).toBe(svg('first'))
  expect(await readdir(join(root, 'mirror/brand/01 a'))).not.toContain('logo@cut.png')
  // If the bytes aren't a PNG, they aren't a PNG cut either.
  expect((await mirrored(server.options, { allCuts: true })).missing).toMatchObject([{ cut: 'PNG', version: 0 }])
})

test('a second run updates, touches nothing when nothing has changed, and repairs an interrupted run', async () => {
  const { space, server } = await served({
    'brand/kit.json': { uuid: id(1) },
    'brand/A/a.svg': svg('a'),
    'brand/A/b.svg': svg('b'),
  })
  expect((await mirrored(server.options)).changed).toBe(true)
  const { ino } = await stat(join(root, 'mirror'))
  expect((await mirrored(server.options)).changed).toBe(false)
  expect((await stat(join(root, 'mirror'))).ino).toBe(ino)
  await rm(join(space.folder, 'brand/A/b.svg'))
  await mkdir(join(root, '.mirror.mirror-999999999-dead/brand'), { recursive: true })
  expect((await mirrored(server.options)).changed).toBe(true)
  expect(await readdir(join(root, 'mirror/brand/01 a'))).toEqual(['a.json', 'a.svg', 'section.json'])
  expect(await readdir(root)).toEqual(['cache', 'mirror'])
})

test('a second run changes nothing when only the order of keys has changed', async () => {
  let isReversed = false
  const service = await oddService((result) => (isReversed ? reversed(result) : result))
  const options = { space: service.url, spaceId: 7, token, kits: { brand: id(1) } }
  await mirrored(options)
  isReversed = true
  expect((await mirrored(options)).changed).toBe(false)
})

test('two simultaneous runs write one mirror, one after the other', async () => {
  const { server } = await served({ 'brand/A/a.svg': svg('a'), 'icons/A/b.svg': svg('b') })
  const reports = await Promise.all(
    [['brand'], ['brand', 'icons'], ['brand']].map((kits) => mirrored(server.options, { kits })),
  )
  expect(reports.map(({ changed }) => changed)).toContain(true)
  expect(await readdir(root)).toEqual(['cache', 'mirror'])
  expect((await mirrored({ space: 'mirror' }, { out: 'again' })).versions).toMatchObject([{ version: 0, files: 1 }])
})

test('a folder that is not a mirror, or that contains other files, is rejected and left unchanged', async () => {
  const { server } = await served({ 'brand/A/a.svg': svg('a') })
  await mkdir(join(root, 'mine'))
  await writeFile(join(root, 'mine/thesis.txt'), 'years of work')
  await expect(mirrored(server.options, { out: 'mine' })).rejects.toMatchObject({
    code: 'invalidOption',
    message: expect.stringContaining('is not a mirror'),
  })
  await expect(mirrored(server.options, { out: 'mine/thesis.txt' })).rejects.toMatchObject({ code: 'invalidOption' })
  await symlink('nowhere', join(root, 'link'))
  await expect(mirrored(server.options, { out: 'link' })).rejects.toMatchObject({
    code: 'fileSystem',
    message: expect.stringContaining('link is a broken symbolic link.'),
  })
  await expect(mirrored(server.options, { out: '' })).rejects.toMatchObject({
    code: 'invalidOption',
    message: 'Option out in mirror must be the path of a folder, not "".',
  })
  expect(await readFile(join(root, 'mine/thesis.txt'), 'utf8')).toBe('years of work')
  await mirrored(server.options)
  await writeFile(join(root, 'mirror/brand/notes.txt'), 'mine')
  await expect(mirrored(server.options)).rejects.toThrow(
    'mirror contains files that are not part of the mirror: brand/notes.txt',
  )
  expect(await readFile(join(root, 'mirror/brand/notes.txt'), 'utf8')).toBe('mine')
})

test('a failing mirror run keeps the existing mirror', async () => {
  const { server } = await served({ 'brand/A/a.svg': svg('a') })
  await mirrored(server.options)
  await expect(mirrored({ ...server.options, token: 'wrong' })).rejects.toMatchObject({ code: 'unauthorized' })
  expect(await readdir(root)).toEqual(['cache', 'mirror'])
  expect(await readdir(join(root, 'mirror'))).toEqual(['brand', 'mirror.json', 'space.json'])
})

test('an aborted run keeps the existing mirror, and the next run requests only the remaining files', async () => {
  const files = Array.from({ length: 50 }, (_, index) => [`brand/A/icon-${index}.svg`, svg(`icon ${index}`)])
  const { server } = await served(Object.fromEntries(files))
  const stop = new AbortController()
  const events: ProgressEvent[] = []
  const onProgress = (event: ProgressEvent): void => {
    events.push(event)
    if (event.type === 'file' && event.done === 5) stop.abort()
  }
  const options = { ...server.options, concurrency: 2 }
  await expect(mirrored(options, { signal: stop.signal, onProgress })).rejects.toMatchObject({ code: 'aborted' })
  expect(events[0]).toMatchObject({ type: 'plan', kit: 'brand', version: 0, files: 50, downloads: 50 })
  expect(await readdir(root)).toEqual(['cache'])
  const before = server.downloads().length
  expect(before).toBeLessThan(50)
  expect(await mirrored(options)).toMatchObject({ versions: [{ files: 50 }], missing: [] })
  expect(server.downloads().length).toBeLessThanOrEqual(50 + options.concurrency)
})
