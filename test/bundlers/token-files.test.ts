import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { soon } from '../support/long.js'
import type { Options } from '../../src/config/options.js'
import { prepareBuild } from '../../src/frameworks/next/build.js'
import { makeFont } from '../support/font.js'
import { writeSpace, type SpaceFolder } from '../support/space.js'
import { startVite } from './development.js'
import { createProject, readTree, type Project } from './driver.js'
import { builtWithoutStyleSheets, styleSheetBuilders } from './markup-builders.js'

const inter = makeFont({ family: 'Inter', weight: 300, format: 'woff2' })
const color = (hex: string): object => ({ type: 'COLOR', meta: { hex } })

let space: SpaceFolder
let project: Project

beforeAll(async () => {
  space = await writeSpace({ 'brand/02 Fonts/inter-light.woff2': inter })
})
afterAll(() => space.remove())

beforeEach(async () => {
  await space.write({ 'brand/01 Colours/coral.json': color('#E5603F') })
  // The style sheet is written when the build starts.
  project = await createProject({ 'main.js': "import './tokens.css'\n" })
  return () => project.remove()
})

const options = (more: Options = {}): Options => ({
  space: space.folder,
  cacheDir: join(project.root, '.cache'),
  types: false,
  lockfile: false,
  // Rollup and Rolldown resolve paths relative to the working directory.
  tokens: [{ kit: 'brand', file: join(project.root, 'tokens.css') }],
  ...more,
})
const read = (file: string): Promise<string> => readFile(join(project.root, file), 'utf8')

describe.each(Object.entries(styleSheetBuilders))('%s', (_, build) => {
  test('writes files of tokens before it builds them, and emits their fonts', async () => {
    await build({ root: project.root, options: options(), base: '/static/' })
    const files = await readTree(join(project.root, 'dist'))
    const sheets = [...files].filter(([path]) => path.endsWith('.css')).map(([, bytes]) => bytes.toString())
    expect(sheets.join('')).toMatch(/--brand-coral:\s*#e5603f/)
    const address = /src:\s*url\(["']?(\/static\/[^"')]+\.woff2)["']?\)/.exec(sheets.join(''))?.[1] ?? ''
    expect(files.get(address.slice('/static/'.length))?.equals(inter)).toBe(true)
    expect(await read('tokens.css')).toContain('content-space:asset/brand/inter-light')
  })
})

test.each(Object.entries(builtWithoutStyleSheets))('%s needs font files beside a file of tokens', async (_, build) => {
  const run = (more: Options = {}) => build({ root: project.root, options: options(more), base: '/' })
  await expect(run()).rejects.toThrow(/is in a style sheet/)
  await project.write({ 'main.js': 'console.log(1)' })
  await run({ tokens: [{ kit: 'brand', file: join(project.root, 'tokens.css'), fonts: join(project.root, 'fonts') }] })
  expect(await read('tokens.css')).toContain('url("./fonts/inter-light.woff2")')
  expect((await readFile(join(project.root, 'fonts/inter-light.woff2'))).equals(inter)).toBe(true)
})

describe('a build', () => {
  const [build = async () => []] = Object.values(styleSheetBuilders)
  const run = (more: Options = {}) => build({ root: project.root, options: options(more), base: '/' })

  const setting = JSON.stringify({ tokens: [{ kit: 'brand', file: 'tokens.css' }] })
  test.each<[string, Record<string, string>]>([
    ['the configuration file', { 'content-space.config.json': setting }],
    [
      'a module that the configuration file imports',
      {
        'settings.mjs': `export default ${setting}`,
        'content-space.config.mjs': "export { default } from './settings.mjs'",
      },
    ],
  ])('reads option tokens from %s', async (_, files) => {
    await project.write(files)
    const { tokens: __, ...rest } = options()
    await build({ root: project.root, options: rest, base: '/' })
    expect(await read('tokens.css')).toContain('--brand-coral: #e5603f')
  })

  test('writes a file again only if the kit has changed', async () => {
    await run()
    await space.write({ 'brand/01 Colours/coral.json': color('#e5604f') })
    await run()
    expect(await read('tokens.css')).toContain('--brand-coral: #e5604f')
  })

  test('under a frozen lockfile, writes a missing file, and rejects one that is out of date', async () => {
    const locked = { lockfile: join(project.root, 'content-space.lock.json') }
    await run(locked)
    await rm(join(project.root, 'tokens.css'))
    await run({ ...locked, frozen: true })
    await project.write({ 'tokens.css': (await read('tokens.css')).replace('#e5603f', '#000000') })
    await expect(run({ ...locked, frozen: true })).rejects.toThrow(
      /tokens\.css is out of date\s+Run `npx content-space sync`/,
    )
    expect(await read('tokens.css')).toContain('#000000')
  })

  test('under a frozen lockfile, writes a missing font, and rejects one that is out of date', async () => {
    const fonts = join(project.root, 'fonts')
    const font = join(fonts, 'inter-light.woff2')
    const locked = {
      lockfile: join(project.root, 'content-space.lock.json'),
      tokens: [{ kit: 'brand', file: join(project.root, 'tokens.css'), fonts }],
    }
    await run(locked)
    await rm(font)
    await run({ ...locked, frozen: true })
    expect((await readFile(font)).equals(inter)).toBe(true)
    await project.write({ 'fonts/inter-light.woff2': 'damaged' })
    await expect(run({ ...locked, frozen: true })).rejects.toThrow(/inter-light\.woff2 is out of date/)
    expect(await read('fonts/inter-light.woff2')).toBe('damaged')
    const sheet = (await read('tokens.css')).replace('#e5603f', '#000000')
    await rm(font)
    await project.write({ 'tokens.css': sheet })
    await expect(run({ ...locked, frozen: true })).rejects.toThrow(/tokens\.css is out of date/)
    expect((await readFile(font)).equals(inter)).toBe(true)
  })

  test('fails if a file that it did not write is in the way', async () => {
    await project.write({ 'tokens.css': ':root {}' })
    await expect(run()).rejects.toThrow(/tokens\.css was not written by content-space/)
  })
})

test('a build of Next.js writes files of tokens before Next.js starts', async () => {
  await prepareBuild(project.root, options(), false)
  expect(await read('tokens.css')).toContain('--brand-coral: #e5603f')
})

test('a dev server writes a file again when the kit changes', async () => {
  const { server, log } = await startVite(project.root, options({ refresh: 0.2 }))
  try {
    expect(await read('tokens.css')).toContain('--brand-coral: #e5603f')
    await space.write({ 'brand/01 Colours/coral.json': color('#e5604f') })
    await vi.waitFor(async () => expect(await read('tokens.css')).toContain('#e5604f'), soon)
  } finally {
    await server.close()
  }
  expect(log()).not.toMatch(/error|warn/i)
})
