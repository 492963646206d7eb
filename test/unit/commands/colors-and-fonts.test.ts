import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { pull } from '../../../src/commands/pull/run.js'
import { sync } from '../../../src/commands/shared/sync.js'
import { writeModules } from '../../../src/frameworks/write-modules/write-modules.js'
import { declarationOf } from '../../../src/engine/build.js'
import { openEngine, type Engine } from '../../../src/engine/engine.js'
import { makeFont } from '../../support/font.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../../support/space.js'

const light = makeFont({ family: 'Test Sans', variant: 'Light', weight: 300, format: 'woff2' })
const plain = makeFont({ family: 'Plain', format: 'ttf' })
const tokens = 'content-space:tokens/brand'

let space: SpaceFolder
let served: ServedSpace
let root: string

beforeAll(async () => {
  space = await writeSpace({
    'brand/01 Colours/coral.json': { color: '#E5603F' },
    'brand/02 Fonts/light.woff2': light,
    'brand/02 Fonts/plain.ttf': plain,
    // The record contains only the type.
    'brand/02 Fonts/plain.json': { type: 'TTF' },
  })
  served = await serveSpace(space.folder)
})
afterAll(async () => {
  await served.close()
  await space.remove()
})
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-space-tokens-'))
  served.requests.length = 0
})
afterEach(() => rm(root, { recursive: true }))

async function open(main: string): Promise<Engine> {
  await writeFile(join(root, 'main.ts'), main)
  const options = { ...served.options, cacheDir: join(root, 'cache'), frozen: false }
  const engine = await openEngine(options, { root, mode: 'test', env: {} })
  onTestFinished(() => engine.close())
  return engine
}

const useAll = `import { colors, fonts } from '${tokens}'\nconsole.log(colors, fonts)`

describe('modules on disk', () => {
  test('are ES modules that refer to the fonts', async () => {
    const engine = await open(useAll)
    const { modules } = await writeModules(engine, { folder: 'test', module: 'url' })
    const { colors, fonts } = await import(pathToFileURL(modules.get(tokens) ?? '').href)
    expect(colors.coral.css).toBe('#e5603f')
    expect(fonts).toMatchObject({ light: { weight: 300, format: 'woff2' }, plain: { family: 'Plain', format: 'ttf' } })
    expect(fonts.plain.src).toMatch(/\/plain\.ttf$/)
    expect((await readFile(fileURLToPath(fonts.light.src))).equals(light)).toBe(true)
  })

  test('are CommonJS for Jest', async () => {
    const engine = await open(`import tokens from '${tokens}'\nconsole.log(tokens)`)
    const { modules } = await writeModules(engine, { folder: 'test', module: 'cjs' })
    const { default: all } = createRequire(join(root, 'main.js'))(modules.get(tokens) ?? '')
    expect(all.colors.coral.hex).toBe('#e5603f')
    expect((await readFile(all.fonts.plain.src)).equals(plain)).toBe(true)
  })

  test("don't download fonts for colors", async () => {
    const engine = await open(`import { colors } from '${tokens}'\nconsole.log(colors)`)
    const { modules } = await writeModules(engine, { folder: 'test', module: 'next' })
    expect(Object.keys(await import(pathToFileURL(modules.get(tokens) ?? '').href))).toEqual(['colors'])
    expect(served.downloads()).toEqual([])
  })
})

describe('sync', () => {
  test('downloads and locks the fonts that the source uses', async () => {
    const engine = await open(useAll)
    await sync(engine)
    expect(served.downloads()).toHaveLength(2)
    expect(await readFile(join(root, 'content-space.lock.json'), 'utf8')).toMatch(/"light".*sha256-/)
    await engine.close()
    expect((await (await open(useAll)).sync.verify()).lines).toEqual([])
  })

  test("doesn't download fonts for colors, and rejects other names", async () => {
    const engine = await open(`import { colors, coral } from '${tokens}'\nconsole.log(colors, coral)`)
    const { refusals } = await sync(engine)
    expect(served.downloads()).toEqual([])
    expect(refusals).toMatchObject([{ specifier: tokens, reason: expect.stringContaining('colors and fonts') }])
  })
})

test('declarations of libraries have only the exports that they use', async () => {
  const engine = await open(useAll)
  expect(await declarationOf(engine, tokens, ['colors'])).toMatch(/^export const colors: \{\n.*#e5603f.*\n {2}coral: /)
  expect(await declarationOf(engine, tokens, ['fonts'])).toMatch(/light: .*FontToken & \{ src: string \}/)
  expect(served.downloads()).toEqual([])
})

test('pull writes fonts with their extension, and colors as data', async () => {
  const engine = await open('')
  await pull(engine, { kits: 'brand', out: 'content' })
  expect((await readFile(join(root, 'content/fonts/light.woff2'))).equals(light)).toBe(true)
  expect((await readFile(join(root, 'content/fonts/plain.ttf'))).equals(plain)).toBe(true)
  const { coral, light: pulled } = await import(pathToFileURL(join(root, 'content/index.js')).href)
  expect(coral).toMatchObject({ type: 'COLOR', colors: [{ name: 'Coral', hue: 11.93 }] })
  expect(pulled).toMatchObject({ type: 'TEXT_STYLE', format: 'woff2', src: expect.stringMatching(/light\.woff2$/) })
})
