import { createHash } from 'node:crypto'
import { rename, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ByteStore } from '../../../../src/disk/content.js'
import { findRoot } from '../../../../src/space/folder/read.js'
import { folderSpace } from '../../../../src/space/folder/space.js'
import { readTexts } from '../../../../src/space/item-kinds.js'
import type { ItemRecord, Space } from '../../../../src/space/space.js'
import { downloadBytes } from '../../../support/download.js'
import { runs } from '../../../support/long.js'
import { brand, largeSpace, richSpace, svg, writeSpace, type Files, type SpaceFolder } from '../../../support/space.js'

const folders: SpaceFolder[] = []
afterEach(() => Promise.all(folders.splice(0).map((space) => space.remove())))

async function kept(made: Promise<SpaceFolder>): Promise<SpaceFolder> {
  const space = await made
  folders.push(space)
  return space
}

const md5 = (bytes: string | Uint8Array) => createHash('md5').update(bytes).digest('hex')

const written = (files: Files) => kept(writeSpace(files))

/** Returns the items in every section of a version, by the section's name. */
async function sectionsOf(space: Space, kit: string, version = 0): Promise<Record<string, ItemRecord[]>> {
  const { sections } = await space.outline(kit, version)
  const entries = await Promise.all(
    sections.map(async ({ uuid, name }) => [name, (await space.section(uuid, version)).items] as const),
  )
  return Object.fromEntries(entries)
}

/** Returns the content of a section in order, with headings in brackets. */
const shown = (items: ItemRecord[] = []) =>
  items.map((item) =>
    item.type === 'heading' ? `[${readTexts(item.type, item.data)?.['content']}]` : item.asset?.name,
  )

describe('plain folders', () => {
  test('are kits, sections, headings and assets with readable names, in natural order', async () => {
    const { folder } = await written({
      'brand/10 Last/b.svg': svg('b'),
      'brand/2 First/iOS_app-icon.svg': svg('i'),
      'brand/2 First/2 Second/two.svg': svg('two'),
      'brand/2 First/1 One/ten 10.svg': svg('ten'),
      'brand/2 First/1 One/ten 9.svg': svg('nine'),
      'brand/.hidden/x.svg': svg('x'),
      'brand/2 First/.DS_Store': 'x',
      'brand/2 First/Thumbs.db': 'x',
      'brand/2 First/1 One/desktop.ini': 'x',
      'brand/2 First/1 One/THUMBS.DB': 'x',
    })
    const space = folderSpace(folder)
    const [kit] = await space.kits()
    expect(kit).toMatchObject({ name: 'brand', useVersion: 0, status: 'active', dateAdded: '2020-01-01T00:00:00.000Z' })
    const sections = await sectionsOf(space, kit?.uuid ?? '')
    expect(Object.keys(sections)).toEqual(['First', 'Last'])
    expect(shown(sections['First'])).toEqual(['iOS App Icon', '[One]', 'Ten 9', 'Ten 10', '[Second]', 'Two'])
  })

  test('treat loose files in a kit as a section with the name of the kit', async () => {
    const { folder } = await written({ 'icons/a.svg': svg('a'), 'icons/More/b.svg': svg('b') })
    const space = folderSpace(folder)
    const [kit] = await space.kits()
    expect(Object.keys(await sectionsOf(space, kit?.uuid ?? ''))).toEqual(['icons', 'More'])
  })

  test('give the same records for any location and time of the files', async () => {
    const files = { 'brand/01 A/x.svg': svg('x'), 'brand/01 A/H/y.svg': svg('y'), 'brand/02 B/z.svg': svg('z') }
    const [one, two] = [await written(files), await written(files)]
    await utimes(join(two.folder, 'brand/01 A/x.svg'), 1, 1)
    const [a, b] = [folderSpace(one.folder), folderSpace(two.folder)]
    const [kit] = await a.kits()
    expect(await b.kits()).toEqual(await a.kits())
    expect(await sectionsOf(b, kit?.uuid ?? '')).toEqual(await sectionsOf(a, kit?.uuid ?? ''))
  })

  test('derive distinct uuids for every kit, section, heading, item and asset', async () => {
    const files = { 'a/S/x.svg': svg('x'), 'a/S/H/x.svg': svg('y'), 'b/S/x.svg': svg('x'), 'b/S/H/x.svg': svg('y') }
    const { folder } = await written(files)
    const space = folderSpace(folder)
    const uuids: string[] = []
    for (const kit of await space.kits()) {
      const items = Object.values(await sectionsOf(space, kit.uuid)).flat()
      const { sections } = await space.outline(kit.uuid, 0)
      uuids.push(
        kit.uuid,
        ...sections.map(({ uuid }) => uuid),
        ...items.flatMap(({ uuid, asset }) => [uuid, asset?.uuid ?? []].flat()),
      )
    }
    expect(new Set(uuids).size).toBe(uuids.length)
    expect(uuids).toHaveLength(2 * (1 + 1 + 3 + 2))
    for (const uuid of uuids) expect(uuid).toMatch(/^[\dA-F]{8}-[\dA-F]{4}-5[\dA-F]{3}-[89AB][\dA-F]{3}-[\dA-F]{12}$/)
  })

  test('keep unusual names complete', async () => {
    const names = ['100% größe #1', '🎉', 'a?b=c&d', "it's [1]", 'مرحبا']
    const { folder } = await written(Object.fromEntries(names.map((name) => [`kit/S ${name}/${name}.svg`, svg(name)])))
    const space = folderSpace(folder)
    const [kit] = await space.kits()
    const items = Object.values(await sectionsOf(space, kit?.uuid ?? '')).flat()
    for (const name of names) {
      const asset = items.find((item) => item.asset?.name.toLowerCase() === name)?.asset
      expect(Buffer.from(await downloadBytes(space, { uuid: asset?.uuid ?? '' })).toString()).toBe(svg(name))
    }
  })
})

