import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { folderSpace } from '../../../../src/space/folder/space.js'
import { parseKit, parseKits, parseOutline, parseSection } from '../../../../src/space/wire/records.js'
import { basic, envelope, useBench } from '../../../support/server-client.js'
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

  test("equal the folder's listings, except for URLs", async () => {
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

  test("have dates in the interface's format, no matter how the folder stores them", async () => {
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

  test('are compressed for clients that ask for gzip, unlike files and short answers', async () => {
    const { url, spaceId, token } = bench().server
    const codings = async (accepted: string) => {
      const headers = { authorization: basic(spaceId, token), 'accept-encoding': accepted }
      const paths = [`/1/sections/${bench().ids['Logos']}`, '/1/kits/nonsense', `/1/assets/${brand.logo}/download`]
      const answers = await Promise.all(paths.map((path) => fetch(url + path, { headers })))
      const texts = await Promise.all(answers.map((answer) => answer.text()))
      const all = answers.map(({ headers: sent }) => [sent.get('content-encoding'), sent.get('vary')])
      return { all, text: JSON.stringify(v.parse(v.object({ result: v.unknown() }), JSON.parse(texts[0] ?? ''))) }
    }
    const [packed, plain] = [await codings('br, gzip;q=0.8'), await codings('gzip;q=0, identity')]
    const [vary, none] = ['accept-encoding', null]
    expect(packed).toEqual({
      all: [
        ['gzip', vary],
        [null, vary],
        [null, none],
      ],
      text: plain.text,
    })
    expect(plain.all).toEqual([
      [null, vary],
      [null, vary],
      [null, none],
    ])
  })

  test('have short ids of kits, sections, headings and items, and are found by them', async () => {
    const of = await bench().serve({})
    const { kit } = v.parse(v.object({ kit: v.array(shortRecord) }), await bench().result('/1/kits', of))
    const { kit_version: outline } = v.parse(outlines, await bench().result(`/1/kits/${kit[0]?.short_id}/outline`, of))
    const [logos] = outline.sections
    const { section } = v.parse(sections, await bench().result(`/1/sections/${logos?.short_id}`, of))
    const heading = section.items.find(({ uuid }) => uuid === logos?.headers[0]?.uuid)
    expect([section.short_id, heading?.short_id]).toEqual([logos?.short_id, logos?.headers[0]?.short_id])
    expect(await bench().result(`/1/items/${heading?.short_id}`, of)).toMatchObject({ item: { uuid: heading?.uuid } })
    const ids = [...kit, ...outline.sections, ...section.items].map((record) => record.short_id)
    expect(new Set(ids).size).toBe(ids.length)
    expect((await bench().ask('/1/kits/aaaaaa', { of })).status).toBe(404)
  })

  test('keep the short ids and the states that a folder has', async () => {
    const own = await writeSpace({
      'kit/kit.json': { short_id: 'RkDAz6' },
      'kit/S/section.json': { short_id: 'oENEEv', items: [{ file: 'a.svg', short_id: '1E887y' }] },
      'kit/S/a.svg': svg('a'),
      'kit/S/a.json': { meta: { asset_processing: 'processing' } },
    })
    const of = await bench().serve({}, own.folder)
    const outline = await bench().result('/1/kits/RkDAz6/outline', of)
    expect(outline).toMatchObject({ kit_version: { sections: [{ short_id: 'oENEEv' }] } })
    const asset = { meta: { asset_processing: 'processing' } }
    expect(await bench().result('/1/sections/oENEEv', of)).toMatchObject({
      section: { items: [{ short_id: '1E887y', asset }] },
    })
    expect(parseOutline(outline)).toEqual(await folderSpace(own.folder).outline(parseOutline(outline).kitUuid, 0))
    await own.remove()
  })

  test('give assets in published versions their own uuids on request', async () => {
    const of = await bench().serve({ uuids: 'perVersion' })
    const asset = async (version: number) => {
      const section = parseSection(await bench().result(`/1/sections/${bench().ids['Logos']}?v=${version}`, of))
      const raw = section.items.flatMap((item) => item.asset ?? []).find(({ name }) => name === 'Acme Logo')?.raw
      return v.parse(v.object({ uuid: v.string(), source_id: v.optional(v.string()) }), raw)
    }
    const [draft, published] = [await asset(0), await asset(1)]
    expect(draft).toEqual({ uuid: brand.logo })
    expect(published.source_id).toBe(brand.logo)
    expect(published.uuid).not.toBe(brand.logo)
    const [old, now] = [published.uuid, draft.uuid].map((uuid) => bench().ask(`/1/assets/${uuid}/download`, { of }))
    expect([await (await old)?.text(), await (await now)?.text()]).toEqual([svg('one', 120, 40), svg('draft', 120, 40)])
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

const shortRecord = v.object({ uuid: v.optional(v.string()), short_id: v.pipe(v.string(), v.regex(/^\w{6}$/)) })
const sections = v.object({ section: v.object({ ...shortRecord.entries, items: v.array(shortRecord) }) })
const outlined = v.object({ ...shortRecord.entries, headers: v.array(shortRecord) })
const outlines = v.object({ kit_version: v.object({ sections: v.array(outlined) }) })

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n)

/** Returns a record without URLs and short ids, because a folder doesn't have them. */
function strip(value: unknown): unknown {
  const addresses = new Set(['permalink', 'thumbnails', 'thumbnail_placeholders', 'cover', 'images', 'short_id'])
  return JSON.parse(JSON.stringify(value, (key, field: unknown) => (addresses.has(key) ? undefined : field)))
}
