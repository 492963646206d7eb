import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { project, type Project } from '../support/cli.js'
import { makeFont } from '../support/font.js'
import { serveSpace, writeSpace, type Files, type ServedSpace, type SpaceFolder } from '../support/space.js'

const kit = '3BD9A8C0-1111-4222-8333-444455556666'
const color = (hex: string): object => ({ type: 'COLOR', meta: { hex } })
const inter = makeFont({ family: 'Inter', weight: 300, format: 'woff2' })
const date = (day: number): string => `2024-01-0${day} 00:00:00.000000+0000`
const contents = (folder: string, coral: string): Files => ({
  [`${folder}/01 Colours/coral.json`]: color(coral),
  [`${folder}/01 Colours/pine.json`]: color('#11373A'),
  [`${folder}/02 Fonts/inter-light.woff2`]: inter,
})
/** Returns a kit with one color. */
const renamed = (name: string): Files => ({
  'renamed/kit.json': { uuid: '3BD9A8C0-1111-4222-8333-444455557777', name: 'Renamed' },
  'renamed/01 Colours/coral.json': { ...color('#e5603f'), uuid: '3BD9A8C0-1111-4222-8333-444455558888', name },
})
const brand = (version: number): Files => ({
  'brand/kit.json': {
    uuid: kit,
    name: 'Brand',
    use_version: version,
    date_updated: date(version),
    versions: [
      { version: 1, folder: 'versions/1', date_updated: date(1) },
      { version: 2, folder: 'versions/2', date_updated: date(2) },
    ],
  },
})

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await writeSpace({
    'space.json': { space_id: 7 },
    ...brand(1),
    ...contents('brand', '#ffffff'),
    ...contents('brand/versions/1', '#E5603F'),
    ...contents('brand/versions/2', '#E5604F'),
  })
})
afterAll(() => space.remove())

beforeEach(async () => {
  await space.write(brand(1))
  service = await serveSpace(space.folder)
  work = await project({ 'src/main.ts': 'export {}\n' }, environment())
  return async () => {
    await service.close()
    await work.remove()
  }
})

const environment = (): Record<string, string> => service.env
const read = (file: string): Promise<string> => readFile(join(work.root, file), 'utf8')
const tokens = (...args: string[]) => work.run('tokens', 'brand', ...args)

const written = async (name: string, ...args: string[]): Promise<string> => {
  const { code, stderr } = await tokens('--out', name, ...args)
  expect([code, stderr]).toEqual([0, ''])
  return read(name)
}

const list = (...names: string[]): string =>
  ['Missing from the cache while offline:', ...names.map((name) => `  ${name} is not in the cache.`)].join('\n')

