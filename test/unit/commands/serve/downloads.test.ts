import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { parseSection } from '../../../../src/space/wire/records.js'
import { basic, envelope, useBench } from '../../../support/server-client.js'
import { brand, svg, writeSpace } from '../../../support/space.js'

const bench = useBench()
const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer())
const address = async (response: Response) =>
  v.parse(v.object({ url: v.string() }), (await envelope(response)).result).url

describe('downloads', () => {
  test.each(['', '?type=', '?type=null', '?type=svg', '?type=SVG'])('are the original with %j', async (query) => {
    const response = await bench().ask(`/1/assets/${brand.logo.toLowerCase()}/download${query}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    expect((await bytes(response)).toString()).toBe(svg('draft', 120, 40))
  })

  test('are large originals, in parts', async () => {
    const film = Buffer.alloc(3 * 1024 * 1024, 'film')
    const space = await writeSpace({ 'kit/film.mp4': film, 'kit/film.json': { uuid: brand.logo } })
    const of = await bench().serve({}, space.folder)
    const path = `/1/assets/${brand.logo}/download`
    const head = await bench().ask(path, { of, method: 'HEAD' })
    expect([head.headers.get('content-length'), (await bytes(head)).length]).toEqual([String(film.length), 0])
    const got = await bench().ask(path, { of })
    expect([got.headers.get('content-length'), film.equals(await bytes(got))]).toEqual([String(film.length), true])
    await rm(join(space.folder, 'kit/film.mp4'))
    expect((await bench().ask(path, { of })).status).toBe(500)
    await space.remove()
  })

  test.each([
    ['Acme Logo', 'png', 'png', [120, 40]],
    ['Hero Photo', 'PNG', 'png', [64, 48]],
    ['Badge', 'jpeg', 'jpeg', [64, 48]],
    ['Spinner', 'jpg', 'jpeg', [64, 48]],
    ['Scan', 'png', 'png', [64, 48]],
  ])('are cuts: %s as %s', async (name, type, format, size) => {
    const made = await sharp(
      await bytes(await bench().ask(`/assets/${bench().ids[name]}/download/?type=${type}`)),
    ).metadata()
    expect([made.format, [made.width, made.height]]).toEqual([format, size])
  })

  test('are cuts that are stored beside the file', async () => {
    expect((await bytes(await bench().ask(`/1/assets/${brand.logo}/download?type=eps`))).toString()).toMatch(/^%!PS/)
  })

  test('are of the version that was listed last, where versions have different files', async () => {
    const other = await bench().serve({})
    const get = async () =>
      (await bytes(await bench().ask(`/1/assets/${brand.logo}/download`, { of: other }))).toString()
    expect(await get()).toBe(svg('draft', 120, 40))
    for (const [version, text] of [
      [1, 'one'],
      [0, 'draft'],
    ] as const) {
      await bench().result(`/1/sections/${bench().ids['Logos']}?version=${version}`, other)
      expect(await get()).toBe(svg(text, 120, 40))
    }
    // A client that names the file gets it, no matter what was listed last.
    const revision = createHash('md5')
      .update(svg('one', 120, 40))
      .digest('hex')
    const headers = { authorization: basic(other.spaceId, other.token), 'content-revision': revision }
    const named = await fetch(`${other.url}/1/assets/${brand.logo}/download`, { headers })
    expect(await named.text()).toBe(svg('one', 120, 40))
  })

  test('are signed addresses for requests for JSON', async () => {
    const url = await address(await bench().ask(`/1/assets/${brand.logo}/download?type=png&response=json`))
    const response = await fetch(url)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    const forged = await fetch(url.replace('/PNG/', '/SVG/'))
    expect([forged.status, (await envelope(forged)).error?.code]).toEqual([403, 403])
  })

  test.each(['redirect', 'url'] as const)(
    'come from another origin, which receives no credentials: %s',
    async (downloads) => {
      const other = await bench().serve({ downloads })
      const first = await bench().ask(`/1/assets/${brand.logo}/download`, { of: other })
      const url = downloads === 'redirect' ? first.headers.get('location') : await address(first)
      expect(new URL(url ?? '').origin).not.toBe(other.url)
      expect((await bytes(await fetch(url ?? ''))).toString()).toBe(svg('draft', 120, 40))
      expect(other.requests.map(({ origin, authorization }) => [origin, authorization])).toEqual([
        ['service', true],
        ['files', false],
      ])
      expect((await fetch(`${new URL(url ?? '').origin}/1/kits`)).status).toBe(404)
    },
  )

  test("are rate-limited and report what is left, while listings aren't limited", async () => {
    const other = await bench().serve({ rateLimit: { requests: 2, seconds: 60 } })
    const path = `/1/assets/${brand.logo}/download`
    const answers = [
      await bench().ask(path, { of: other }),
      await bench().ask(path, { of: other }),
      await bench().ask(path, { of: other }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    const left = answers.map(({ headers }) => ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`)))
    expect(left).toEqual([
      ['2', '1'],
      ['2', '0'],
      ['2', '0'],
    ])
    const [, , limited] = answers
    expect(limited?.headers.get('x-ratelimit-reset')).toBe(limited?.headers.get('retry-after'))
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await bench().ask('/1/kits', { of: other })).status).toBe(200)
    expect(other.downloads()).toHaveLength(3)
  })
})

