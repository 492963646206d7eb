import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createImporter, type Importer } from 'unplugin-content-space'
import { testSource } from 'unplugin-content-space/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { build } from '../bundlers/driver.js'
import { esbuildDriver } from '../bundlers/drivers/esbuild.js'
import { figma } from './figma/figma.js'

const own = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

let root: string
beforeEach(async () => void (root = await mkdtemp(join(tmpdir(), 'content-space-example-'))))
afterEach(() => rm(root, { recursive: true, force: true }))

/** Copies an example and syncs it. */
async function open<T>(
  name: string,
  env: Record<string, string>,
  work: (importer: Importer) => Promise<T>,
): Promise<T> {
  await cp(own(name), root, { recursive: true })
  await mkdir(join(root, 'node_modules'), { recursive: true })
  const packages: Record<string, string> = { 'unplugin-content-space': '../..' }
  for (const installed of ['lucide-static', 'react']) packages[installed] = `../../node_modules/${installed}`
  for (const [link, path] of Object.entries(packages))
    await symlink(own(path), join(root, 'node_modules', link)).catch(() => {})
  Object.assign(process.env, env)
  const importer = await createImporter({ cacheDir: join(root, 'cache') }, { root })
  try {
    return await work(importer)
  } finally {
    await importer.close()
  }
}

/**
 * Builds the project with a complete lockfile.
 * @returns the names of its files
 */
async function buildExample(): Promise<{ assets: string[]; code: string }> {
  const options = { cacheDir: join(root, 'cache'), frozen: true, lockfile: join(root, 'content-space.lock.json') }
  const output = await build(esbuildDriver, { root }, options, { entries: ['src/main.js'], hashes: false })
  const scripts = [...output.files].filter(([path]) => path.endsWith('.js'))
  return {
    assets: output.assets().map(([path]) => path.split('/').at(-1) ?? ''),
    code: scripts.map(([, bytes]) => bytes.toString()).join('\n'),
  }
}

const declared = async () => readFile(join(root, 'src/content-space.d.ts'), 'utf8')

test('a folder of icons', async () => {
  await open('folder', {}, async (importer) => {
    expect((await importer.sync()).refusals).toEqual([])
    expect(await importer.verify()).toEqual([])
    expect((await importer.audit()).findings).toEqual([])
  })
  expect(await declared()).toContain('Writes the file to the disk')
  expect((await buildExample()).assets).toEqual(['arrow-left.svg', 'save.svg'])
})

test('a package of icons', async () => {
  await open('lucide', {}, async (importer) => {
    expect((await importer.sync()).refusals).toEqual([])
    expect((await importer.kit('lucide')).counts.assets).toBeGreaterThan(1500)
  })
  const lock = JSON.parse(await readFile(join(root, 'content-space.lock.json'), 'utf8'))
  const [kit] = Object.values<{ space: string; versions: object }>(lock.kits)
  const { version } = JSON.parse(await readFile(own('../../node_modules/lucide-static/package.json'), 'utf8'))
  expect([kit?.space, Object.keys(kit?.versions ?? {})]).toEqual(['lucide', [version]])
  expect((await buildExample()).assets).toEqual(['arrow-left.svg'])
})

test('the documentation shows the examples as they are tested', async () => {
  const page = await readFile(own('../../docs/sources.md'), 'utf8')
  const files = ['folder/content-space.config.ts', 'lucide/content-space.config.ts', 'figma/figma.ts']
  for (const file of [...files, 'figma/content-space.config.ts'])
    expect(page).toContain(`\n${await readFile(own(file), 'utf8')}\`\`\`\n`)
  expect((await readFile(own('figma/figma.ts'), 'utf8')).split('\n').length).toBeLessThanOrEqual(60)
})

const component = (id: string, name: string) => ({
  id,
  name,
  type: 'COMPONENT',
  absoluteBoundingBox: { width: 24, height: 24 },
})

const drawing = (fill: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><path fill="${fill}" d="M0 0h24v24z"/></svg>`

/** Starts a server with Figma's answers that the example uses, and with a limit for requests in the expensive tier. */
async function fakeFigma(tier1: number) {
  const asked: string[] = []
  const state = { touched: '2026-05-01T09:00:00Z', fill: 'red' }
  let left = tier1
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://figma')
    const send = (status: number, json: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '60' }).end(JSON.stringify(json))
    if (pathname.startsWith('/rendered/')) {
      asked.push('picture')
      expect(request.headers['x-figma-token']).toBeUndefined()
      return void response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(drawing(state.fill))
    }
    if (request.headers['x-figma-token'] !== 'figd_canary') return void send(403, { status: 403, err: 'Invalid token' })
    asked.push(pathname)
    if (pathname === '/v1/files/k3XyDesign/meta')
      return void send(200, { file: { name: 'Design', last_touched_at: state.touched } })
    if (left-- <= 0) return void send(429, { status: 429, err: 'Rate limit exceeded' })
    if (pathname === '/v1/files/k3XyDesign') {
      const frame = {
        id: '0:2',
        name: 'Frame',
        type: 'FRAME',
        children: [component('1:2', 'Badge'), component('1:3', 'Spark')],
      }
      const page = { id: '0:1', name: 'Icons', type: 'CANVAS', children: [frame] }
      const components = {
        '1:2': { key: 'a', name: 'Badge', description: 'For counts' },
        '1:3': { key: 'b', name: 'Spark' },
      }
      return void send(200, { name: 'Design', document: { id: '0:0', type: 'DOCUMENT', children: [page] }, components })
    }
    const ids = searchParams.get('ids')?.split(',') ?? []
    return void send(200, { err: null, images: Object.fromEntries(ids.map((id) => [id, `${url}/rendered/${id}.svg`])) })
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const bound = server.address()
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : 0}`
  const expensive = () => asked.splice(0).filter((path) => path !== 'picture' && !path.endsWith('/meta'))
  return { url, state, expensive, close: () => new Promise((closed) => server.close(closed)) }
}

test('a design file, whose second run sends no request of the expensive tier', async () => {
  const service = await fakeFigma(4)
  const env = { FIGMA_TOKEN: 'figd_canary', FIGMA_API: service.url }
  await open('figma', env, async (importer) => expect((await importer.sync()).refusals).toEqual([]))
  expect(await declared()).toContain('For counts')
  expect(service.expensive()).toEqual(['/v1/files/k3XyDesign', '/v1/images/k3XyDesign'])

  await open('figma', env, async (importer) => {
    expect((await importer.sync()).refusals).toEqual([])
    expect(await importer.diff({ kit: 'ui' })).toMatchObject({ added: [], removed: [], changed: [] })
    await writeFile(join(root, 'copy.svg'), drawing('red'))
    expect((await importer.audit()).findings).toMatchObject([{ file: 'copy.svg', kit: 'ui', finding: 'copy' }])
  })
  const { assets, code } = await buildExample()
  expect(assets).toEqual(['badge.svg', 'spark.svg'])
  // The component contains its drawing.
  expect(code).toContain('M0 0h24v24z')
  expect(service.expensive()).toEqual([])
  expect(await readFile(join(root, 'content-space.lock.json'), 'utf8')).not.toMatch(/canary|127\.0\.0\.1/)
  await service.close()
})

test('the source of the design file does what a source must do', async () => {
  const service = await fakeFigma(40)
  const source = figma('k3XyDesign', 'figd_canary', service.url)
  const change = () => void Object.assign(service.state, { touched: '2026-05-02T09:00:00Z', fill: 'blue' })
  expect(await testSource(source, { change })).toEqual({ assets: 2, files: 2 })
  await service.close()
})
