import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Copies, KitData, Project, Usage } from '../../../../src/commands/shared/kit-page/data.js'
import { isListed } from '../../../../src/commands/browse/editor.js'
import { refresh } from '../../../../src/commands/shared/kits.js'
import { sync } from '../../../../src/commands/shared/sync.js'
import { finish } from '../../../../src/engine/build.js'
import { openBrowserBench, type BrowserBench } from '../../../support/kit-browser.js'
import {
  brand,
  richSpace,
  serveSpace,
  svg,
  writeSpace,
  type ServedSpace,
  type SpaceFolder,
} from '../../../support/space.js'

let folder: SpaceFolder
let service: ServedSpace
const open: BrowserBench[] = []

beforeAll(async () => {
  folder = await richSpace()
  service = await serveSpace(folder.folder)
})
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close()
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

async function bench(options: object = {}, files: Record<string, string> = {}): Promise<BrowserBench> {
  const opened = await openBrowserBench({ ...service.options, ...options }, files)
  open.push(opened)
  return opened
}

// The types are asserted, because the tests check the properties that they read.
const kitOf = (from: BrowserBench, version = 0) => from.json<KitData>(`data/kits/${brand.uuid}/${version}.json`)
const projectOf = (from: BrowserBench) => from.json<Project>('data/project.json')
const usageOf = (from: BrowserBench) => from.json<Usage>('data/usage.json')

const assetOf = (kit: KitData, slug: string) => {
  const asset = Object.values(kit.assets).find((one) => one.slug === slug)
  if (asset === undefined) throw new Error(`There is no asset ${slug}.`)
  return asset
}