describe('content-space tokens', () => {
  test('writes a style sheet and the lockfile, and only if something has changed', async () => {
    const first = await tokens('--out', 'src/tokens.css')
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout).toBe('wrote src/tokens.css: 2 colors and 1 font of Brand\n')
    const text = await read('src/tokens.css')
    expect(text).toContain('  --brand-coral: #e5603f;\n  --brand-pine: #11373a;\n')
    expect(text).toContain('src: url("content-space:asset/brand/inter-light") format("woff2");')
    expect(await read('content-space.lock.json')).toContain('"slug":"inter-light"')
    // The record contains the family and the weight, and the style sheet contains an id.
    expect(service.downloads()).toHaveLength(0)
    const before = await stat(join(work.root, 'src/tokens.css'))
    const { stdout } = await tokens('--out', 'src/tokens.css')
    expect(stdout).toContain('is up to date')
    expect((await stat(join(work.root, 'src/tokens.css'))).mtimeMs).toBe(before.mtimeMs)
  })

  test('obeys the lockfile, and writes the version that is named', async () => {
    await tokens('--out', 'tokens.css')
    await space.write(brand(2))
    await rm(join(work.root, '.cache'), { recursive: true })
    await tokens('--out', 'tokens.css')
    expect(await read('tokens.css')).toContain('#e5603f')
    await work.run('tokens', 'brand@2', '--out', 'tokens.css')
    expect(await read('tokens.css')).toContain('#e5604f')
    expect(await read('tokens.css')).toContain('content-space:asset/brand@2/inter-light')
    await work.run('update')
    await tokens('--out', 'tokens.css')
    expect(await read('tokens.css')).toContain('#e5604f')
  })

  test('recognizes the format by the name of the file', async () => {
    expect(await written('a.scss')).toContain('$brand-coral: #e5603f;')
    expect(await written('a.tokens.json')).toMatch(/^\{\n {2}"\$description": "Written by content-space/)
    expect(await written('a.ts')).toContain('export const colors = {')
    expect(await written('theme.css', '--format', 'tailwind')).toContain('  --color-coral: #e5603f;')
    expect(await written('no.css', '--prefix', '')).toContain('  --coral: #e5603f;')
    expect(await written('acme.css', '--prefix', 'acme')).toContain('  --acme-coral: #e5603f;')
  })

  test.each([
    ['a.json', [], /ends with .css \(css\), .*\.tokens\.json \(dtcg\)/],
    ['a.css', ['--prefix', 'a b;'], /consists of letters/],
    ['a.ts', ['--prefix', 'acme'], /Format ts does not support a prefix/],
  ])('rejects %s %j', async (name, args, message) => {
    const { code, stderr } = await tokens('--out', name, ...args)
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: /)
    expect(stderr).toMatch(message)
    expect(await readdir(work.root)).not.toContain(name)
  })

  test('prints wrong usage for an unknown format', async () => {
    const { code, stderr } = await tokens('--out', 'a.css', '--format', 'less')
    expect([code, stderr]).toEqual([2, "error: --format must be css, tailwind, scss, dtcg or ts, got 'less'.\n"])
  })

  test('takes the alias of the kit as the prefix', async () => {
    await work.write({ 'content-space.config.json': JSON.stringify({ kits: { acme: 'brand' } }) })
    for (const id of ['acme', 'brand', kit]) {
      await work.run('tokens', id, '--out', `${id}.css`)
      expect(await read(`${id}.css`)).toContain('--acme-coral')
      expect(await read(`${id}.css`)).toContain(`content-space:asset/${id}/inter-light`)
    }
  })

  test('never replaces a file that it did not write', async () => {
    await work.write({ 'tokens.css': ':root {}\n', 'fonts/inter-light.woff2': 'mine' })
    const file = await tokens('--out', 'tokens.css')
    expect([file.code, file.stderr]).toEqual([1, expect.stringMatching(/tokens\.css was not written by content-space/)])
    expect(await read('tokens.css')).toBe(':root {}\n')
    const font = await tokens('--out', 'other.css', '--fonts', 'fonts')
    expect([font.code, font.stderr]).toEqual([1, expect.stringMatching(/inter-light\.woff2 was not written by/)])
    expect(await read('fonts/inter-light.woff2')).toBe('mine')
    expect(await readdir(work.root)).not.toContain('other.css')
    await mkdir(join(work.root, 'folder.css'))
    expect((await tokens('--out', 'folder.css')).stderr).toMatch(/folder\.css cannot be read or written/)
  })

  test('writes font files with --fonts, and replaces them when they change', async () => {
    const flags = ['--out', 'src/styles/tokens.css', '--fonts', 'src/fonts']
    const { stdout } = await tokens(...flags)
    expect(stdout).toContain('wrote src/fonts/inter-light.woff2, src/styles/tokens.css')
    expect(await read('src/styles/tokens.css')).toContain('src: url("../fonts/inter-light.woff2") format("woff2");')
    expect(await read('src/styles/tokens.css')).not.toContain('--fonts')
    const font = join(work.root, 'src/fonts/inter-light.woff2')
    expect((await readFile(font)).equals(inter)).toBe(true)
    expect((await tokens(...flags)).stdout).toContain('is up to date')
    await writeFile(font, 'damaged')
    expect((await tokens(...flags)).stdout).toContain('wrote src/fonts/inter-light.woff2:')
    expect((await readFile(font)).equals(inter)).toBe(true)
    expect(await readdir(join(work.root, 'src/fonts'))).toEqual(['inter-light.woff2'])
  })

  test('replaces only the font file that the file of tokens refers to', async () => {
    await tokens('--out', 'src/tokens.css', '--fonts', 'src/fonts')
    await work.write({ 'public/fonts/inter-light.woff2': 'mine' })
    const { code, stderr } = await tokens('--out', 'src/tokens.css', '--fonts', 'public/fonts')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/public\/fonts\/inter-light\.woff2 was not written by/)])
    expect(await read('public/fonts/inter-light.woff2')).toBe('mine')
    expect((await tokens('--out', 'a.css', '--fonts', 'src/tokens.css')).stderr).toMatch(
      /file exists where this folder should be/,
    )
  })

  test.each(['a.css', 'a.scss', 'a.ts', 'a.tokens.json'])('recognizes a font of %s that it wrote', async (name) => {
    await tokens('--out', name, '--fonts', 'fonts')
    await work.write({ 'fonts/inter-light.woff2': 'damaged' })
    expect((await tokens('--out', name, '--fonts', 'fonts')).stdout).toContain('wrote fonts/inter-light.woff2:')
  })

  test('does not write a file again of which git has changed the ends of lines', async () => {
    const text = await written('src/tokens.css')
    await work.write({ 'src/tokens.css': text.replaceAll('\n', '\r\n') })
    expect((await tokens('--out', 'src/tokens.css')).stdout).toContain('is up to date')
    expect(await read('src/tokens.css')).toContain('\r\n')
  })

  test('keeps the names from before a rename, until update --rename', async () => {
    await space.write(renamed('Coral'))
    const run = (): ReturnType<Project['run']> => work.run('tokens', 'renamed', '--out', 'renamed.css')
    await run()
    await space.write(renamed('Salmon'))
    await rm(join(work.root, '.cache'), { recursive: true })
    await work.run('update')
    await run()
    expect(await read('renamed.css')).toContain('--renamed-salmon: #e5603f;\n  --renamed-coral: var(--renamed-salmon);')
    await work.run('update', '--rename')
    await run()
    expect(await read('renamed.css')).not.toContain('coral')
    await rm(join(space.folder, 'renamed'), { recursive: true })
  })

  test('writes a resolver beside design tokens, and never replaces one of the user', async () => {
    const night = { 'brand/versions/2/03 Night/Coral.json': color('#ffccbb') }
    await space.write({ ...brand(2), ...night })
    const flags = ['--out', 'brand.tokens.json', '--dark', 'Night']
    await work.write({ 'brand.resolver.json': '{}' })
    expect((await tokens(...flags)).stderr).toMatch(/brand\.resolver\.json was not written by content-space/)
    await rm(join(work.root, 'brand.resolver.json'))
    expect((await tokens(...flags)).stdout).toContain('wrote brand.resolver.json, brand.tokens.json: 3 colors')
    expect((await tokens(...flags)).stdout).toContain('is up to date')
    expect(JSON.parse(await read('brand.tokens.json')).colours).toHaveProperty('coral')
    await rm(join(space.folder, 'brand/versions/2/03 Night'), { recursive: true })
  })

  test('warns about a dark section that pairs nothing, and names the sections', async () => {
    const { code, stderr } = await tokens('--out', 'dark.css', '--dark', 'Colours')
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/dark\.css: Colours pairs no colors\. Colors are in Colours\.\n$/),
    ])
  })

  test('prints elements that load fonts early, and nothing else to the output', async () => {
    const id = await tokens('--out', 'src/tokens.css', '--preload')
    expect(id.stdout).toBe(
      '<link rel="preload" as="font" type="font/woff2" href="content-space:asset/brand/inter-light" crossorigin>\n',
    )
    expect(id.stderr).toContain('wrote src/tokens.css')
    const file = await tokens('--out', 'src/tokens.css', '--preload', '--fonts', 'src/fonts')
    expect(file.stdout).toContain('href="src/fonts/inter-light.woff2"')
  })

  test('prints one JSON document with --json', async () => {
    const { stdout } = await tokens('--out', 'tokens.css', '--json')
    expect(JSON.parse(stdout)).toEqual({
      kit,
      name: 'Brand',
      version: 1,
      file: 'tokens.css',
      format: 'css',
      colors: 2,
      fonts: 1,
      written: ['tokens.css'],
      preload: [expect.stringContaining('<link rel="preload"')],
      locked: true,
      warnings: [],
    })
  })

  test('works offline from the cache, and fails if a frozen lockfile lacks the kit', async () => {
    expect(await tokens('--out', 'a.css', '--offline')).toMatchObject({ code: 1 })
    expect((await tokens('--out', 'a.css')).code).toBe(0)
    expect((await tokens('--out', 'b.css', '--offline')).code).toBe(0)
    expect(await read('b.css')).toBe(await read('a.css'))
    const frozen = await work.run('tokens', 'brand@2', '--out', 'c.css', '--frozen')
    expect([frozen.code, frozen.stderr]).toEqual([1, expect.stringMatching(/not in the lockfile, which is frozen/)])
    expect(await readdir(work.root)).not.toContain('c.css')
  })

  test('offline, lists all that is missing, also of the source, in one error', async () => {
    const kits = { type: '3BD9A8C0-1111-4222-8333-444455559999' }
    // The file of a variable font has to be read. The other font's record is complete.
    for (const name of ['light', 'variable', 'other'])
      await space.write({ [`type/01 Fonts/${name}.woff2`]: makeFont({ family: name, format: 'woff2' }) })
    await space.write({
      'type/kit.json': {
        uuid: kits.type,
        use_version: 1,
        versions: [{ version: 1, folder: '.', date_updated: date(1) }],
      },
      'type/02 Colours/coral.json': color('#e5604f'),
    })
    await work.write({ 'src/main.ts': `import 'content-space:kit/type'\n` })
    expect(await work.run('sync')).toMatchObject({ code: 0, stderr: '' })
    const one = await work.run('tokens', 'type', '--out', 'a.css', '--fonts', 'fonts', '--offline')
    expect([one.code, one.stderr]).toEqual([1, expect.stringContaining(list('Light', 'Other', 'Variable'))])
    await configure([
      { kit: 'type', file: 'src/tokens.css', fonts: 'src/fonts' },
      { kit: 'brand', file: 'src/brand.css' },
    ])
    await work.write({ 'src/main.ts': `import 'content-space:kit/type'\nimport 'content-space:kit/brand@2'\n` })
    const all = list('Light', 'Other', 'The list of kits', 'Variable')
    const { code, stderr } = await work.run('sync', '--offline')
    expect([code, stderr]).toEqual([1, expect.stringContaining(all)])
    // Only locked content could be missing from the cache.
    const verified = await work.run('verify', '--offline')
    expect([verified.code, verified.stderr]).toEqual([1, expect.stringContaining('The list of kits is not in the')])
    const frozen = await work.run('sync', '--frozen', '--offline')
    expect([frozen.code, frozen.stderr]).toEqual([1, expect.stringContaining('not in the lockfile, which is frozen')])
  })
})