describe('JSON beside the files', () => {
  test('adds information that folders cannot express', async () => {
    const { folder } = await kept(richSpace())
    const space = folderSpace(folder)
    expect(await space.kit(brand.uuid.toLowerCase(), 'versions')).toMatchObject({
      name: 'Acme Brand',
      useVersion: 1,
      spaceId: '7',
      versions: [
        { version: 0 },
        { version: 1, versionIdentifier: '1.0', notes: 'First', counts: { assets: 1, items: 1, sections: 1 } },
      ],
    })
    const sections = await sectionsOf(space, brand.uuid)
    expect(shown(sections['Logos'])).toEqual(['[Primary]', 'Acme Logo', '[Documents]', 'Guide'])
    expect(shown(sections['More'])).toEqual(['Acme Logo', 'Brand Red', '100% Größe #1 🎉'])
    const logo = sections['Logos']?.[1]?.asset
    expect(logo).toMatchObject({
      uuid: brand.logo,
      notes: 'The logo',
      keywords: ['logo', 'main'],
      colors: [{ hex: '#336699' }],
      width: 120,
      height: 40,
      raw: { legacy_id: 12 },
      cuts: [
        { type: 'PNG', enabled: true, resizable: true },
        { type: 'PDF', enabled: false, resizable: false },
        { type: 'EPS', enabled: true, resizable: false },
      ],
    })
    expect(sections['More']?.[0]?.asset).toEqual(logo)
    expect(sections['More']?.[1]?.asset).toMatchObject({
      type: 'Color',
      size: 0,
      meta: { value: '#FF0000' },
      fileHash: undefined,
    })
    expect((await space.outline(brand.uuid, 0)).sections[0]?.headings[1]).toEqual({
      uuid: brand.documents,
      name: 'Documents',
    })
  })

  test('keeps an asset the same in all versions, and downloads the file of the version or the draft', async () => {
    const files = await kept(richSpace())
    const space = folderSpace(files.folder)
    const first = (await sectionsOf(space, brand.uuid, 1))['Logos']?.[0]?.asset
    expect(first).toMatchObject({ uuid: brand.logo, notes: 'The logo, first edition' })
    expect(Buffer.from(await downloadBytes(space, { uuid: brand.logo })).toString()).toBe(svg('draft', 120, 40))
    const pinned = await downloadBytes(space, { uuid: brand.logo, hash: first?.fileHash })
    expect(Buffer.from(pinned).toString()).toBe(svg('one', 120, 40))
    await files.write({ 'brand/01 Logos/acme-logo.svg': svg('newer', 120, 40) })
    const now = (await sectionsOf(space, brand.uuid))['Logos']?.[1]?.asset
    expect(now?.fileHash).not.toBe(first?.fileHash)
    expect(Buffer.from(await downloadBytes(space, { uuid: brand.logo })).toString()).toBe(svg('newer', 120, 40))
  })

  test('describes a file as long as the file is the one that the record was written for', async () => {
    const bytes = svg('a')
    const file_md5 = md5(bytes)
    const said = {
      file_md5,
      file_hash: 'ABCDEF',
      file_id: 'x',
      size: 7,
      dimensions: '9x9',
      date_added: null,
      meta: { filecuts: { available_types: [{ type: 'EPS' }] } },
    }
    const space = await written({
      'brand/A/a.svg': bytes,
      'brand/A/a.json': said,
      'brand/A/section.json': { counts: { items: 5 } },
      'space.json': { space_id: 12 },
    })
    const open = folderSpace(space.folder)
    expect(open.spaceId).toBe('12')
    const read = async () => {
      const [kit] = await open.kits()
      const { sections } = await open.outline(kit?.uuid ?? '', 0)
      return open.section(sections[0]?.uuid ?? '', 0)
    }
    const { counts, items } = await read()
    expect(counts).toEqual({ assets: 1, items: 5 })
    const [asset] = items.map((item) => item.asset)
    expect(asset).toMatchObject({
      fileHash: 'abcdef',
      fileId: 'x',
      size: 7,
      width: 9,
      dateAdded: undefined,
      cuts: [{ type: 'EPS', enabled: true }],
    })
    expect(asset?.raw).not.toHaveProperty('file_md5')
    expect(Buffer.from(await downloadBytes(open, { uuid: asset?.uuid ?? '', hash: 'abcdef' })).toString()).toBe(bytes)
    await space.write({ 'brand/A/a.svg': svg('another') })
    const [edited] = (await read()).items
    expect(edited?.asset).toMatchObject({
      size: svg('another').length,
      fileHash: md5(svg('another')),
    })
  })

  test('is read again after each change of a file, a description, a name, a link, and of the folder itself', async () => {
    const space = await written({
      'space.json': JSON.stringify({ space_id: 7 }),
      'kit/kit.json': JSON.stringify({ name: 'Kit', versions: [{ version: 1, folder: '.old' }] }),
      'kit/.old/S/a.svg': svg('a'),
      'kit/S/section.json': JSON.stringify({ name: 'S' }),
      'kit/S/a.svg': svg('a'),
      'kit/S/a.json': JSON.stringify({ notes: 'one' }),
    })
    await symlink('a.svg', join(space.folder, 'kit/S/link.svg'))
    const link = join(tmpdir(), basename(space.folder) + '-link')
    await symlink(space.folder, link)
    const open = folderSpace(link)
    const read = async () => {
      const [kit] = await open.kits()
      const versions = await Promise.all([0, 1].map((version) => sectionsOf(open, kit?.uuid ?? '', version)))
      return JSON.stringify([kit, versions])
    }
    const changes: (() => Promise<unknown>)[] = [
      () => space.write({ 'kit/S/a.svg': svg('b') }),
      () => space.write({ 'kit/S/a.json': JSON.stringify({ notes: 'two' }) }),
      () => space.write({ 'kit/S/section.json': JSON.stringify({ name: 'T' }) }),
      () =>
        space.write({ 'kit/kit.json': JSON.stringify({ name: 'Set', versions: [{ version: 1, folder: '.old' }] }) }),
      () => space.write({ 'kit/.old/S/a.svg': svg('c') }),
      () => space.write({ 'kit/S/Below/deep.svg': svg('deep') }),
      () => rename(join(space.folder, 'kit/S/Below'), join(space.folder, 'kit/S/Other')),
      () => rm(join(space.folder, 'kit/S/Other/deep.svg')),
      async () => {
        await rm(join(space.folder, 'kit/S/link.svg'))
        await symlink('../.old/S/a.svg', join(space.folder, 'kit/S/link.svg'))
      },
      async () => {
        const { folder } = await written({
          'kit/S/z.svg': svg('z'),
          'kit/kit.json': JSON.stringify({ versions: [{ version: 1, folder: 'S' }] }),
        })
        await rm(link)
        await symlink(folder, link)
      },
    ]
    const seen = [await read()]
    for (const change of changes) {
      expect(await read()).toBe(seen.at(-1))
      await change()
      seen.push(await read())
    }
    await rm(link)
    expect(new Set(seen).size).toBe(changes.length + 1)
  })

  test('treats two files that differ only in their extension as two assets', async () => {
    const { folder } = await written({
      'kit/S/logo.svg': svg('a'),
      'kit/S/logo.pdf': '%PDF-1.4',
      'kit/S/logo.svg.json': { notes: 'the SVG' },
    })
    const space = folderSpace(folder)
    const [kit] = await space.kits()
    const items = (await sectionsOf(space, kit?.uuid ?? ''))['S'] ?? []
    expect(items.map(({ asset }) => [asset?.name, asset?.type, asset?.notes])).toEqual([
      ['Logo', 'PDF', ''],
      ['Logo', 'SVG', 'the SVG'],
    ])
  })
})