describe('the data of the kit browser', () => {
  test('has all aliases of a kit, with the versions that they mean', async () => {
    const aliases = { next: { kit: brand.uuid, version: 'draft' }, one: brand.uuid, two: brand.uuid } as const
    const opened = await bench({ kits: aliases })
    const { kits } = await projectOf(opened)
    expect([(await kitOf(opened)).reference, (await kitOf(opened, 1)).reference]).toEqual(['next', 'one'])
    expect(kits[0]).toMatchObject({ reference: 'one', version: 1, aliases: { next: 0, two: 1 } })
  })

  test("has every kit of the space with versions, beginning with the project's kits", async () => {
    const { kits, canOpen, mode, parameters, framework } = await projectOf(
      await bench({ kits: { arrows: 'icons' } }, { 'package.json': '{"dependencies":{"vue":"3"}}' }),
    )
    expect(kits.map(({ reference, isUsed }) => [reference, isUsed])).toEqual([
      ['arrows', true],
      ['acme-brand', false],
    ])
    expect(kits[1]).toMatchObject({
      uuid: brand.uuid,
      name: 'Acme Brand',
      version: 1,
      useVersion: 1,
      versions: [
        { version: 1, label: '1.0', notes: 'First', assets: 1 },
        { version: 0, label: 'draft' },
      ],
    })
    expect(kits[0]?.aliases).toBeUndefined()
    expect({ canOpen, mode, framework }).toEqual({ canOpen: true, mode: 'browse', framework: 'vue' })
    const width = { key: 'w', isList: true, description: expect.stringContaining('width') }
    expect(parameters).toContainEqual(width)
    expect(parameters).toContainEqual({ key: 'svgo', isFlag: true, description: expect.any(String) })
  })

  test('does not load a kit before it is opened, and does not add it to the lockfile', async () => {
    const opened = await bench()
    service.requests.length = 0
    await projectOf(opened)
    expect(service.requests.filter(({ path }) => path.includes('sections'))).toEqual([])
    await kitOf(opened)
    await finish(opened.engine)
    expect((await opened.engine.sync.verify()).lines.join()).not.toContain('acme')
    expect(service.downloads()).toEqual([])
  })

  test('describes sections, headings and assets in order', async () => {
    const kit = await kitOf(await bench())
    expect(kit).toMatchObject({ uuid: brand.uuid, name: 'Acme Brand', version: 0, reference: 'acme-brand@draft' })
    expect(kit.sections.map(({ name, slug }) => [name, slug])).toEqual([
      ['Logos', 'logos'],
      ['Photos', 'photos'],
      ['More', 'more'],
    ])
    expect(kit.sections[0]?.items.slice(0, 3)).toEqual([
      { heading: 'Primary', slug: 'primary' },
      { asset: brand.logo },
      { heading: 'Documents', slug: 'documents' },
    ])
    expect(assetOf(kit, 'acme-logo')).toMatchObject({
      export: 'acmeLogo',
      component: 'AcmeLogo',
      kind: 'picture',
      notes: 'The logo',
      keywords: ['logo', 'main'],
      colors: ['#336699'],
      width: 120,
      height: 40,
      cuts: expect.arrayContaining(['png', 'eps']),
    })
    expect(assetOf(kit, 'guide')).toMatchObject({ kind: 'file', type: 'PDF' })
    expect(assetOf(kit, 'guide').component).toBeUndefined()
    // Browsers can't display a TIFF, so the kit browser displays the large thumbnail.
    expect(assetOf(kit, 'scan').original).toMatch(/^originals\//)
    expect((await kitOf(await bench(), 1)).reference).toBe('acme-brand')
  })

  test('describes colors and fonts', async () => {
    const space = await writeSpace({
      'k/Colors/coral.json': { color: '#E5603F66' },
      'k/Colors/odd.json': { type: 'COLOR', meta: {} },
    })
    const opened = await openBrowserBench({ space: space.folder })
    open.push(opened)
    const [entry] = (await projectOf(opened)).kits
    const kit = await opened.json<KitData>(`data/kits/${entry?.uuid}/0.json`)
    expect(assetOf(kit, 'coral')).toMatchObject({
      kind: 'color',
      token: 'coral',
      variable: '--k-coral',
      color: { hex: '#e5603f', alpha: 0.4, css: 'rgb(229 96 63 / 40%)', rgb: [229, 96, 63] },
    })
    expect(assetOf(kit, 'odd').token).toBeUndefined()
    await space.remove()
  })

  test('has the failure of one kit apart from the others', async () => {
    const opened = await bench()
    const { status, body } = await opened.get(`data/kits/${brand.uuid}/9.json`)
    expect(status).toBe(404)
    expect(JSON.parse(body.toString())).toEqual({ message: expect.stringContaining('has no version 9') })
    expect((await projectOf(opened)).kits).toHaveLength(2)
  })
})

describe('usage', () => {
  const files = {
    'main.ts': [
      `import { acmeLogo } from 'content-space:kit/brand@draft'`,
      `import hero from 'content-space:asset/brand@draft/hero-photo?w=20;40&format=webp'`,
      `import type { badge } from 'content-space:kit/brand@draft'`,
      `import wrong from 'content-space:asset/brand@draft/acme-loga'`,
      `console.log(acmeLogo, hero, wrong)`,
    ].join('\n'),
    'all.ts': `import kit from 'content-space:kit/arrows'\nconsole.log(kit)\n`,
    // This file is the only one that uses the badge.
    'table.ts': `import records from 'content-space:kit/brand@draft?as=metadata'\nconsole.log(records)\n`,
  }

  test('has locations, known sizes, whole kits, and rejected imports', async () => {
    const opened = await bench({ kits: { brand: brand.uuid, arrows: 'icons' } }, files)
    const [kit, { kits }] = [await kitOf(opened), await projectOf(opened)]
    const [logo, hero] = [assetOf(kit, 'acme-logo'), assetOf(kit, 'hero-photo')]
    const query = 'w=20;40&format=webp'
    const before = await usageOf(opened)
    expect(before.assets[logo.uuid]).toEqual({
      places: [{ file: 'main.ts', line: 1 }],
      files: [{ query: '', bytes: svg('draft', 120, 40).length }],
    })
    expect(before.assets[hero.uuid]).toEqual({ places: [{ file: 'main.ts', line: 2 }], files: [{ query }, { query }] })
    expect(before.assets[assetOf(kit, 'badge').uuid]).toBeUndefined()
    const arrows = kits.find(({ reference }) => reference === 'arrows')
    expect(before.kits).toEqual({ [arrows?.uuid ?? '']: [{ file: 'all.ts', line: 1 }] })
    expect(before.refused).toEqual([
      {
        file: 'main.ts',
        line: 4,
        specifier: 'content-space:asset/brand@draft/acme-loga',
        reason: expect.stringContaining('acme-logo'),
      },
    ])
    const id = encodeURIComponent(`content-space:asset/brand@draft/hero-photo?${query}`)
    const made = await opened.get(`query?id=${id}`)
    expect([made.status, made.headers['content-type']]).toEqual([200, 'image/webp'])
    expect((await sharp(made.body).metadata()).width).toBe(40)
    const after = (await usageOf(opened)).assets[hero.uuid]?.files.map(({ bytes }) => bytes)
    expect(after?.filter((bytes) => bytes === made.body.length)).toHaveLength(1)
  })

  test('copies are found on request, without downloads and without changing the lockfile', async () => {
    const [old, current] = ['M0 0h9v3z', 'M0 0h3v9z'].map((d) => svg('logo').replace('M0 0h24v24z', d))
    const space = await writeSpace({
      'k/kit.json': {
        use_version: 2,
        versions: [
          { version: 1, folder: '1' },
          { version: 2, folder: '2' },
        ],
      },
      'k/1/Logos/logo.svg': old ?? '',
      'k/2/Logos/logo.svg': current ?? '',
      'k/1/Logos/logo.json': { uuid: brand.logo },
      'k/2/Logos/logo.json': { uuid: brand.logo },
      'k/2/Colors/coral.json': { color: '#E5603F' },
    })
    const served = await serveSpace(space.folder)
    const opened = await openBrowserBench(
      { ...served.options, kits: { k: 'k' } },
      { 'public/old.svg': old ?? '', 'src/logo.svg': current ?? '', 'src/a.css': 'a { color: #e5603f }\n' },
    )
    open.push(opened)
    const copies = await opened.json<Copies>('data/copies.json')
    expect(copies).toEqual({
      [brand.logo]: [
        { file: 'public/old.svg', line: 1, note: 'outdated, version 1.0' },
        { file: 'src/logo.svg', line: 1, note: 'copy' },
      ],
    })
    expect(served.downloads()).toEqual([])
    expect(opened.engine.lock.current().kits).toEqual({})
    const usage = await usageOf(opened)
    expect([1, 2].map((line) => isListed({ file: 'public/old.svg', line }, usage, copies))).toEqual([true, false])
    await served.close()
    await space.remove()
  })

  test("drift reports what differs between the lockfile and the space, and what can't be compared", async () => {
    const opened = await bench({ kits: { brand: brand.uuid } }, files)
    await sync(opened.engine).catch(() => {})
    expect(await opened.json('data/drift.json')).toEqual({})
    await folder.write({ 'brand/02 Photos/new.svg': svg('new') })
    await refresh(opened.engine)
    expect(await opened.json('data/drift.json')).toMatchObject({
      [brand.uuid]: { from: 0, to: 0, added: [{ name: 'New', export: '_new' }], removed: [] },
    })
    await folder.delete('brand/02 Photos/new.svg')
  })
})

describe('previews', () => {
  test("are the service's thumbnails, requested once and without downloads", async () => {
    const opened = await bench()
    const kit = await kitOf(opened)
    const { preview = '' } = assetOf(kit, 'hero-photo')
    service.requests.length = 0
    const first = await opened.get(preview)
    expect([first.status, first.headers['content-type']]).toEqual([200, 'image/png'])
    expect(first.headers['cache-control']).toContain('immutable')
    await opened.get(preview)
    const again = await opened.get(preview, { headers: { 'if-none-match': String(first.headers.etag) } })
    expect(again.status).toBe(304)
    expect(service.requests.map(({ path }) => path.split('/')[1])).toEqual(['thumbnails'])
    expect(service.requests[0]?.authorization).toBe(false)
    expect(service.downloads()).toEqual([])
  })

  test('of a kit are covers of the service', async () => {
    const opened = await bench()
    const { cover = '' } = (await projectOf(opened)).kits.find(({ uuid }) => uuid === brand.uuid) ?? {}
    const { status, headers } = await opened.get(cover)
    expect([status, headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect((await opened.get(`covers/${brand.logo}/0`)).status).toBe(404)
  })

  test('are displayed large as a thumbnail, without a download', async () => {
    const opened = await bench()
    const before = service.downloads().length
    for (const asset of Object.values((await kitOf(opened)).assets)) {
      if (asset.kind === 'font' || asset.original === undefined) continue
      const { status, headers } = await opened.get(asset.original)
      expect([status, headers['content-type']], asset.name).toEqual([200, expect.stringMatching(/^image\//)])
    }
    expect(service.downloads()).toHaveLength(before)
  })

  test('of queries are rejected if they would be larger than any display', async () => {
    const opened = await bench()
    const get = (query: string) => opened.get(`query?id=content-space:asset/acme-brand@draft/acme-logo?${query}`)
    const { status, body } = await get('w=16383%26h=16383%26format=avif')
    expect([status, body.toString()]).toEqual([400, expect.stringContaining('16383 × 16383 pixels is too large')])
    expect((await get('w=64%26format=png')).status).toBe(200)
  })

  test('stand for kits of a folder, which have no covers', async () => {
    const opened = await openBrowserBench({ space: folder.folder })
    open.push(opened)
    const { kits } = await projectOf(opened)
    for (const { cover = '', name } of kits) {
      const { status, headers } = await opened.get(cover)
      expect([status, headers['content-type']], name).toEqual([200, expect.stringMatching(/^image\//)])
    }
  })

  test('of a folder are small pictures, or the file itself', async () => {
    const large = await sharp({
      create: {
        width: 1500,
        height: 900,
        channels: 3,
        background: '#123',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .jpeg({ quality: 95 })
      .toBuffer()
    await folder.write({ 'brand/02 Photos/large.jpg': large })
    const opened = await openBrowserBench({ space: folder.folder })
    open.push(opened)
    const kit = await kitOf(opened)
    const small = await opened.get(assetOf(kit, 'large').preview ?? '')
    expect(small.headers['content-type']).toBe('image/webp')
    expect((await sharp(small.body).metadata()).width).toBe(480)
    const original = await opened.get(assetOf(kit, 'large').original ?? '')
    expect(original.body.equals(large)).toBe(true)
    const logo = await opened.get(assetOf(kit, 'acme-logo').preview ?? '')
    expect([logo.headers['content-type'], logo.body.toString()]).toEqual(['image/svg+xml', svg('draft', 120, 40)])
    await folder.delete('brand/02 Photos/large.jpg')
  })
})
