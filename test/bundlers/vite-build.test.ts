import { join } from 'node:path'
import contentSpace from 'unplugin-content-space/vite'
import { build, createLogger, type InlineConfig, type Plugin } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, readTree } from './driver.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())

const brand = `content-space:kit/${kits.brand}`
const show = `import { acmeLogo } from '${brand}'; globalThis.shown = acmeLogo.src`
const page = '<!doctype html><script type="module" src="/main.js"></script>'

/** Builds a project. Returns its output as text, and its content files as bytes. */
async function run(
  files: Record<string, string>,
  config: InlineConfig = {},
  options = {},
  other?: Plugin,
): Promise<Map<string, string>> {
  const project = await createProject({ 'index.html': page, ...files })
  const plugin = () => contentSpace({ ...space.options(), types: false, ...options })
  try {
    await build({
      root: project.root,
      configFile: false,
      customLogger: { ...createLogger('silent') },
      plugins: [plugin(), other],
      worker: { plugins: () => [plugin()] },
      ...config,
      build: { minify: false, ...config.build },
    })
    const output = await readTree(join(project.root, 'dist'))
    return new Map([...output].map(([path, bytes]) => [path, bytes.toString()]))
  } finally {
    await project.remove()
  }
}

const logo = () => space.original('brand/01 Logos/acme-logo.svg').toString()
const asset = /^assets\/acme-logo-[\w-]+\.svg$/

function find(files: Map<string, string>, path: RegExp): [string, string] {
  return [...files].find(([name]) => path.test(name)) ?? ['', '']
}

test('emits files, and prefixes their addresses with the base', async () => {
  const files = await run({ 'main.js': show }, { base: '/app/' })
  const [path, bytes] = find(files, asset)
  expect(bytes).toBe(logo())
  expect(find(files, /\.js$/)[1]).toContain(`"/app/${path}"`)
})

test('resolves a relative base against the script', async () => {
  const files = await run({ 'main.js': show }, { base: './' })
  expect(find(files, /\.js$/)[1]).toMatch(/new URL\("acme-logo-[\w-]+\.svg", import\.meta\.url\)/)
})

test('applies renderBuiltUrl to addresses', async () => {
  const files = await run(
    { 'main.js': show },
    {
      experimental: {
        renderBuiltUrl: (file) => (file.endsWith('.svg') ? { runtime: `cdn(${JSON.stringify(file)})` } : undefined),
      },
    },
  )
  expect(find(files, /\.js$/)[1]).toContain(`cdn("${find(files, asset)[0]}")`)
})

test('applies assetFileNames, and lists files in the manifest', async () => {
  const output = { assetFileNames: 'static/[name][extname]' }
  const files = await run({ 'main.js': show }, { build: { manifest: true, rolldownOptions: { output } } })
  expect(files.get('static/acme-logo.svg')).toBe(logo())
  expect(JSON.parse(files.get('.vite/manifest.json') ?? '')).toMatchObject({
    'index.html': { assets: ['static/acme-logo.svg'] },
  })
})

const everywhere = {
  'index.html': `<!doctype html><link rel="icon" href="content-space:asset/${kits.brand}/acme-logo">
    <img src="content-space:asset/${kits.brand}/acme-logo"><script type="module" src="/main.js"></script>`,
  'main.js': `import './style.css'; import { heroPhoto } from '${brand}'; ${show}; globalThis.photo = heroPhoto.src`,
  'style.css': `a { background: url(content-space:asset/${kits.brand}/acme-logo) }
    b { background: url(content-space:asset/${kits.brand}/acme-logo#a) }`,
}
const uri = () => `data:image/svg+xml;base64,${Buffer.from(logo()).toString('base64')}`

