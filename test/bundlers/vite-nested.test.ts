import { join } from 'node:path'
import contentSpace from 'unplugin-content-space/vite'
import { build, createLogger, createServer, type InlineConfig, type Plugin, type ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createProject, readTree, type Project } from './driver.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
let project: Project
beforeAll(async () => void (space = await openTestSpace()))
afterAll(() => space.close())
beforeEach(async () => {
  project = await createProject({
    'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
    'main.js': "import { logo } from './box.css.js'; globalThis.shown = logo",
    'box.css.js': `import { acmeLogo, heroPhoto } from 'content-space:kit/${kits.brand}'
      export const css = 'a { background: url(' + acmeLogo.src + ') } b { background: url("' + heroPhoto.src + '") }'
      export const logo = acmeLogo.src`,
  })
})
afterEach(() => project.remove())

const plugin = () => contentSpace({ ...space.options(), types: false })

/**
 * Runs `*.css.js` in a second server and puts its exports into the build, as vanilla-extract does.
 * @param inner the configuration of the second server
 */
function compiler(inner: InlineConfig): Plugin {
  let server: Promise<ViteDevServer> | undefined
  const sheets = new Map<string, string>()
  const start = () =>
    createServer({
      root: project.root,
      configFile: false,
      appType: 'custom',
      logLevel: 'silent',
      optimizeDeps: { noDiscovery: true },
      ...inner,
      server: { middlewareMode: true, hmr: false, watch: null },
    })
  return {
    name: 'compiler',
    buildStart: () => void (server ??= start()),
    async transform(_, id) {
      if (!id.endsWith('.css.js')) return undefined
      const started = await server
      const { css, logo } = (await started?.ssrLoadModule(id)) ?? {}
      for (const { file } of started?.moduleGraph.getModuleById(id)?.importedModules ?? [])
        if (file) this.addWatchFile(file)
      sheets.set(`${id}.css`, String(css))
      return `import ${JSON.stringify(`${id}.css`)}; export const logo = ${JSON.stringify(logo)}`
    },
    resolveId: (id) => (sheets.has(id) ? id : undefined),
    load: (id) => sheets.get(id),
    async buildEnd() {
      const started = await server
      server = undefined
      await started?.close()
    },
  }
}

async function run(inner: InlineConfig, own = plugin()): Promise<Map<string, string>> {
  await build({
    root: project.root,
    configFile: false,
    base: '/app/',
    customLogger: createLogger('silent'),
    plugins: [compiler(inner), own],
    build: { minify: false },
  })
  const output = await readTree(join(project.root, 'dist'))
  return new Map([...output].map(([path, bytes]) => [path, bytes.toString()]))
}

function expectFiles(output: Map<string, string>): void {
  const names = [...output.keys()]
  const find = (pattern: RegExp) => names.find((name) => pattern.test(name)) ?? ''
  const [logo, photo] = [find(/acme-logo-[\w-]+\.svg$/), find(/hero-photo-[\w-]+\.jpg$/)]
  expect(output.get(find(/\.css$/))).toContain(
    `a { background: url(/app/${logo}) } b { background: url("/app/${photo}")`,
  )
  expect(output.get(find(/\.js$/))).toContain(`"/app/${logo}"`)
  expect(output.get(logo)).toBe(space.original('brand/01 Logos/acme-logo.svg').toString())
}

test('a server inside a build refers to files of the build', async () => {
  expectFiles(await run({ plugins: [plugin()] }))
})

test('a server inside a build may have the plugins of the build', async () => {
  const own = plugin()
  expectFiles(await run({ plugins: [own] }, own))
})

test('an address of another server is an error', async () => {
  const other = await createProject({})
  const inner = { root: other.root, plugins: [plugin()], server: { fs: { strict: false } } }
  await expect(run(inner)).rejects.toThrow(
    /contains \/__content-space\/\w+\/acme-logo\.svg, which only a dev server serves/,
  )
  await other.remove()
})

test('a server inside a dev server refers to files that this one serves', async () => {
  const server = await createServer({
    root: project.root,
    configFile: false,
    base: '/app/',
    customLogger: createLogger('silent'),
    plugins: [compiler({ plugins: [plugin()] }), plugin()],
    server: { host: '127.0.0.1', port: 0 },
  })
  try {
    await server.listen()
    const url = server.resolvedUrls?.local[0] ?? ''
    const script = await (await fetch(new URL('box.css.js', url))).text()
    const [, address = ''] = /logo = "([^"]+)"/.exec(script) ?? []
    expect(address).toMatch(/^\/app\/__content-space\//)
    const [, imported = ''] = /import "([^"]+)"/.exec(script) ?? []
    const sheet = await (await fetch(new URL(imported, url))).text()
    expect(sheet).toContain(`url(${address})`)
    const response = await fetch(new URL(address, url))
    expect(await response.text()).toBe(space.original('brand/01 Logos/acme-logo.svg').toString())
  } finally {
    await server.close()
  }
})
