import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { serveSpace, svg, writeSpace, type ServedSpace } from '../support/space.js'

const id = (query: string) => `content-space:asset/brand/logo?${query}`
const config = (kit: object) => ({ 'content-space.config.json': JSON.stringify({ kits: { brand: kit } }) })

let service: ServedSpace
let work: Project

beforeEach(async () => {
  const space = await writeSpace({
    'brand/kit.json': { name: 'Brand', use_version: 1, versions: [{ version: 1, folder: '1' }] },
    'brand/1/01 Logos/logo.svg': svg('light'),
    'brand/1/01 Logos/logo.json': { name: 'Logo' },
    'brand/1/01 Logos/logo-reversed.svg': svg('dark'),
    'brand/1/01 Logos/logo-reversed.json': { name: 'Logo Reversed' },
    'brand/1/01 Logos/other.svg': svg('other'),
    'brand/1/02 Colors/coral.json': { type: 'COLOR', meta: { hex: '#E5603F' } },
  })
  service = await serveSpace(space.folder)
  work = await project({}, service.env)
  return async () => {
    await service.close()
    await work.remove()
    await space.remove()
  }
})

const read = (file: string) => readFile(join(work.root, file), 'utf8')
const use = (text: string) => work.write({ 'main.ts': text })

test('an import of a pair locks and declares both files, and works offline', async () => {
  await use(`import logo from '${id('dark=logo-reversed')}'\nexport default logo\n`)
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  expect(service.downloads()).toHaveLength(2)
  expect((await read('content-space.lock.json')).match(/"original":"sha256-/g)).toHaveLength(2)
  expect(await read('content-space.d.ts')).toMatch(/dark: \{ src: string; width: \d+; height: \d+ \}/)
  expect(await work.run('verify')).toMatchObject({ code: 0 })
  service.requests.length = 0
  expect(await work.run('sync', '--offline', '--frozen')).toMatchObject({ code: 0 })
  expect(service.requests).toEqual([])
})

test.each([
  ['dark=logo-revrsed', 'logo-reversed'],
  ['dark=logo', 'cannot be its own dark version'],
  ['dark=coral', 'Coral (COLOR) has no file, so it cannot be the dark version of Logo'],
  ['dark=logo-reversed&as=url', 'as=picture'],
  ['dark=logo-reversed&as=metadata', 'as=picture'],
  ['dark=', 'has no value'],
])('%s is an error', async (query, message) => {
  await use(`import logo from '${id(query)}'\nexport default logo\n`)
  const { code, stderr } = await work.run('sync')
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
  expect(await read('content-space.d.ts')).toContain('readonly error')
})

test('a kit with many assets rejects dark, and the error mentions the option', async () => {
  await use(`import { logo } from 'content-space:kit/brand?dark=logo-reversed'\nexport default logo\n`)
  const { code, stderr } = await work.run('sync')
  expect([code, stderr]).toEqual([1, expect.stringContaining('option kits')])
})

test.each([
  ['dark', { dark: { logo: 'logo-reversed' } }],
  ['darkPattern', { darkPattern: '{name} Reversed' }],
])('option %s pairs the assets of a kit, in imports and in pulled files', async (_, pairs) => {
  await work.write(config({ kit: 'brand', ...pairs }))
  await use(`import { logo, other } from 'content-space:kit/brand'\nexport default [logo.dark.src, other]\n`)
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  expect((await read('content-space.d.ts')).match(/dark: \{/g)).toHaveLength(1)
  expect(await work.run('pull', 'brand', '--out', 'content')).toMatchObject({ code: 0 })
  expect(await readdir(join(work.root, 'content/logos'))).toContain('logo-dark.svg')
  expect(await read('content/logos/logo-dark.svg')).toBe(svg('dark'))
  expect(await read('content/logos/logo.js')).toMatch(/dark: ?\{ ?src: ?/)
})

test.each([
  [{ dark: { logo: 'none' } }, 'asset none'],
  [{ dark: { logo: 'coral' } }, 'Coral (COLOR) has no file'],
  [{ dark: { lgo: 'logo-reversed' } }, 'Did you mean logo (Logo, '],
  [{ darkPattern: 'Reversed' }, 'darkPattern contains {name}'],
])('%j is an error', async (pairs, message) => {
  await work.write(config({ kit: 'brand', ...pairs }))
  await use(`import { logo } from 'content-space:kit/brand'\nexport default logo\n`)
  const { code, stderr } = await work.run('sync')
  expect([code, stderr]).toEqual([1, expect.stringContaining(message)])
})

test("a pattern that doesn't match any pair causes a warning with the most similar word", async () => {
  await work.write(config({ kit: 'brand', darkPattern: '{name} Reversd' }))
  await use(`import { logo } from 'content-space:kit/brand'\nexport default logo\n`)
  const { code, stderr } = await work.run('sync')
  expect(stderr).toContain("darkPattern '{name} Reversd' pairs no assets of kit Brand. Did you mean Reversed?\n")
  expect(code).toBe(0)
})

test('ls shows the partner of an asset', async () => {
  await work.write(config({ kit: 'brand', darkPattern: '{name} Reversed' }))
  const { stdout } = await work.run('ls', 'brand')
  expect(stdout.match(/^.*on dark.*$/gm)).toEqual([expect.stringMatching(/ logo {2}.* {2}on dark: logo-reversed$/)])
  const [{ items }] = JSON.parse((await work.run('ls', 'brand', '--json')).stdout).sections
  const partners = items.map(({ asset }: { asset: { slug: string; dark?: string } }) => [asset.slug, asset.dark])
  expect(Object.fromEntries(partners)).toEqual({ logo: 'logo-reversed', 'logo-reversed': undefined, other: undefined })
})

test.each(['dark', '.a .b', '.dark{}', '[x="]'])('darkMode %j is an error', async (darkMode) => {
  await work.write({ 'content-space.config.json': JSON.stringify({ darkMode }) })
  const { code, stderr } = await work.run('sync')
  expect([code, stderr]).toEqual([1, expect.stringContaining('darkMode')])
})

test('a counterpart counts as used, and one that a version has lost breaks the line that shows it', async () => {
  const space = await writeSpace({
    'brand/kit.json': {
      name: 'Brand',
      use_version: 1,
      versions: [1, 2].map((at) => ({ version: at, folder: `${at}` })),
    },
    ...Object.fromEntries(
      ['1/logo', '1/reversed', '1/night', '2/logo'].map((name) => [`brand/${name}.svg`, svg(name.slice(2))]),
    ),
  })
  const { CONTENT_SPACE_URL: _, ...env } = service.env
  const other = await project(config({ kit: 'brand', dark: { logo: 'night' } }), {
    ...env,
    CONTENT_SPACE_URL: space.folder,
  })
  await other.write({
    'query.ts': `export { default } from 'content-space:asset/brand/logo?dark=reversed'\n`,
    'option.ts': `export { logo } from 'content-space:kit/brand'\n`,
    'style.css': `a { background: url("content-space:asset/brand/logo") }\n`,
    'icons.ts': `export { default } from 'content-space:app-icons/brand/logo?dark=reversed'\n`,
  })
  expect(await other.run('sync')).toMatchObject({ code: 0 })
  const usage = JSON.parse((await other.run('usage', '--json', '--no-copies')).stdout)
  const places = new Map(usage.assets.map((one: { slug: string; places: object[] }) => [one.slug, one.places]))
  expect(places.get('reversed')).toMatchObject([{ file: 'icons.ts' }, { file: 'query.ts' }])
  expect(places.get('night')).toMatchObject([{ file: 'option.ts', line: 1 }, { file: 'style.css' }])
  const { removed } = JSON.parse((await other.run('diff', 'brand', '--from', '1', '--to', '2', '--json')).stdout)
  const broken = new Map(removed.map((one: { name: string; breaks: object[] }) => [one.name, one.breaks]))
  expect(broken.get('Reversed')).toMatchObject([{ file: 'icons.ts' }, { file: 'query.ts', line: 1 }])
  expect(broken.get('Night')).toMatchObject([{ file: 'option.ts', line: 1 }, { file: 'style.css' }])
  await other.remove()
  await space.remove()
})