test('small files are inlined in scripts, style sheets, and pages according to the configuration', async () => {
  const limits = [logo().length + 1, (path: string) => path === 'acme-logo.svg']
  for (const assetsInlineLimit of limits) {
    const files = await run(everywhere, { build: { assetsInlineLimit } })
    expect(find(files, /\.js$/)[1]).toContain(`"${uri()}"`)
    expect(find(files, /\.css$/)[1]).toMatch(/b \{\s*background: url\("?\/assets\/acme-logo[^)]*#a/)
    expect(find(files, /\.css$/)[1]).toContain(uri())
    expect(files.get('index.html')).toContain(`<img src="${uri()}"`)
    expect(files.get('index.html')).toContain(`href="/${find(files, asset)[0]}"`)
    expect([...files.keys()].filter((name) => /hero-photo/.test(name))).toHaveLength(1)
  }
})

test('small files that no address needs are not emitted, and count as inlined', async () => {
  const log: string[] = []
  const customLogger = { ...createLogger('silent'), info: (message: string) => void log.push(message) }
  const files = await run({ 'main.js': show }, { customLogger, build: { assetsInlineLimit: 1e6 } })
  expect(find(files, asset)).toEqual(['', ''])
  expect(log.find((line) => line.startsWith('content-space:'))).toContain('1 inlined file from Brand')
})

test("a server build has the client build's URLs and doesn't emit files", async () => {
  const client = find(await run({ 'main.js': show }), asset)[0]
  const server = await run({ 'main.js': show }, { build: { ssr: 'main.js' } })
  expect([...server.keys()]).toEqual(['main.js'])
  expect(server.get('main.js')).toContain(`"/${client}"`)
})

test('builds a library in three formats', async () => {
  const lib = {
    entry: 'main.js',
    formats: ['es' as const, 'cjs' as const, 'umd' as const],
    name: 'lib',
    fileName: 'lib',
  }
  const files = await run({ 'main.js': show }, { base: './', build: { lib } })
  expect(files.get('acme-logo.svg')).toBe(logo())
  expect([...files.keys()]).toEqual(['acme-logo.svg', 'lib.cjs', 'lib.js', 'lib.umd.cjs'])
})

test('resolves imports of workers', async () => {
  const files = await run({
    'main.js': `new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })`,
    'worker.js': show,
  })
  const [path, bytes] = find(files, asset)
  expect(bytes).toBe(logo())
  expect(find(files, /worker.*\.js$/)[1]).toContain(`/${path}`)
})

test('resolves addresses in style sheets', async () => {
  const files = await run({
    'main.js': `import './style.css'`,
    'style.css': `a { background: url(content-space:asset/${kits.brand}/acme-logo) }\nb { background: url("content-space:asset/${kits.brand}/hero-photo?cut=png") }`,
  })
  const style = find(files, /\.css$/)[1]
  expect(find(files, asset)[1]).toBe(logo())
  expect(style).toContain(`url(/${find(files, asset)[0]})`)
  expect(style).toContain(`/${find(files, /\.png$/)[0]}`)
  expect(style).not.toContain('content-space:')
})

test('replaces ids that another plugin adds to a page', async () => {
  const injecting: Plugin = {
    name: 'injecting',
    transformIndexHtml: (html) =>
      `<img src="content-space:asset/${kits.brand}/acme-logo"><style>a { background: url(content-space:asset/${kits.brand}/hero-photo) }</style>${html}`,
  }
  const files = await run({ 'main.js': '' }, { base: '/app/' }, {}, injecting)
  expect(find(files, asset)[1]).toBe(logo())
  expect(files.get('index.html')).toContain(`src="/app/${find(files, asset)[0]}"`)
  expect(files.get('index.html')).toContain(`url(/app/${find(files, /hero-photo-/)[0]})`)
})

test.each([
  [
    'an attribute without an address',
    { 'index.html': `<img data-src="content-space:asset/${kits.brand}/acme-logo">${page}`, 'main.js': '' },
    'index.html',
  ],
  ['a kit in a style sheet', { 'main.js': `import './a.css'`, 'a.css': `a { background: url(${brand}) }` }, 'a.css'],
])('rejects an id that it cannot replace by an address: %s', async (_, files, importer) => {
  await expect(run(files)).rejects.toThrow(importer)
})

test('environments of one build share one listing and one download', async () => {
  space.requests()
  const project = await createProject({ 'index.html': page, 'main.js': show, 'server.js': show })
  const { createBuilder } = await import('vite')
  const builder = await createBuilder({
    root: project.root,
    configFile: false,
    logLevel: 'silent',
    plugins: [contentSpace({ ...space.options(), types: false })],
    environments: {
      client: { build: { outDir: 'dist/client' } },
      ssr: { build: { outDir: 'dist/server', ssr: 'server.js' } },
    },
  })
  for (const environment of Object.values(builder.environments)) await builder.build(environment)
  const files = await readTree(join(project.root, 'dist'))
  await project.remove()
  expect([...files.keys()].filter((path) => path.endsWith('.svg'))).toEqual([
    expect.stringMatching(/^client\/assets\/acme-logo/),
  ])
  expect(space.requests().filter((request) => request.includes('/download'))).toHaveLength(1)
})
