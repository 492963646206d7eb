import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test, onTestFinished } from 'vitest'
import { refresh } from '../../../src/commands/shared/kits.js'
import { writeModules } from '../../../src/frameworks/write-modules/write-modules.js'
import { openEngine, type Engine } from '../../../src/engine/engine.js'
import type { ModuleKind } from '../../../src/commands/pull/module-kinds.js'
import type { WrittenModules } from '../../../src/frameworks/write-modules/write-modules.js'
import type { Options } from '../../../src/config/options.js'
import { richSpace, serveSpace, svg, type ServedSpace, type SpaceFolder } from '../../support/space.js'

let space: SpaceFolder
let served: ServedSpace
let root: string

beforeAll(async () => {
  space = await richSpace()
  served = await serveSpace(space.folder)
})
afterAll(async () => {
  await served.close()
  await space.remove()
})
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-space-modules-'))
  served.requests.length = 0
})
afterEach(() => rm(root, { recursive: true }))

async function open(options: Options = {}): Promise<Engine> {
  const opened = await openEngine(
    { ...served.options, kits: { brand: 'acme-brand' }, cacheDir: join(root, 'cache'), frozen: false, ...options },
    { root, mode: 'test' },
  )
  onTestFinished(() => opened.close())
  return opened
}

const source = (code: string): Promise<void> => writeFile(join(root, 'main.js'), code)

async function write(code: string, module: ModuleKind = 'url', options: Options = {}): Promise<WrittenModules> {
  await source(code)
  return writeModules(await open(options), { folder: 'test', module })
}

function moduleOf({ modules }: WrittenModules, specifier: string): string {
  return modules.get(specifier) ?? ''
}

async function filesIn({ folder }: WrittenModules): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

const logo = 'content-space:asset/brand@draft/acme-logo'

describe('modules', () => {
  test('refer to files by address', async () => {
    const id = 'content-space:asset/brand@draft/hero-photo?w=32;64&format=webp;jpg&placeholder=color'
    const written = await write(`import hero from '${id}'`)
    const { default: hero } = await import(pathToFileURL(moduleOf(written, id)).href)
    expect(hero).toMatchObject({ name: 'Hero Photo', format: 'jpg', width: 64 })
    expect(hero.placeholder).toMatch(/^data:image\/png;base64,/)
    for (const entry of hero.sources[0].srcset.split(', ')) {
      const [address, descriptor] = entry.split(' ')
      expect(address).toMatch(/^file:.*\/hero-photo\.webp$/)
      expect((await readFile(new URL(address))).subarray(8, 12).toString(), descriptor).toBe('WEBP')
    }
  })

  test('refer to files by import, as a string or an object with src', async () => {
    const written = await write(`import logo from '${logo}'`, 'import')
    const text = await readFile(moduleOf(written, logo), 'utf8')
    const from = /from "(\.\/files\/[0-9a-f]{16}\/acme-logo\.svg)"/.exec(text)?.[1] ?? ''
    expect(await readFile(join(written.folder, from), 'utf8')).toContain('<svg')
    for (const imported of ['"/logo.svg"', '{ src: "/logo.svg", width: 1 }']) {
      const evaluated = text.replace(/import (\w+) from "[^"]+"/, `const $1 = ${imported}`)
      const { default: asset } = await import(`data:text/javascript,${encodeURIComponent(evaluated)}`)
      expect(asset.src).toBe('/logo.svg')
    }
  })

  test('are CommonJS with absolute paths', async () => {
    const kit = 'content-space:kit/brand@draft'
    const written = await write(
      `import { acmeLogo } from '${kit}'\nimport kits from 'content-space:kits'\nimport raw from '${logo}?raw'`,
      'cjs',
    )
    const require = createRequire(join(root, 'main.js'))
    const { acmeLogo } = require(moduleOf(written, kit))
    expect(await readFile(acmeLogo.src, 'utf8')).toContain('draft')
    expect(require(moduleOf(written, 'content-space:kits')).default).toHaveLength(2)
    expect(require(moduleOf(written, `${logo}?raw`)).default).toContain('draft')
  })

  test("don't contain imports for raw text, data URIs, and metadata", async () => {
    const ids = [`${logo}?raw`, `${logo}?inline`, `${logo}?as=metadata`]
    const written = await write(ids.map((id, at) => `import a${at} from '${id}'`).join('\n'), 'import')
    for (const id of ids) expect(await readFile(moduleOf(written, id), 'utf8')).not.toContain('import')
    expect((await filesIn(written)).filter((path) => path.startsWith('files'))).toEqual([])
  })

  test('of every kind of id are written, one for each query', async () => {
    const ids = [
      'content-space:kits',
      'content-space:outline/brand',
      'content-space:section/brand@draft/logos/documents',
      'content-space:section/brand@draft/photos?w=16',
      'content-space:section/brand@draft/photos?w=32',
      'content-space:asset/237C41F2-AAAA-4BBB-8CCC-000000000001',
    ]
    const written = await write(ids.map((id, at) => `import a${at} from '${id}'`).join('\n'))
    expect(written.errors.size).toBe(0)
    expect([...written.modules.keys()]).toEqual(ids.toSorted())
    expect(new Set(written.modules.values()).size).toBe(ids.length)
    for (const path of written.modules.values()) expect((await import(path)).default).toBeDefined()
  })
})

