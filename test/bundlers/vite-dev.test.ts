import { readFile, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join, relative } from 'node:path'
import { WebSocket } from 'undici'
import contentSpace from 'unplugin-content-space/vite'
import { createLogger, createServer, type InlineConfig, type Plugin, type ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import { createProject, readTree, type Project } from './driver.js'
import { drawing, kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
let project: Project
let server: ViteDevServer | undefined
const log: string[] = []
const say = (message: string): void => void log.push(message)
const logger = { ...createLogger(), info: say, warn: say, error: say }

beforeAll(async () => void (space = await openTestSpace({ large: true })))
afterAll(() => space.close())
beforeEach(async () => {
  log.length = 0
  project = await createProject({
    'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
    'main.js': `import { acmeLogo } from 'content-space:kit/${kits.brand}'\nexport const logo = acmeLogo\n`,
    'wrong.js': `import { acmeLoga } from 'content-space:kit/${kits.brand}'\nexport const logo = acmeLoga\n`,
    'big.js': `import { asset00001 } from 'content-space:kit/${kits.big}'\nexport const asset = asset00001\n`,
    'raw.js': `import { asset00007 } from 'content-space:kit/${kits.big}?raw'\nexport const raw = asset00007\n`,
    'tokens.js': `import { colors, fonts } from 'content-space:tokens/${kits.style}'
      export const hex = colors.coral.hex
      export const font = fonts.testBold\n`,
    'style.css': `a { background: url(content-space:asset/${kits.brand}/acme-logo) }`,
  })
})
afterEach(async () => {
  await server?.close()
  server = undefined
  await project.remove()
})

async function serve(config: InlineConfig = {}, options = {}): Promise<ViteDevServer> {
  server = await createServer({
    root: project.root,
    configFile: false,
    customLogger: logger,
    plugins: [contentSpace({ ...space.options(), types: false, ...options })],
    ...config,
    server: { host: '127.0.0.1', port: 0, ...config.server },
  })
  return server.listen()
}

interface Answer {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  body: string
}

/** Sends an exact path and exact headers, because `fetch` would resolve dots and reject a Host header. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  const address = server?.httpServer?.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return new Promise((resolve, reject) => {
    httpRequest(
      { host: '127.0.0.1', port, path, method, headers: { host: `127.0.0.1:${port}`, ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks).toString() }),
        )
      },
    )
      .on('error', reject)
      .end()
  })
}

const kitModule = async (script: string, base = '/') => {
  const { body } = await get(`${base}${script}`)
  return get(/from "([^"]*content-space[^"]*)"/.exec(body)?.[1] ?? '')
}
const logoAddress = (body: string) => /"([^"]*__content-space\/[^"]*acme-logo\.svg)"/.exec(body)?.[1] ?? ''
const logo = () => space.original('brand/01 Logos/acme-logo.svg').toString()

test.each(['/', '/app/'])('serves a kit at once, and its files on request, with base %s', async (base) => {
  await serve({ base })
  space.requests()
  const { body } = await kitModule('main.js', base)
  expect(space.requests().filter((request) => request.includes('/download'))).toEqual([])
  expect(body).toContain('acmeLogo')
  const address = logoAddress(body)
  expect(address.startsWith(`${base}__content-space/`)).toBe(true)
  const file = await get(address)
  expect(file).toMatchObject({ status: 200, body: logo() })
  expect(file.headers).toMatchObject({
    'content-type': 'image/svg+xml',
    'content-security-policy': 'sandbox',
    'x-content-type-options': 'nosniff',
  })
  expect(await get(address, { 'if-none-match': String(file.headers['etag']) })).toMatchObject({ status: 304, body: '' })
  expect(await get(address, {}, 'HEAD')).toMatchObject({ status: 200, body: '' })
  expect(await get(address, {}, 'POST')).toMatchObject({ status: 405 })
})

test('serves a kit of 1,000 assets as one module', async () => {
  await serve()
  const { body } = await kitModule('big.js')
  expect(body.match(/__content-space\//g)).toHaveLength(1000)
  expect(body).not.toContain('sourceMappingURL')
})

test('downloads only the imported asset for `?raw`', async () => {
  await serve()
  space.requests()
  const { body } = await kitModule('raw.js')
  expect(body).toContain('<title>asset-00007</title>'.replaceAll('<', '\\u003c'))
  expect(space.requests().filter((request) => request.includes('/download'))).toHaveLength(1)
})

test("a server without `configureServer`, like React Router's child compiler, doesn't request or write anything", async () => {
  const plugins = [contentSpace({ ...space.options(), tokens: [{ kit: kits.style, file: 'tokens.css' }] })]
    .flat()
    .map((plugin) => ({ ...plugin, configureServer: undefined }))
  const { environments } = await serve({ plugins })
  space.requests()
  const { code = '' } = (await environments.ssr.transformRequest('/main.js')) ?? {}
  expect(code).toContain('content-space:kit')
  // Declarations are written half a second after the last import.
  await new Promise((done) => setTimeout(done, 1000))
  expect(space.requests()).toEqual([])
  expect(log).toEqual([])
  expect([...(await readTree(project.root))].filter(([file]) => /content-space|tokens\.css/.test(file))).toEqual([])
})

test('files of tokens are written if another plugin loads modules before the server is configured', async () => {
  const early: Plugin = {
    name: 'early',
    enforce: 'pre',
    configureServer: async ({ environments }) => void (await environments.client.transformRequest('/main.js')),
  }
  const tokens = [{ kit: kits.style, file: 'tokens.css' }]
  await serve({ plugins: [early, contentSpace({ ...space.options(), types: false, tokens })] })
  expect([...(await readTree(project.root)).keys()]).toContain('tokens.css')
})

test('prefixes addresses with `server.origin`', async () => {
  await serve({ server: { origin: 'http://assets.example:8080' } })
  expect(logoAddress((await kitModule('main.js')).body)).toMatch(/^http:\/\/assets\.example:8080\/__content-space\//)
})

test('serves only files that a module refers to', async () => {
  await serve()
  const { body } = await kitModule('main.js')
  const address = logoAddress(body)
  const odd = [
    '..',
    '../package.json',
    '%2e%2e/package.json',
    '%00',
    '0123456789abcdef/x.svg',
    '@fs/etc/passwd',
    '..%2f..%2fetc%2fpasswd',
  ]
  for (const path of odd) expect(await get(`/__content-space/${path}`)).toMatchObject({ status: 404 })
  expect(await get(`${address}/../main.js`)).toMatchObject({ status: 404 })
  expect(await get(`${address}::$DATA`)).toMatchObject({ status: 404 })
  expect((await get(address, { host: 'rebound.example' })).status).toBe(403)
  const text = [body, (await get('/main.js')).body, (await get(address)).body].join('\n')
  const { token = '' } = space.options()
  for (const secret of [token, Buffer.from(token).toString('base64'), space.options().cacheDir ?? ''])
    expect(text).not.toContain(secret)
})

test('suggests the nearest name for an unknown import', async () => {
  await serve()
  // Frameworks' compilers request parts of a file.
  expect((await get('/wrong.js?part=script')).status).toBe(500)
  expect(log.join('\n')).toMatch(/acmeLoga[\s\S]*acmeLogo/)
  expect(log.join('\n')).toMatch(/imported by: .*\/wrong\.js:1:\d+$/m)
})

test('uses the same addresses in style sheets and in server rendering', async () => {
  const { logo: shown } = await (await serve()).ssrLoadModule('/main.js')
  expect(shown.src).toMatch(/^\/__content-space\//)
  expect((await get('/style.css', { accept: 'text/css' })).body).toContain(shown.src)
})

test('writes no sha256 to the lock, and writes a .gitignore for its folder', async () => {
  await serve()
  await get(logoAddress((await kitModule('main.js')).body))
  await server?.close()
  const files = await readTree(project.root)
  expect(String(files.get('.content-space/.gitignore'))).toBe('*\n')
  expect(String(files.get('content-space.lock.json') ?? '')).not.toContain('sha256-')
})

test('reloads the page when a draft changes, and keeps content and warns once if the service fails', async () => {
  const away = await openTestSpace()
  const { cacheDir } = space.options()
  await serve({}, { ...away.options(), cacheDir, refresh: 0.2 })
  // The service receives requests only while a page is open.
  const browser = new WebSocket((server?.resolvedUrls?.local[0] ?? '').replace('http', 'ws'), 'vite-hmr')
  const before = await kitModule('main.js')
  const send = vi.spyOn(server?.environments.client.hot ?? { send() {} }, 'send')
  await away.edit('01 Logos/acme-logo.svg', drawing('Acme anew'))
  await vi.waitFor(() => expect(send).toHaveBeenCalled(), soon)
  const after = await kitModule('main.js')
  expect(logoAddress(after.body)).not.toBe(logoAddress(before.body))
  await vi.waitFor(() => expect(log.join('\n')).toMatch(/page reload .*content-space:kit\/[\w-]+$/m))
  expect((await get(logoAddress(after.body))).body).toBe(drawing('Acme anew'))
  await away.close()
  await vi.waitFor(() => expect(log.join('\n')).toContain('stays in use'), soon)
  expect((await kitModule('main.js')).body).toBe(after.body)
  expect((await get(logoAddress(after.body))).body).toBe(drawing('Acme anew'))
  expect(log.filter((line) => line.includes('stays in use'))).toHaveLength(1)
  browser.close()
})

test('reloads the page when content changes that only the server imports', async () => {
  const draft = await openTestSpace()
  const dev = await serve({}, { ...draft.options(), refresh: 0.2 })
  const browser = new WebSocket((dev.resolvedUrls?.local[0] ?? '').replace('http', 'ws'), 'vite-hmr')
  const messages: string[] = []
  browser.addEventListener('message', ({ data }) => void messages.push(String(data)))
  const before = await dev.ssrLoadModule('/main.js')
  await draft.edit('01 Logos/acme-logo.svg', drawing('Acme anew'))
  await vi.waitFor(() => expect(messages.join('')).toContain('full-reload'), soon)
  expect((await dev.ssrLoadModule('/main.js'))['logo'].src).not.toBe(before['logo'].src)
  browser.close()
  await draft.close()
})

test('reloads no page when content changes that only the browser loads, and that a module accepts', async () => {
  const draft = await openTestSpace()
  const lazy = `export const show = () => import('content-space:asset/${kits.brand}/acme-logo')`
  await project.write({ 'lazy.js': `${lazy}\nif (import.meta.hot) import.meta.hot.accept()` })
  const dev = await serve({}, { ...draft.options(), refresh: 0.2 })
  const browser = new WebSocket((dev.resolvedUrls?.local[0] ?? '').replace('http', 'ws'), 'vite-hmr')
  const messages: string[] = []
  browser.addEventListener('message', ({ data }) => void messages.push(String(data)))
  await dev.ssrLoadModule('/lazy.js')
  const [, address = ''] = /import\("([^"]+)"\)/.exec((await get('/lazy.js')).body) ?? []
  // After the second update, all messages about the first change have arrived.
  for (const [count, name] of [
    [1, 'Acme anew'],
    [2, 'Acme once more'],
  ] as const) {
    expect((await get(address)).body).toContain('acme-logo')
    await draft.edit('01 Logos/acme-logo.svg', drawing(name))
    const updates = () => messages.filter((message) => message.includes('"path":"/lazy.js"'))
    await vi.waitFor(() => expect(updates()).toHaveLength(count), soon)
  }
  expect(messages.join('')).not.toContain('full-reload')
  browser.close()
  await draft.close()
})

test("new files of the plugin don't reload pages", async () => {
  await project.write({ 'broken.js': `import './missing.js'` })
  const { resolvedUrls, watcher } = await serve()
  const added: string[] = []
  watcher.on('add', (file) => added.push(relative(project.root, file)))
  const browser = new WebSocket((resolvedUrls?.local[0] ?? '').replace('http', 'ws'), 'vite-hmr')
  const messages: string[] = []
  browser.addEventListener('message', ({ data }) => void messages.push(String(data)))
  await vi.waitFor(() => expect(messages.join('')).toContain('connected'), soon)
  // While an import can't be resolved, Vite reloads the page for every new file.
  expect((await get('/broken.js')).status).toBe(500)
  const own = ['types.d.ts', 'types.d.ts.1574454854', 'content-space.lock.json.99', '.content-space/.gitignore']
  for (const file of own) await project.write({ [file]: '' })
  await vi.waitFor(() => expect(added).toEqual(expect.arrayContaining(own)), soon)
  await project.write({ 'later.js': '' })
  const reloads = (): string[] => messages.filter((message) => message.includes('full-reload'))
  await vi.waitFor(() => expect(reloads().join('')).toContain('/later.js'), soon)
  expect(reloads()).toHaveLength(1)
  browser.close()
})

test('writes declarations on start and after a change of the source, and locks no files', async () => {
  for (const file of ['wrong.js', 'big.js', 'raw.js']) await rm(join(project.root, file))
  const read = (file: string): Promise<string> => readFile(join(project.root, file), 'utf8').catch(() => '')
  await serve({}, { types: 'types.d.ts' })
  await vi.waitFor(
    async () => expect(await read('types.d.ts')).toContain(`declare module 'content-space:kit/${kits.brand}'`),
    soon,
  )
  await writeFile(
    join(project.root, 'more.ts'),
    `import logo from 'content-space:asset/${kits.brand}/acme-logo?url'\nexport default logo\n`,
  )
  await vi.waitFor(async () => expect(await read('types.d.ts')).toContain('acme-logo?url'), soon)
  const { body } = await kitModule('main.js')
  await get(/"(\/__content-space\/[^"]+)"/.exec(body)?.[1] ?? '')
  expect(await read('content-space.lock.json')).toContain('"name":"acmeLogo"')
  expect(await read('content-space.lock.json')).not.toContain('sha256-')
})

test('colors and fonts are in their modules, and a font is downloaded when the browser requests it', async () => {
  const { environments } = await serve()
  space.requests()
  const code = (await environments.client.transformRequest('/tokens.js'))?.code ?? ''
  const id = /from "([^"]*content-space:tokens[^"]*)"/.exec(code)?.[1] ?? ''
  const { body } = await get(id)
  expect(body).toContain('"#e5603f"')
  expect(body).not.toContain('testLight')
  expect(space.requests().filter((request) => request.includes('/download'))).toEqual([])
  const address = /"(\/__content-space\/[^"]+)"/.exec(body)?.[1] ?? ''
  const font = await get(address)
  expect([font.status, font.headers['content-type']]).toEqual([200, 'font/woff2'])
  expect(font.body).toBe(space.original('style/02 Fonts/test-bold.woff2').toString())
})
