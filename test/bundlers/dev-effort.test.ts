import sharp from 'sharp'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { build, createProject } from './driver.js'
import { startVite } from './development.js'
import { viteDriver } from './drivers/vite.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
beforeAll(async () => {
  space = await openTestSpace()
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const photo = sharp({ create: { width: 300, height: 200, channels: 3, background: '#888', noise } })
  await space.edit('01 Logos/photo.jpg', await photo.jpeg().toBuffer())
})
afterAll(() => space.close())

const id = (query: string) => `content-space:asset/${kits.brand}@draft/photo?w=90&format=${query}&url`

test('a dev server encodes with the lowest effort, unless a query has one, and a build never gets its bytes', async () => {
  const queries = ['avif', 'webp', 'avif&effort=0', 'webp&effort=0', 'avif&effort=4', 'webp&effort=4']
  const imports = queries.map((query, at) => `import p${at} from '${id(query)}'\n`).join('')
  const project = await createProject({
    'main.js': `${imports}console.log(JSON.stringify([${queries.map((_, at) => `p${at}`).join()}]))`,
  })
  onTestFinished(() => project.remove())
  const options = { ...space.options(), types: false, cacheDir: `${project.root}/.cache` } as const
  const { server, get } = await startVite(project.root, options)
  const served = await Promise.all(
    queries.map(async (query) => {
      const { default: address } = await server.ssrLoadModule(id(query))
      return Buffer.from(await (await get(String(address))).arrayBuffer())
    }),
  )
  await server.close()
  const [avif, webp, fastAvif, fastWebp, fullAvif, fullWebp] = served
  expect(avif).toEqual(fastAvif)
  expect(webp).toEqual(fastWebp)
  const output = await build(viteDriver, project, options)
  const built = output.assets().map(([, bytes]) => Buffer.from(bytes))
  expect(built.filter((bytes) => [avif, webp].some((one) => one?.equals(bytes)))).toHaveLength(2)
  expect(new Set(built.map((bytes) => bytes.toString('hex')))).toEqual(
    new Set([fastAvif, fastWebp, fullAvif, fullWebp].map((bytes) => bytes?.toString('hex'))),
  )
})
