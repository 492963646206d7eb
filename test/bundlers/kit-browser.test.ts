import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import contentSpace from 'unplugin-content-space/vite'
import { createLogger, createServer, type InlineConfig, type ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { soon } from '../support/long.js'
import type { KitData, Project as ProjectData, Usage } from '../../src/commands/shared/kit-page/data.js'
import { hostileRequests, send } from '../support/kit-browser.js'
import { createProject, type Project } from './driver.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
let project: Project
let server: ViteDevServer
const log: string[] = []
const say = (message: string): void => void log.push(message)
const customLogger = { ...createLogger(), info: say, warn: say, error: say }

beforeAll(async () => void (space = await openTestSpace({ large: true })))
afterAll(() => space.close())
beforeEach(async () => {
  log.length = 0
  project = await createProject({
    'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
    'main.js': `import { acmeLogo } from 'content-space:kit/brand'\nconsole.log(acmeLogo)\n`,
  })
})
afterEach(async () => {
  await server?.close()
  await project.remove()
})

/** @returns the server's origin */
async function serve(config: InlineConfig = {}, options = {}): Promise<string> {
  server = await createServer({
    root: project.root,
    configFile: false,
    customLogger,
    plugins: [contentSpace({ ...space.options(), types: false, kits: { brand: kits.brand }, ...options })],
    ...config,
    server: { host: '127.0.0.1', port: 0, ...config.server },
  })
  await server.listen()
  const address = server.httpServer?.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

const own = { 'sec-fetch-site': 'same-origin' }
// The types are asserted, because the tests check the properties that they read.
const json = async <T>(origin: string, path: string): Promise<T> =>
  JSON.parse((await send(origin, path, { headers: own })).body.toString())

describe('the dev server of Vite', () => {
  test('has the kit browser below its base, and prints its address', async () => {
    const origin = await serve({ base: '/app/' })
    server.printUrls()
    expect(stripVTControlCharacters(log.join('\n'))).toContain(`➜  Content: ${origin}/app/__content-space/`)
    // SvelteKit removes the slash.
    server.resolvedUrls = { local: [`${origin}/app`], network: [] }
    server.printUrls()
    expect(stripVTControlCharacters(log.at(-1) ?? '')).toBe(`  ➜  Content: ${origin}/app/__content-space/`)
    space.requests()
    const page = await send(origin, '/app/__content-space/', { headers: own })
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body.toString()).not.toContain('@vite')
    // The page has loaded the plugin, which must not print the address again.
    log.length = 0
    server.printUrls()
    expect(log.filter((line) => line.includes('__content-space'))).toHaveLength(1)
    expect((await send(origin, '/app/__content-space/app.js', { headers: own })).status).toBe(200)
    const redirect = await send(origin, '/app/__content-space')
    expect([redirect.status, redirect.headers.location]).toEqual([302, './__content-space/'])
    const data = await json<ProjectData>(origin, '/app/__content-space/data/project.json')
    expect(data).toMatchObject({ mode: 'dev', canOpen: true })
    expect(data.kits.map(({ name, reference, isUsed }) => [name, reference, isUsed])).toEqual([
      ['Brand', 'brand', true],
      ['Big', 'big', false],
      ['Rules', 'rules', false],
      ['Style', 'style', false],
      ['Twin', 'twin', false],
    ])
    expect(space.requests().filter((request) => request.includes('download'))).toEqual([])
    expect((await send(origin, '/__content-space/')).body.toString()).not.toContain('app.js')
  })

  test('shows what the source uses, and adds no kit that is only looked at to the lockfile', async () => {
    const origin = await serve()
    await server.transformRequest('/main.js')
    const kit = await json<KitData>(origin, `/__content-space/data/kits/${kits.big}/0.json`)
    expect(Object.keys(kit.assets)).toHaveLength(1000)
    const logo = Object.values((await json<KitData>(origin, `/__content-space/data/kits/${kits.brand}/0.json`)).assets)
    const uuid = logo.find(({ slug }) => slug === 'acme-logo')?.uuid ?? ''
    const { assets } = await json<Usage>(origin, '/__content-space/data/usage.json')
    expect(assets[uuid]?.places).toEqual([{ file: 'main.js', line: 1 }])
    const lockfile = join(project.root, 'content-space.lock.json')
    await expect.poll(() => readFile(lockfile, 'utf8').catch(() => ''), soon).toContain(kits.brand)
    expect(await readFile(lockfile, 'utf8')).not.toContain(kits.big)
  })

  test('tells open pages when content or the source changes', async () => {
    const origin = await serve({}, { refresh: 1 })
    const path = `/__content-space/data/kits/${kits.brand}/0.json`
    expect(JSON.stringify(await json<KitData>(origin, path))).not.toContain('Later')
    const events = await fetch(`${origin}/__content-space/events`, { headers: own })
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader()
    const nextChange = async (): Promise<void> => {
      for (;;) {
        const { value = '', done } = (await reader?.read()) ?? { done: true }
        if (value.includes('event: change')) return
        if (done) throw new Error('The events have ended.')
      }
    }
    await space.edit('01 Logos/later.svg', drawing('Later'))
    await nextChange()
    expect(JSON.stringify(await json<KitData>(origin, path))).toContain('Later')
    await project.write({ 'second.js': `import 'content-space:kit/brand'\n` })
    await nextChange()
    await reader?.cancel()
  })

  test.each([
    ['with its own check of hosts', {}],
    ['that allows all hosts', { allowedHosts: true as const }],
  ])('rejects hostile requests, %s', async (_, config) => {
    const origin = await serve({ server: config })
    for (const hostile of hostileRequests(new URL(origin).host)) {
      const { status, headers, body } = await send(origin, `/__content-space/${hostile.path}`, hostile)
      const isRebound = hostile.headers?.['sec-fetch-site'] === 'same-origin'
      if (isRebound && 'allowedHosts' in config) continue
      expect(status, hostile.name).toBeGreaterThanOrEqual(400)
      expect(headers['access-control-allow-origin'], hostile.name).toBeUndefined()
      expect(body.toString(), hostile.name).not.toContain('"kits"')
    }
  })

  test('answers requests for allowed host names if the browser identifies the page', async () => {
    const origin = await serve({ server: { allowedHosts: ['.example.test'] } })
    const get = async (headers: Record<string, string>) =>
      (await send(origin, '/__content-space/data/project.json', { headers })).status
    expect(await get({ host: 'app.example.test', ...own })).toBe(200)
    expect(await get({ host: 'app.example.test' })).toBe(403)
    expect(await get({ host: 'example.invalid', ...own })).toBe(403)
  })

  test('still serves only content files below that path', async () => {
    const origin = await serve()
    await server.transformRequest('/main.js')
    const module = await server.environments.client.pluginContainer.resolveId(
      'content-space:asset/brand/acme-logo',
      join(project.root, 'main.js'),
    )
    const code = (await server.transformRequest(module?.id ?? ''))?.code ?? ''
    const [address = ''] = /\/__content-space\/[\da-f]{16}\/[^"]+/.exec(code) ?? []
    expect((await send(origin, address)).body.toString()).toBe(drawing('Acme'))
    expect((await send(origin, '/__content-space/0123456789abcdef/x.svg')).status).toBe(404)
  })
})