test.each([
  ['sapce', /Did you mean [^ ]*space\?/],
  ['content.example.com', /Did you mean https:\/\/content\.example\.com\?/],
  ['content.example.com/api', /Did you mean https:\/\/content\.example\.com\/api\?/],
  ['localhost:3000', /Did you mean http:\/\/localhost:3000\?/],
  ['unlike/any', /^A space is a folder/],
])('a folder that does not exist, %s, is answered with what may be meant', async (name, hint) => {
  const { folder: root } = await written({ 'space/kit/kit.json': {} })
  await expect(findRoot(join(root, name))).rejects.toMatchObject({
    code: 'invalidSpace',
    hint: expect.stringMatching(hint),
  })
})

const wrong: [string, Files, RegExp][] = [
  ['no folder', {}, /The folder .* does not exist/],
  ['a file in its place', { 'kit/kit.json': {} }, /kit\.json is not a folder/],
  ['the folder of a kit', { 'kit.json': {}, 'S/a.svg': svg('a') }, /is the folder of a kit\.\n.* that contains it: \//],
  ['a comma too many', { 'kit/kit.json': '{\n  "name": "Kit",\n}' }, /kit\/kit\.json:3 /],
  ['a word that is none', { 'kit/kit.json': '{\n  "name": Kit\n}' }, /kit\/kit\.json:2 /],
  ['an unfinished file', { 'kit/kit.json': '{\n  "name": "Kit"\n' }, /kit\/kit\.json:3 /],
  ['a field of a wrong type', { 'kit/kit.json': { use_version: 'one' } }, /kit\/kit\.json: `use_version`/],
  ['a uuid that is none', { 'kit/S/a.svg': svg('a'), 'kit/S/a.json': { uuid: '123' } }, /kit\/S\/a\.json: `uuid`/],
  [
    'a file that is not there',
    { 'kit/S/acme-logo.svg': svg('a'), 'kit/S/section.json': { items: ['acme-lgo.svg'] } },
    /kit\/S\/section\.json names the file "acme-lgo\.svg"[^]*acme-logo\.svg/,
  ],
  [
    'a path out of the kit',
    { 'kit/S/section.json': { items: ['../../other/S/a.svg'] }, 'other/S/a.svg': svg('a') },
    /names the file "\.\.\/\.\.\/other/,
  ],
  [
    'JSON that describes nothing',
    { 'kit/S/logo.svg': svg('a'), 'kit/S/lgo.json': { notes: 'x' } },
    /lgo\.json describes neither a file nor data[^]*logo\.svg/,
  ],
  [
    'a cut of nothing',
    { 'kit/S/logo.svg': svg('a'), 'kit/S/lgo@cut.eps': '%!PS' },
    /lgo@cut\.eps is a cut, but its original is missing[^]*logo\.svg/,
  ],
  ['a version in use that is none', { 'kit/kit.json': { use_version: 3 } }, /`use_version` is 3/],
  ['a snapshot that is not there', { 'kit/kit.json': { versions: [{ version: 1 }] } }, /versions\/1/],
  [
    'one uuid for two files',
    {
      'kit/S/a.svg': svg('a'),
      'kit/S/a.json': { uuid: brand.logo },
      'kit/S/b.svg': svg('b'),
      'kit/S/b.json': { uuid: brand.logo },
    },
    /a\.svg and .*b\.svg differ/,
  ],
  ['one uuid for two kits', { 'a/kit.json': { uuid: brand.uuid }, 'b/kit.json': { uuid: brand.uuid } }, /kits a and b/],
]

describe('invalid content', () => {
  // Other systems don't allow names that aren't UTF-8.
  test.runIf(process.platform === 'linux')('is a name that is not UTF-8, which Node cannot open', async () => {
    const { folder } = await written({ 'kit/S/a.svg': svg('a') })
    await writeFile(Buffer.from(`${folder}/kit/S/caf\xe9.svg`, 'latin1'), svg('b'))
    await expect(folderSpace(folder).kits()).rejects.toMatchObject({
      code: 'invalidSpace',
      message: `The name of ${join(folder, 'kit/S/caf\uFFFD.svg')} is not valid UTF-8.\nRename it.`,
    })
  })

  test.each(wrong)('is mentioned in the error: %s', async (name, files, message) => {
    const { folder } = await written(files)
    if (name === 'no folder') await rm(folder, { recursive: true })
    const kits = folderSpace(name === 'a file in its place' ? join(folder, 'kit/kit.json') : folder).kits()
    await expect(kits).rejects.toThrow(message)
    await expect(kits).rejects.toMatchObject({ code: 'invalidSpace' })
  })

  test('is a link that leaves the space, while links inside of it are followed', async () => {
    const outside = await written({ 'secret.svg': svg('secret') })
    const { folder } = await written({ 'kit/S/a.svg': svg('a') })
    await symlink(join(folder, 'kit/S/a.svg'), join(folder, 'kit/S/b.svg'))
    expect((await folderSpace(folder).kits())[0]?.name).toBe('kit')
    await symlink(join(outside.folder, 'secret.svg'), join(folder, 'kit/S/c.svg'))
    await expect(folderSpace(folder).kits()).rejects.toMatchObject({ code: 'invalidSpace' })
    await rename(join(folder, 'kit/S/a.svg'), join(folder, 'kit/S/d.svg'))
    await rm(join(folder, 'kit/S/c.svg'))
    await expect(folderSpace(folder).kits()).rejects.toMatchObject({ code: 'invalidSpace' })
  })

  test('is a file that became a link after it was listed', async () => {
    const outside = await written({ 'secret.svg': svg('secret') })
    const { folder } = await kept(richSpace())
    const space = folderSpace(folder)
    await space.kits()
    await rm(join(folder, 'brand/01 Logos/acme-logo.svg'))
    await symlink(join(outside.folder, 'secret.svg'), join(folder, 'brand/01 Logos/acme-logo.svg'))
    await expect(downloadBytes(space, { uuid: brand.logo })).rejects.toMatchObject({ code: 'invalidSpace' })
  })

  test('is a folder that is linked into itself', async () => {
    const { folder } = await written({ 'kit/S/a.svg': svg('a') })
    await symlink(join(folder, 'kit'), join(folder, 'kit/S/again'))
    await expect(folderSpace(folder).kits()).rejects.toMatchObject({ code: 'invalidSpace' })
  })

  test('has the error codes of the service when it is missing', async () => {
    const { folder } = await kept(richSpace())
    const space = folderSpace(folder)
    const uuid = '00000000-0000-4000-8000-000000000000'
    const [logos] = (await space.outline(brand.uuid, 0)).sections
    await expect(space.kit(uuid, 'versions')).rejects.toMatchObject({ code: 'kitNotFound' })
    await expect(space.outline(brand.uuid, 2)).rejects.toMatchObject({ code: 'versionNotFound' })
    await expect(space.section(uuid, 0)).rejects.toMatchObject({ code: 'sectionNotFound' })
    await expect(space.section(logos?.uuid ?? '', 2)).rejects.toMatchObject({ code: 'versionNotFound' })
    await expect(downloadBytes(space, { uuid })).rejects.toMatchObject({ code: 'assetNotFound' })
    await expect(downloadBytes(space, { uuid: brand.logo }, 'PDF')).rejects.toMatchObject({
      code: 'fileCutUnavailable',
    })
  })
})

/** A store in memory. */
function memoryStore() {
  const entries = new Map<string, Uint8Array>()
  const store: ByteStore = {
    peek: async (key) => {
      const bytes = entries.get(key)
      return bytes && { bytes }
    },
    put: async (key, bytes) => void entries.set(key, bytes),
  }
  return { store, entries }
}

async function hashesOf(folder: string, store: ByteStore) {
  const space = folderSpace(folder, { store })
  const [kit] = await space.kits()
  const items = Object.values(await sectionsOf(space, kit?.uuid ?? '')).flat()
  return items.map(({ asset }) => asset?.fileHash)
}

const later = (milliseconds: number) => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + milliseconds })

