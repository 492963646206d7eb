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

/* The published client of the service, unmodified, reads a mirror from `serve`. Its version 2 knows no galleries. */

const { default: client, LingoError }: typeof import('@lingo-app/node') = createRequire(import.meta.url)(
  '@lingo-app/node',
)

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
  expect(await client.fetchKits()).toMatchObject([{ kitId: id(1), name: 'Brand', spaceId: served.spaceId }])
  const { versions } = await client.fetchKit(id(1), 'versions')
  expect(versions.map(({ version }) => version)).toEqual([0, 1])
  expect(await client.fetchKitOutline(id(1), 1)).toMatchObject({ version: 1, sections: [{ id: id(2), name: 'Logos' }] })
  const items = await client.fetchAllItemsInSection(id(2), 1)
  expect(items.map(({ type, asset }) => [type, asset?.name])).toEqual(
    everyKind.map(({ type, asset }) => [type, Object(asset).name]),
  )
  expect(items.find(({ asset }) => asset?.name === 'Good Example')?.data).toMatchObject({
    title: 'Do',
    content: 'Leave space around it.',
    color: '#2e7d32',
  })
  expect(await client.fetchItemsForHeading(id(2), 'Logos', 1)).toHaveLength(everyKind.length - 1)
})

test('downloads originals, and cuts in the size that is asked for', async () => {
  const original = await client.downloadAsset(id(11))
  expect(original.toString()).toContain('<title>drawing 11</title>')
  const large = await client.downloadAsset(id(11), { type: 'PNG', dimensions: '96x96' })
  expect(await sharp(large).metadata()).toMatchObject({ format: 'png', width: 96, height: 96 })
})

test('shows errors of the service as its own', async () => {
  await expect(client.fetchKit(id(99))).rejects.toBeInstanceOf(LingoError)
  await expect(client.downloadAsset(id(11), { type: 'MOV' })).rejects.toBeInstanceOf(LingoError)
})
