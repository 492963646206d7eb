import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createImporter } from '../../../../dist/index.js'
import { id } from '../../../support/memory-space.js'
import { everyKind, members, publicService } from '../../../support/public-service.js'
import { serveSpace, type ServedSpace } from '../../../support/space.js'

/*
 * The public service's unmodified client reads a mirror from `serve`, and we test what its own tests expect of the
 * service. The client is the last published version, which doesn't support galleries, or a build of another version at
 * this path.
 */
const path = process.env['CONTENT_SPACE_TEST_CLIENT'] ?? '@lingo-app/node'

const { default: client, LingoError }: typeof import('@lingo-app/node') = createRequire(import.meta.url)(path)

let root: string
let service: Awaited<ReturnType<typeof publicService>>
let served: ServedSpace

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-client-')))
  service = await publicService({ items: everyKind, galleries: { [id(106)]: members } })
  const from = { space: service.url, spaceId: 7, token: 'a-token', cacheDir: join(root, 'cache') }
  const importer = await createImporter({ ...from, lockfile: false, types: false }, { root, env: {} })
  await importer.mirror({ kits: ['brand'], out: join(root, 'mirror') })
  await importer.close()
  served = await serveSpace(join(root, 'mirror'))
  client.baseURL = `${served.url}/1`
  client.setup(served.spaceId, served.token)
})
afterAll(async () => {
  await served.close()
  await service.close()
  await rm(root, { recursive: true, force: true })
})

test('lists kits, versions, sections and items of every type', async () => {
  expect(await client.fetchKits()).toMatchObject([{ name: 'Brand', shortId: 'k1', spaceId: served.spaceId }])
  const { versions } = await client.fetchKit(id(1), 'versions')
  expect(versions.map(({ version }) => version)).toEqual([0, 1])
  expect(await client.fetchKitOutline(id(1), 1)).toMatchObject({
    version: 1,
    sections: [{ name: 'Logos', shortId: 's2' }],
  })
  const items = await client.fetchAllItemsInSection(id(2), 1)
  expect(items.map(({ type, asset }) => [type, asset?.name])).toEqual(
    everyKind.map(({ type, asset }) => [type, Object(asset).name]),
  )
  expect(items.find(({ asset }) => asset?.name === 'Good Example')?.data).toMatchObject({
    title: 'Do',
    content: 'Leave space around it.',
    color: '#2e7d32',
  })
})

test('finds kits, sections and headings by short ids', async () => {
  expect(await client.fetchKit('k1')).toMatchObject({ name: 'Brand' })
  expect(await client.fetchSection('s2', 1)).toMatchObject({ name: 'Logos', shortId: 's2' })
  for (const heading of ['Logos', id(100), 'i100'])
    expect(await client.fetchItemsForHeading('s2', heading, 1)).toHaveLength(everyKind.length - 1)
})

test('counts the items of a section without them, and then reads them all', async () => {
  const { items, counts } = await client.fetchSection(id(2), 1, 1, 0)
  expect(items).toEqual([])
  expect(await client.fetchAllItemsInSection(id(2), 1)).toHaveLength(counts.items)
})

test('downloads originals, and cuts in the size that is asked for', async () => {
  const original = await client.downloadAsset(id(11))
  expect(original.toString()).toContain('<title>drawing 11</title>')
  const large = await client.downloadAsset(id(11), { type: 'PNG', dimensions: '96x96' })
  expect(await sharp(large).metadata()).toMatchObject({ format: 'png', width: 96, height: 96 })
})

test('shows errors of the service as its own, with their codes', async () => {
  await expect(client.fetchKit('invalid-kit-uuid')).rejects.toBeInstanceOf(LingoError)
  await expect(client.fetchKit('invalid-kit-uuid')).rejects.toMatchObject({ code: 1100 })
  await expect(client.fetchKitOutline(id(1), 9)).rejects.toMatchObject({ code: 1200 })
  await expect(client.fetchSection('invalid-section-uuid')).rejects.toMatchObject({ code: 2100 })
  await expect(client.downloadAsset('invalid-asset-uuid')).rejects.toMatchObject({ code: 3100 })
  await expect(client.downloadAsset(id(11), { type: 'MOV' })).rejects.toMatchObject({ code: 3304 })
  for (const [space, token] of [
    [0, served.token],
    [served.spaceId, 'invalid-api-key'],
  ] as const) {
    client.setup(space, token)
    await expect(client.fetchKits()).rejects.toMatchObject({ code: 401 })
  }
  client.setup(served.spaceId, served.token)
})