describe('what was read of files', () => {
  afterEach(() => void vi.useRealTimers())

  test('is kept for later runs until a file changes', async () => {
    const { folder } = await written({ 'kit/a.svg': svg('a'), 'kit/b.svg': svg('b') })
    later(60_000)
    const { store, entries } = memoryStore()
    const [a, b] = await hashesOf(folder, store)
    expect([a, b]).toEqual([md5(svg('a')), md5(svg('b'))])
    const [[key = '', bytes = new Uint8Array()] = []] = entries
    // A later run uses what was stored instead of reading the files.
    const other = md5('other')
    entries.set(
      key,
      Buffer.from(
        Buffer.from(bytes)
          .toString()
          .replace(a ?? '', other),
      ),
    )
    expect(await hashesOf(folder, store)).toEqual([other, b])
    await writeFile(join(folder, 'kit/a.svg'), svg('c'))
    expect(await hashesOf(folder, store)).toEqual([md5(svg('c')), b])
  })

  test('is not kept of a file that may change again within the same time', async () => {
    const { folder } = await written({ 'kit/a.svg': svg('a') })
    const { store, entries } = memoryStore()
    await hashesOf(folder, store)
    later(2000)
    await hashesOf(folder, store)
    expect(entries.size).toBe(0)
  })

  test('is read again if the entry is invalid', async () => {
    const { folder } = await written({ 'kit/a.svg': svg('a') })
    later(60_000)
    const { store, entries } = memoryStore()
    await hashesOf(folder, store)
    for (const [key, bytes] of entries) {
      entries.set(
        key,
        Buffer.from(
          Buffer.from(bytes)
            .toString()
            .replace(/"size":\d+/, '"size":"1"'),
        ),
      )
      expect(await hashesOf(folder, store)).toEqual([md5(svg('a'))])
      entries.set(key, Buffer.from('{'))
      expect(await hashesOf(folder, store)).toEqual([md5(svg('a'))])
    }
  })
})

