import { mkdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { svg, writeSpace, type SpaceFolder } from '../support/space.js'

const repository = fileURLToPath(new URL('../..', import.meta.url))
const types = 'src/content-space.d.ts'

let space: SpaceFolder
let work: Project

beforeAll(async () => {
  space = await writeSpace({ 'brand/Logos/acme-logo.svg': svg('logo') })
})
afterAll(() => space.remove())
beforeEach(async () => {
  work = await project({ 'package.json': '{}', ...importing('src/main.ts') }, { CONTENT_SPACE_URL: space.folder })
  await link('node_modules/unplugin-content-space', repository)
})
afterEach(() => work.remove())

function importing(file: string, query = ''): Record<string, string> {
  return { [file]: `import 'content-space:kit/brand${query}'\n` }
}

async function link(path: string, target: string): Promise<void> {
  await mkdir(dirname(join(work.root, path)), { recursive: true })
  await symlink(target, join(work.root, path))
}

/** Runs `sync` and then `verify`, which print the same warnings. */
async function warnings(): Promise<string[]> {
  const synced = await work.run('sync')
  const verified = await work.run('verify')
  expect([synced.code, verified]).toEqual([0, expect.objectContaining({ code: 0, stderr: synced.stderr })])
  const { warnings: listed } = JSON.parse((await work.run('verify', '--json')).stdout)
  expect(synced.stderr).toBe(listed.map((text: string) => `warning: ${text}\n`).join(''))
  return listed
}

describe('each tsconfig with a file that imports content includes the declarations', () => {
  test.each([
    ['an include', '{ "include": ["src"] /* as usual */ }'],
    ['no include', '{}'],
    ['an include of another file', '{ "extends": "./config/base.json" }'],
    ['a reference', '{ "files": [], "references": [{ "path": "./config/app.json" }] }'],
  ])('by %s', async (_, tsconfig) => {
    const include = '{ "include": ["../src"] }'
    await work.write({ 'tsconfig.json': tsconfig, 'config/base.json': include, 'config/app.json': include })
    expect(await warnings()).toEqual([])
  })

  test('or is told which line it lacks', async () => {
    await work.write({
      'tsconfig.json':
        '{ "files": [], "references": [{ "path": "tsconfig.web.json" }, { "path": "tsconfig.node.json" }] }',
      'tsconfig.node.json': '{ "include": ["src/main"] }',
      'tsconfig.web.json': '{ "include": ["src/web/**/*"] }',
      'tsconfig.tools.json': '{ "include": ["tools"] }',
      ...importing('src/main/index.ts'),
      ...importing('src/web/app.tsx'),
      ...importing('src/web/App.vue'),
    })
    await rm(join(work.root, 'src/main.ts'))
    const how = 'so imports have the type any. Set "include"'
    expect(await warnings()).toEqual([
      `tsconfig.node.json does not include ${types}, ${how}: ["src/main", "${types}"], or move the file with option types.`,
      `tsconfig.web.json does not include ${types}, ${how}: ["src/web/**/*", "${types}"], or move the file with option types.`,
    ])
  })

  test('although only a file that it imports has content', async () => {
    await work.write({
      'tsconfig.json': '{ "files": [], "references": [{ "path": "tsconfig.app.json" }] }',
      'tsconfig.app.json':
        '{ "include": ["src"], "exclude": ["src/**/*.spec.ts"], "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'tsconfig.vitest.json': '{ "extends": "./tsconfig.app.json", "include": ["src/**/*.spec.ts"], "exclude": [] }',
      'tsconfig.node.json': '{ "include": ["vite.config.ts"] }',
      'vite.config.ts': "import './plugins/own.js'\n",
      'src/App.vue': "<script setup>\nimport { show } from './show'\n</script>\n",
      'src/show.ts': "export * from './main.js'\n",
      'src/App.spec.ts': "import App from '@/App.vue'\n",
    })
    expect(await warnings()).toEqual([
      expect.stringMatching(/^tsconfig\.vitest\.json does not include src\/content-space\.d\.ts/),
    ])
    await work.write({ 'src/App.spec.ts': "import { expect } from 'vitest'\n" })
    expect(await warnings()).toEqual([])
  })

  test('in a package of the workspace, and in a folder with its own tsconfig', async () => {
    await work.write({
      'tsconfig.json': '{ "include": ["src"] }',
      'apps/web/package.json': '{}',
      'apps/web/tsconfig.json': '{ "include": ["src"] }',
      'server/tsconfig.json': '{}',
      ...importing('apps/web/src/main.ts'),
      ...importing('server/page.ts'),
    })
    expect(await warnings()).toEqual([
      expect.stringContaining(`apps/web/tsconfig.json does not include ../../${types}`),
      expect.stringContaining(`server/tsconfig.json does not include ../${types}`),
    ])
    await work.write({
      'apps/web/tsconfig.json': `{ "include": ["src", "../../${types}"] }`,
      'server/tsconfig.json': `{ "include": ["**/*", "../${types}"] }`,
    })
    expect(await warnings()).toEqual([])
  })
})

describe('the types that declarations refer to', () => {
  const store = 'node_modules/.pnpm/unplugin-content-space@1/node_modules'

  /** Installs the package as pnpm does without hoisting, so that it reaches only its declared dependencies. */
  async function installAlone(at: string): Promise<void> {
    await rm(join(work.root, 'node_modules'), { recursive: true })
    await work.write({ [`${store}/unplugin-content-space/package.json`]: '{}' })
    await link(at, join(work.root, store, 'unplugin-content-space'))
  }

  test.each([
    ['react', '@types/react'],
    ['vue', 'vue'],
    ['solid', 'solid-js'],
  ])('of %s are found from the package', async (framework, name) => {
    await installAlone('node_modules/unplugin-content-space')
    await work.write({
      'tsconfig.json': '{}',
      [`node_modules/${name}/package.json`]: '{}',
      ...importing('src/main.ts', `?as=${framework}`),
    })
    expect(await warnings()).toEqual([])
    await rm(join(work.root, 'node_modules', name), { recursive: true })
    expect(await warnings()).toEqual([
      `unplugin-content-space finds no types of ${name}, so components in ${types} have the type any. ` +
        `Install ${name} in the package that has unplugin-content-space.`,
    ])
    await work.write({ [`${store}/${name}/package.json`]: '{}' })
    expect(await warnings()).toEqual([])
  })

  test('of the package are found from the declarations', async () => {
    await installAlone('apps/web/node_modules/unplugin-content-space')
    await work.write({
      'tsconfig.json': '{}',
      'apps/web/package.json': '{}',
      ...importing('apps/web/main.ts', '?as=react'),
    })
    expect(await warnings()).toEqual([
      `${types} takes types from unplugin-content-space, which is not installed in its folder or above, so imports have ` +
        'the type any. Install the package there, or let option types name a path in a package that has it.',
    ])
  })

  test("don't concern a project without TypeScript", async () => {
    await rm(join(work.root, 'node_modules'), { recursive: true })
    expect(await warnings()).toEqual([])
  })
})