const configure = (files: object[]): Promise<void> =>
  work.write({ 'content-space.config.json': JSON.stringify({ tokens: files }) })

describe('option tokens', () => {
  test('sync writes the files, locks the fonts in them, and verify accepts them', async () => {
    await configure([
      { kit: 'brand', file: 'src/tokens.css' },
      { kit: 'brand@2', file: 'src/_tokens.scss', fonts: 'src/fonts', prefix: 'b' },
    ])
    const { code, stdout } = await work.run('sync')
    expect(code).toBe(0)
    expect(stdout).toContain('src/tokens.css, src/fonts/inter-light.woff2, src/_tokens.scss')
    expect(await read('src/_tokens.scss')).toContain('$b-coral: #e5604f;')
    expect(await read('src/content-space.d.ts')).toContain('content-space:asset/brand/inter-light')
    expect(await read('content-space.lock.json')).toMatch(/"slug":"inter-light".*"original":"sha256-/)
    expect((await work.run('sync')).stdout).toContain('nothing has changed')
    expect((await work.run('verify')).code).toBe(0)
  })

  test('verify lists a file whose kit is not locked yet, beside other differences', async () => {
    await work.write({ 'src/main.ts': `import { oldName } from 'content-space:kit/brand'\n` })
    await configure([{ kit: 'brand', file: 'src/tokens.css' }])
    await work.run('sync')
    await configure([{ kit: 'brand@2', file: 'src/tokens.css' }])
    const { code, stderr } = await work.run('verify')
    expect(code).toBe(1)
    expect(stderr).toContain('\noption tokens, src/tokens.css: Kit Brand (version 2) is not in the lockfile')
    expect(stderr).toMatch(/^content-space:kit\/brand .*oldName/m)
  })

  test("audit doesn't report fonts that they contain, but copies of them", async () => {
    await configure([{ kit: 'brand', file: 'src/tokens.css', fonts: 'src/fonts' }])
    await work.run('sync')
    await writeFile(join(work.root, 'src/fonts/copy.woff2'), inter)
    const { stdout } = await work.run('audit', 'src/fonts')
    expect(stdout).toContain('copy  src/fonts/copy.woff2:1')
    expect(stdout).not.toContain('inter-light.woff2')
    await rm(join(work.root, 'src/fonts/copy.woff2'))
  })

  test('verify and a frozen sync name a file that is out of date, and the command', async () => {
    await configure([{ kit: 'brand', file: 'src/tokens.css', fonts: 'src/fonts' }])
    await work.run('sync')
    const before = await read('src/tokens.css')
    await writeFile(join(work.root, 'src/tokens.css'), before.replace('#e5603f', '#e5603e'))
    await rm(join(work.root, 'src/fonts/inter-light.woff2'))
    const verify = await work.run('verify')
    expect([verify.code, verify.stderr]).toEqual([
      1,
      'src/fonts/inter-light.woff2 is out of date\nsrc/tokens.css is out of date\n' +
        'Run `npx content-space sync`, or `npx content-space update` for new versions, and commit the changes.\n',
    ])
    const frozen = await work.run('sync', '--frozen')
    expect([frozen.code, frozen.stderr]).toEqual([1, expect.stringContaining('src/tokens.css is out of date')])
    expect(await read('src/tokens.css')).not.toBe(before)
    await work.run('sync')
    expect(await read('src/tokens.css')).toBe(before)
    expect((await work.run('verify')).code).toBe(0)
  })

  test('files of one kit share a folder for fonts, and different fonts with the same name are an error', async () => {
    await space.write({
      'other/01 Fonts/inter-light.woff2': makeFont({ family: 'Other', weight: 300, format: 'woff2' }),
    })
    const scss = { kit: 'brand', file: 'a.scss', fonts: 'fonts' }
    await configure([{ kit: 'brand', file: 'a.css', fonts: 'fonts' }, scss])
    expect((await work.run('sync')).stdout).toContain('fonts/inter-light.woff2')
    expect((await work.run('verify')).code).toBe(0)
    await configure([{ kit: 'other', file: 'b.css', fonts: 'fonts' }, scss])
    expect((await work.run('sync')).stderr).toMatch(/was not written by content-space|write different fonts/)
    await rm(join(work.root, 'fonts'), { recursive: true })
    const { code, stderr } = await work.run('sync')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/write different fonts to .*inter-light\.woff2/)])
    await rm(join(space.folder, 'other'), { recursive: true })
  })

  test('an error mentions the file that it concerns', async () => {
    await configure([{ kit: 'brnd', file: 'src/tokens.css' }])
    const { code, stderr } = await work.run('sync')
    expect(code).toBe(1)
    expect(stderr).toMatch(/There is no kit brnd[\s\S]*brand[\s\S]*option tokens, src\/tokens\.css/)
  })

  test.each([
    [
      [{ kit: 'brand', file: 'a.css', formt: 'css' }],
      /Unknown option tokens\.0\.formt in content-space\.config\.json:1[^]*Did you mean format\?/,
    ],
    [
      [{ kit: 'brand', file: 'a.css', format: 'taliwind' }],
      /Option tokens in content-space\.config\.json:1 must be[^]*Did you mean tailwind\?/,
    ],
    [[{ kit: 'brand', file: 'a.txt' }], /The format of the tokens is unclear from the file name a\.txt\./],
    [
      [
        { kit: 'brand', file: 'a.css' },
        { kit: 'brand', file: './a.css' },
      ],
      /Two entries of option tokens write/,
    ],
  ])('rejects %j', async (files, message) => {
    await configure(files)
    expect((await work.run('sync')).stderr).toMatch(message)
  })
})