const megabyte = 1024 * 1024

test('films are hashed and sent in parts', async () => {
  const { folder } = await written({ 'kit/film.mp4': '' })
  // Node's buffers are limited to 2 GiB.
  const megabytes = runs(3, 2200)
  const size = megabytes * megabyte
  await truncate(join(folder, 'kit/film.mp4'), size)
  const space = folderSpace(folder)
  const [kit] = await space.kits()
  const [{ asset } = {}] = Object.values(await sectionsOf(space, kit?.uuid ?? '')).flat()
  const zeros = createHash('md5')
  for (let count = 0; count < megabytes; count++) zeros.update(Buffer.alloc(megabyte))
  expect(asset).toMatchObject({ size, fileHash: zeros.digest('hex') })
  const chunks: number[] = []
  await space.download({ uuid: asset?.uuid ?? '' }, undefined, async (body) => {
    for await (const chunk of body) chunks.push(chunk.length)
  })
  expect(chunks.reduce((sum, length) => sum + length, 0)).toBe(size)
  expect(Math.max(...chunks)).toBeLessThan(megabyte)
})

describe('1,000 assets', () => {
  test('are read once each, in order', async () => {
    const { folder } = await kept(largeSpace())
    const space = folderSpace(folder)
    const [kit] = await space.kits()
    const sections = await sectionsOf(space, kit?.uuid ?? '')
    const assets = Object.values(sections)
      .flat()
      .flatMap((item) => item.asset ?? [])
    expect(new Set(assets.map(({ fileHash }) => fileHash)).size).toBe(1000)
    expect(assets.map(({ name }) => name)).toEqual(assets.map((_, index) => `Asset ${String(index).padStart(5, '0')}`))
    expect(shown(sections['Section 1']).filter((name) => name?.startsWith('['))).toEqual([
      '[First half]',
      '[Second half]',
    ])
  })
})
