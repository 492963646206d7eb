import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hostileRequests, openBrowserBench, type BrowserBench } from '../../../support/kit-browser.js'
import { brand, richSpace, serveSpace, type ServedSpace, type SpaceFolder } from '../../../support/space.js'

let folder: SpaceFolder
let service: ServedSpace
let bench: BrowserBench

beforeAll(async () => {
  folder = await richSpace()
  service = await serveSpace(folder.folder)
  bench = await openBrowserBench(
    { ...service.options, kits: { brand: brand.uuid } },
    { 'main.js': `import { acmeLogo } from 'content-space:kit/brand'\nconsole.log(acmeLogo)\n` },
  )
})
afterAll(async () => {
  await bench.close()
  await service.close()
  await folder.remove()
})

describe('the kit browser rejects', () => {
  test.each(hostileRequests('127.0.0.1:1').map(({ name }) => name))('%s', async (name) => {
    const { host } = new URL(bench.url)
    const hostile = hostileRequests(host).find((one) => one.name === name)
    if (hostile === undefined) throw new Error(name)
    const { status, headers, body } = await bench.get(hostile.path, hostile)
    expect(status).toBe(hostile.status)
    expect(JSON.parse(body.toString())).toEqual({ message: expect.any(String) })
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(bench.warnings).toEqual([])
  })

  test('a request whose target is a whole address', async () => {
    const { hostname, port, host } = new URL(bench.url)
    const sent = request({ hostname, port, path: `http://${host}/data/project.json`, headers: { host } }).end()
    const [response]: { statusCode?: number }[] = await once(sent, 'response')
    expect(response?.statusCode).toBe(404)
    sent.destroy()
  })
})

test.each([['localhost'], ['app.localhost'], ['127.0.0.1'], ['127.1.2.3'], ['[::1]'], ['LOCALHOST'], ['localhost.']])(
  'the kit browser answers to %s',
  async (name) => {
    const { port } = new URL(bench.url)
    const headers = { host: `${name}:${port}` }
    expect((await bench.get('data/project.json', { headers })).status).toBe(200)
    const site = { ...headers, 'sec-fetch-site': 'same-origin' }
    expect((await bench.get('data/project.json', { headers: site })).status).toBe(200)
    expect((await bench.get('data/project.json', { headers: { ...site, 'sec-fetch-site': 'none' } })).status).toBe(200)
  },
)

test('no answer contains the token, a path of this machine or the origin of the service', async () => {
  const kit = `data/kits/${brand.uuid}/0.json`
  const paths = ['', 'data/project.json', kit, 'data/usage.json', 'data/drift.json', 'data/kits/x/1.json']
  const missing = [
    `data/kits/${brand.uuid}/99.json`,
    `data/kits/${brand.logo}/0.json`,
    'query?id=content-space:asset/x/y',
  ]
  const { host } = new URL(service.options.space)
  for (const path of [...paths, ...missing]) {
    const { body, headers } = await bench.get(path)
    const text = body.toString() + JSON.stringify(headers)
    for (const secret of [service.options.token, bench.root, folder.folder, host, tmpdir()])
      expect(text, path).not.toContain(secret)
  }
})

test('an error of a service that is unreachable names neither the service nor a path', async () => {
  const away = await openBrowserBench({ ...service.options, space: 'http://127.0.0.1:9', timeout: 500 })
  try {
    const { status, body } = await away.get(`data/kits/${brand.uuid}/0.json`)
    expect(status).toBe(502)
    expect(body.toString()).not.toContain('127.0.0.1')
    expect(await away.json('data/project.json')).toMatchObject({
      kits: [],
      error: expect.stringContaining('the service'),
    })
  } finally {
    await away.close()
  }
})

test('a place of the source is opened in the editor, and only such a place', async () => {
  const work = await mkdtemp(join(tmpdir(), 'content-space-editor-'))
  const editor = join(work, 'editor.mjs')
  const log = join(work, 'opened.txt')
  await writeFile(
    editor,
    `#!/usr/bin/env node\nimport { appendFileSync } from 'node:fs'\nappendFileSync(${JSON.stringify(log)}, process.argv.slice(2).join(' '))\n`,
    { mode: 0o755 },
  )
  vi.stubEnv('LAUNCH_EDITOR', editor)
  try {
    const headers = { 'content-type': 'application/json', origin: new URL(bench.url).origin }
    const open = (place: object) => bench.get('open', { method: 'POST', headers, body: JSON.stringify(place) })
    expect((await open({ file: 'package.json', line: 1 })).status).toBe(403)
    expect((await open({ file: 'main.js', line: 1 })).status).toBe(204)
    await vi.waitFor(async () => expect(await readFile(log, 'utf8')).toContain(join(bench.root, 'main.js')), 10_000)
    expect(await readFile(log, 'utf8')).not.toContain('package.json')
  } finally {
    vi.unstubAllEnvs()
    await rm(work, { recursive: true })
  }
})

test("drawings and pages don't run any code", async () => {
  const hostile =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="alert(1)"><script>alert(2)</script><path d="M0 0h9"/></svg>'
  await folder.write({ 'brand/01 Logos/hostile.svg': hostile })
  const direct = await openBrowserBench({ space: folder.folder, svg: 'trust' })
  try {
    const kit = await direct.json(`data/kits/${brand.uuid}/0.json`)
    const found = /previews\/[^"]*/g
    const paths = JSON.stringify(kit).match(found) ?? []
    expect(paths.length).toBeGreaterThan(3)
    const texts = await Promise.all(
      paths.map(async (path) => {
        const { headers, body, status } = await direct.get(path)
        if (status !== 200) return ''
        expect(headers['content-security-policy']).toContain('sandbox')
        expect(headers['cross-origin-resource-policy']).toBe('same-origin')
        return body.toString('latin1')
      }),
    )
    expect(texts.join('')).not.toContain('alert')
  } finally {
    await direct.close()
    await folder.delete('brand/01 Logos/hostile.svg')
  }
})