describe('addresses in records', () => {
  test('answer without credentials: permalinks, thumbnails, placeholders, covers', async () => {
    const addresses = new Set<string>()
    JSON.stringify(
      [
        await bench().result('/1/kits'),
        ...(await Promise.all(
          ['Logos', 'Photos', 'More'].map((name) => bench().result(`/1/sections/${bench().ids[name]}`)),
        )),
      ],
      (_key, value: unknown) => {
        if (typeof value === 'string' && value.startsWith('http')) addresses.add(value)
        return value
      },
    )
    expect(addresses.size).toBe(2 + 7 * 7)
    for (const found of addresses) {
      const response = await fetch(found)
      expect([found, response.status]).toEqual([found, 200])
      const type = response.headers.get('content-type') ?? ''
      if (type.startsWith('image/')) await sharp(await bytes(response)).stats()
      else expect(type).toBe('application/pdf')
    }
  })

  test('have the first picture as the cover, also if it is in a gallery', async () => {
    const picture = await sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const space = await writeSpace({
      'kit/Photos/section.json': { items: [{ type: 'gallery', name: 'All', files: ['red.png'] }] },
      'kit/Photos/red.png': picture,
    })
    const served = await bench().serve({}, space.folder)
    const covers = v.object({ kit: v.tuple([v.object({ images: v.object({ cover: v.string() }) })]) })
    const [kit] = v.parse(covers, await bench().result('/1/kits', served)).kit
    const cover = await fetch(kit.images.cover)
    expect((await sharp(await bytes(cover)).stats()).dominant).toMatchObject({ r: 248, g: 8, b: 8 })
    await space.remove()
  })

  test("are the same each time the space is served, and don't contain the token", async () => {
    const once = JSON.stringify(await bench().result(`/1/sections/${bench().ids['Logos']}`))
    const other = await bench().serve({ token: bench().server.token })
    const again = JSON.stringify(await bench().result(`/1/sections/${bench().ids['Logos']}`, other))
    expect(again.replaceAll(other.url, bench().server.url)).toBe(once)
    expect(once).not.toContain(bench().server.token)
  })

  test('return bytes with the hash and size of the record', async () => {
    const { items } = parseSection(await bench().result(`/1/sections/${bench().ids['Photos']}`))
    for (const asset of items.flatMap((item) => item.asset ?? [])) {
      const file = await bytes(await fetch(asset.permalink ?? ''))
      expect([createHash('md5').update(file).digest('hex'), file.length]).toEqual([asset.fileHash, asset.size])
    }
  })
})
