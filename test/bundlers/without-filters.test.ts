import { join } from 'node:path'
import contentSpaceRollup from 'unplugin-content-space/rollup'
import contentSpaceVite from 'unplugin-content-space/vite'
import { rollup, type Plugin as RollupPlugin } from 'rollup'
import { build, createServer, type InlineConfig, type Plugin } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject, readTree, type Project } from './driver.js'
import { kits, openTestSpace, type TestSpace } from './space.js'

let space: TestSpace
let project: Project

beforeAll(async () => {
  space = await openTestSpace()
  project = await createProject({
    'index.html': '<!doctype html><script type="module" src="/main.js"></script>',
    'main.js': `import './style.css'\nimport './logo.js'\n`,
    'logo.js': `import { acmeLogo } from 'content-space:kit/${kits.brand}'\nconsole.log(acmeLogo.src)\n`,
    'style.css': `a { background: url(content-space:asset/${kits.brand}/acme-logo) }`,
    'picture.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
    'other.js': `import address from './picture.svg'\nconsole.log(address)\n`,
  })
})
afterAll(async () => {
  await space.close()
  await project.remove()
})

/** Makes plugins run as in bundlers without filters, which call the handlers for every module. */
function withoutFilters<T extends object>(plugins: readonly T[]): T[] {
  return plugins.map((plugin) =>
    Object.assign(
      {},
      plugin,
      ...Object.entries(plugin).map(([name, hook]: [string, unknown]) =>
        typeof hook === 'object' && hook !== null && 'filter' in hook ? { [name]: { ...hook, filter: undefined } } : {},
      ),
    ),
  )
}

const options = () => ({ ...space.options(), types: false, lockfile: false }) as const
const viteConfig = (): InlineConfig => ({
  root: project.root,
  configFile: false,
  logLevel: 'silent',
  plugins: [withoutFilters<Plugin>([contentSpaceVite(options())].flat())],
  build: {
    assetsInlineLimit: 0,
    rolldownOptions: { input: [join(project.root, 'main.js'), join(project.root, 'other.js')] },
  },
})

test('Vite without filters builds pages, and leaves other modules alone', async () => {
  await build(viteConfig())
  const files = [...(await readTree(join(project.root, 'dist/assets'))).keys()]
  expect(files.map((file) => file.replace(/-[\w-]{8}\./, '.')).toSorted()).toEqual([
    'acme-logo.svg',
    'main.css',
    'main.js',
    'other.js',
    'picture.svg',
  ])
})

test('the dev server of Vite without filters answers', async () => {
  const server = await createServer({ ...viteConfig(), server: { host: '127.0.0.1', port: 0 } })
  try {
    await server.listen()
    const get = async (path: string, accept = '*/*') => {
      const response = await fetch(new URL(path, server.resolvedUrls?.local[0]), { headers: { accept } })
      return { status: response.status, body: await response.text() }
    }
    expect(await get('/main.js')).toMatchObject({ status: 200 })
    expect(await get('/other.js')).toMatchObject({ status: 200 })
    expect((await get('/style.css', 'text/css')).body).toContain('/__content-space/')
    const { body } = await get('/logo.js')
    const module = await get(/from "([^"]*content-space[^"]*)"/.exec(body)?.[1] ?? '')
    expect(module.body).toContain('asset$0 as acmeLogo')
  } finally {
    await server.close()
  }
})

test('Rollup without filters builds scripts', async () => {
  const plugins = withoutFilters<RollupPlugin>([contentSpaceRollup(options())].flat())
  const bundle = await rollup({ input: join(project.root, 'logo.js'), plugins })
  const { output } = await bundle.generate({})
  expect(output.map(({ fileName }) => fileName.replace(/-[\w-]{8}\./, '.'))).toEqual([
    'logo.js',
    'assets/acme-logo.svg',
  ])
  await bundle.close()
})