describe('cost', () => {
  test('only exports that the source uses are downloaded', async () => {
    const kit = 'content-space:kit/brand@draft'
    await source(`import { badge } from '${kit}'`)
    await writeFile(join(root, 'other.ts'), `import { acmeLogo } from '${kit}'\nimport type brand from '${kit}'`)
    const written = await writeModules(await open(), { folder: 'test', module: 'url' })
    expect(served.downloads()).toHaveLength(2)
    expect(Object.keys(await import(moduleOf(written, kit)))).toEqual(['acmeLogo', 'badge'])
  })

  test('imports of types get an empty module and no file', async () => {
    const id = `${logo}?w=10`
    await writeFile(join(root, 'types.ts'), `import type x from '${logo}?raw'`)
    const written = await write(`import '${id}'`)
    expect(await readFile(moduleOf(written, id), 'utf8')).toBe('export {}\n')
    expect(served.downloads()).toEqual([])
  })

  test("an unchanged source doesn't write anything", async () => {
    const written = await write(`import a from '${logo}'`)
    const module = moduleOf(written, logo)
    await utimes(module, 1, 1)
    expect((await write(`import a from '${logo}'`)).changed).toBe(false)
    expect((await stat(module)).mtimeMs).toBe(1000)
    expect(served.downloads()).toHaveLength(1)
  })
})

describe('the folder', () => {
  test('forgets what the source no longer uses, unless it is kept', async () => {
    const first = await write(`import a from '${logo}'\nimport b from '${logo}?cut=png'`)
    const files = await filesIn(first)
    expect(files.filter((path) => path.startsWith('files'))).toHaveLength(2)
    await source(`import a from '${logo}'`)
    await writeModules(await open(), { folder: 'test', module: 'url', keep: true })
    expect(await filesIn(first)).toEqual(files)
    await writeModules(await open(), { folder: 'test', module: 'url' })
    expect((await filesIn(first)).filter((path) => /^files|^asset/.test(path))).toHaveLength(2)
  })

  test('follows a change of content', async () => {
    const id = 'content-space:asset/icons@draft/arrow-left'
    await source(`import a from '${id}'`)
    const opened = await open()
    const before = await writeModules(opened, { folder: 'test', module: 'url' })
    await space.write({ 'icons/Arrows/arrow-left.svg': svg('changed') })
    expect(await refresh(opened)).toBe(true)
    const after = await writeModules(opened, { folder: 'test', module: 'url' })
    expect([after.changed, moduleOf(after, id)]).toEqual([true, moduleOf(before, id)])
    const [file = ''] = (await filesIn(after)).filter((path) => path.startsWith('files'))
    expect(await readFile(join(after.folder, file), 'utf8')).toContain('changed')
  })

  test('is complete when several processes write it at once', async () => {
    await source(`import { acmeLogo, heroPhoto } from 'content-space:kit/brand@draft'`)
    const importers = await Promise.all([open(), open(), open()])
    const [one, ...others] = await Promise.all(
      importers.map((each) => writeModules(each, { folder: 'test', module: 'url' })),
    )
    for (const other of others) expect(other.modules).toEqual(one?.modules)
    const files = one ? await filesIn(one) : []
    expect(files.map((path) => path.replace(/[0-9a-f]{12,}/, '*')).toSorted()).toEqual([
      'files/*/acme-logo.svg',
      'files/*/hero-photo.jpg',
      'kit-brand-draft-*.js',
      'package.json',
    ])
  })
})

describe('errors', () => {
  test('of single imports are returned with the importing file, and thrown by their modules', async () => {
    const kit = 'content-space:kit/brand@draft'
    const missing = 'content-space:asset/brand@draft/acme-lgo'
    await writeFile(join(root, 'a.js'), `import { acmeLogo } from '${kit}'`)
    const written = await write(
      `import lost from '${missing}'\nimport { acmeLgo } from '${kit}'\nimport a from '${logo}'`,
    )
    expect(
      Object.fromEntries([...written.errors].map(([id, { code, facts }]) => [id, [code, facts.importer, facts.line]])),
    ).toEqual({
      [missing]: ['assetNotFound', 'main.js', 1],
      [kit]: ['unknownExport', 'main.js', 2],
    })
    expect(written.errors.get(missing)?.message).toContain('acme-logo')
    await expect(import(moduleOf(written, missing))).rejects.toMatchObject({
      name: 'ContentSpaceError',
      code: 'assetNotFound',
      message: expect.stringContaining('acme-logo'),
    })
    expect((await import(moduleOf(written, logo))).default.name).toBe('Acme Logo')
  })

  test('of a file name the import', async () => {
    const id = 'content-space:asset/icons@draft/broken?w=10'
    await space.write({ 'icons/Arrows/broken.png': 'not a picture' })
    onTestFinished(() => space.delete('icons/Arrows/broken.png'))
    const written = await write(`\nimport broken from '${id}'`)
    expect(written.errors.get(id)?.facts).toMatchObject({ importer: 'main.js', line: 2 })
  })

  test('about everything that is missing offline are one error', async () => {
    const text = `import a from '${logo}'\nimport { heroPhoto } from 'content-space:kit/brand@draft'`
    await expect(write(text, 'url', { offline: true })).rejects.toMatchObject({ code: 'offline' })
  })

  test('of a frozen lockfile and a wrong token end the call', async () => {
    await expect(write(`import a from '${logo}'`, 'url', { frozen: true })).rejects.toMatchObject({ code: 'frozen' })
    await expect(write(`import a from '${logo}'`, 'url', { token: 'wrong' })).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })
})
