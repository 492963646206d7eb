import { describe, expect, test } from 'vitest'
import { folderSpace } from '../../../../src/space/folder/space.js'
import { parseKit, parseKits, parseOutline, parseSection } from '../../../../src/space/wire/records.js'
import { envelope, useBench } from '../../../support/server-client.js'
import { brand, svg, writeSpace } from '../../../support/space.js'

const bench = useBench()

describe('listings', () => {
  test.each(['/1/kits/', '/1/kits', '/kits/', '/kits'])('answer at %s', async (path) => {
    const { success, result: kits, server_clock: clock } = await envelope(await bench().ask(path))
    expect([success, Number.isInteger(clock)]).toEqual([true, true])
    expect(kits).toMatchObject({
      success: true,
      kit: [{ kit_uuid: brand.uuid, space_id: 7 }, { name: 'icons' }],
      kits: [{ kit_uuid: brand.uuid }, {}],
    })
  })

  test.each([
    ['', undefined],
    ['?include=', undefined],
    ['?include=versions', [0, 1]],
    ['?options=versions', [0, 1]],
    ['?include=use_versions', [0, 1]],
  ])('of one kit answer with %j', async (query, versions) => {
    const kit = parseKit(await bench().result(`/1/kits/${brand.uuid.toLowerCase()}${query}`))
    expect(kit.versions?.map(({ version }) => version)).toEqual(versions)
  })

  test('count pages from one, with fifty items each', async () => {
    const many = await writeSpace(
      Object.fromEntries(Array.from({ length: 120 }, (_, n) => [`kit/S/a${n}.svg`, svg(String(n))])),
    )
    const [one, zero] = [await bench().serve({}, many.folder), await bench().serve({ pageBase: 0 }, many.folder)]
    const [kit] = await folderSpace(many.folder).kits()
    const [section] = (await folderSpace(many.folder).outline(kit?.uuid ?? '', 0)).sections
    const names = async (query: string, of = one) =>
      parseSection(await bench().result(`/sections/${section?.uuid}${query}`, of)).items.map((item) =>
        Number(item.asset?.name.slice(1)),
      )
    expect(await names('')).toEqual(range(0, 50))
    expect(await names('?page=1')).toEqual(range(0, 50))
    expect(await names('?page=3')).toEqual(range(100, 120))
    expect(await names('?page=4')).toEqual([])
    expect(await names('?limit=200')).toEqual(range(0, 120))
    expect(await names('?limit=7&page=2')).toEqual(range(7, 14))
    expect(await names('?page=0', zero)).toEqual(range(0, 50))
    expect(await names('?page=1', zero)).toEqual(range(50, 100))
    await many.remove()
  })

  test('return the counts without items for limit=0, on any page', async () => {
    const path = `/1/sections/${bench().ids['Logos']}`
    const { counts } = parseSection(await bench().result(path))
    expect(counts.items).toBeGreaterThan(0)
    for (const query of ['?limit=0', '?limit=0&page=3']) {
      const section = parseSection(await bench().result(path + query))
      expect([section.items, section.counts]).toEqual([[], counts])
    }
  })

  test('equal those of the folder, except for addresses', async () => {
    const folder = folderSpace(bench().space.folder)
    expect(strip(parseKits(await bench().result('/1/kits')))).toEqual(strip(await folder.kits()))
    for (const version of [0, 1]) {
      const outline = parseOutline(await bench().result(`/1/kits/${brand.uuid}/outline?version=${version}`))
      expect(outline).toEqual(await folder.outline(brand.uuid, version))
      for (const { uuid } of outline.sections) {
        const section = parseSection(await bench().result(`/1/sections/${uuid}/?v=${version}&limit=200`))
        expect(strip(section)).toEqual(strip(await folder.section(uuid, version)))
      }
    }
  })

  test('have dates in the form of the interface, however the folder has them', async () => {
    const kitJson = { date_added: '2025-03-03T09:00:00.000Z', date_updated: '2025-03-03 11:00:00.123456+0200' }
    const dated = await writeSpace({ 'kit/S/a.svg': svg('a'), 'kit/kit.json': kitJson })
    expect(await bench().result('/1/kits/', await bench().serve({}, dated.folder))).toMatchObject({
      kits: [{ date_added: '2025-03-03 09:00:00.000000+0000', date_updated: '2025-03-03 11:00:00.123456+0200' }],
    })
    await dated.remove()
  })

  test('show the current state of the folder', async () => {
    const changing = await writeSpace({ 'kit/S/a.svg': svg('a') })
    const other = await bench().serve({}, changing.folder)
    await changing.write({ 'kit/kit.json': { name: 'Renamed' }, 'later/S/a.svg': svg('a') })
    expect(parseKits(await bench().result('/1/kits', other)).map(({ name }) => name)).toEqual(['Renamed', 'later'])
    await changing.remove()
  })

  test('answer HEAD with headers only', async () => {
    const response = await bench().ask('/1/kits', { method: 'HEAD' })
    expect([response.status, Number(response.headers.get('content-length')) > 100, await response.text()]).toEqual([
      200,
      true,
      '',
    ])
  })
})

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

/** Returns a record without its address fields, which a folder does not have. */
function strip(value: unknown): unknown {
  const addresses = new Set(['permalink', 'thumbnails', 'thumbnail_placeholders', 'cover', 'images'])
  return JSON.parse(JSON.stringify(value, (key, field: unknown) => (addresses.has(key) ? undefined : field)))
}
