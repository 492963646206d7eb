import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createImporter } from 'unplugin-content-space'
import { project, type Project } from '../support/cli.js'
import { svg, writeSpace, type SpaceFolder } from '../support/space.js'

const kit = '3BD9A8C0-1111-4222-8333-444455556666'
const hostile = '</h2><script>alert(1)</script>'

const version = (number: number, logo: string) => ({
  [`brand/${number}/Logos/logo.svg`]: svg(logo),
  [`brand/${number}/Logos/logo.json`]: { uuid: '237C41F2-AAAA-4BBB-8CCC-000000000001', name: hostile },
  [`brand/${number}/Logos/arrow.svg`]: svg('arrow'),
})

let space: SpaceFolder
let work: Project

beforeEach(async () => {
  space = await writeSpace({
    'brand/kit.json': {
      uuid: kit,
      name: 'Brand',
      use_version: 2,
      versions: [
        { version: 1, folder: '1' },
        { version: 2, folder: '2' },
      ],
    },
    ...version(1, 'old'),
    ...version(2, 'new'),
  })
  work = await project(
    {
      'package.json': '{ "name": "web" }',
      'src/main.ts': `import { arrow } from 'content-space:kit/brand'\nimport old from 'content-space:asset/brand@1/arrow'\nexport default [arrow, old] // secret\n`,
      'public/logo.svg': svg('new'),
      'public/former.svg': svg('old'),
    },
    { CONTENT_SPACE_URL: space.folder },
  )
  return async () => {
    await work.remove()
    await space.remove()
  }
})

const places = [
  ['public/former.svg', 1, 'outdated', '1.0'],
  ['public/logo.svg', 1, 'copy', '2.0'],
]

describe('content-space usage', () => {
  test('counts colors in a file of the option tokens as used, and colors that a preset names', async () => {
    await space.write({
      'brand/2/Colors/coral.json': { color: '#E5603F' },
      'brand/2/Logos/night.svg': svg('night'),
    })
    await work.write({
      'content-space.config.json': JSON.stringify({
        tokens: [{ kit: 'brand', file: 'src/tokens.css' }],
        presets: { pair: 'dark=night' },
      }),
      'src/main.ts': `import arrow from 'content-space:asset/brand/arrow?preset=pair'\nexport default arrow\n`,
    })
    const { assets } = JSON.parse((await work.run('usage', '--json', '--no-copies')).stdout)
    expect(assets.map((one: { slug: string; places: { file: string }[] }) => [one.slug, one.places[0]?.file])).toEqual([
      ['arrow', 'src/main.ts'],
      ['coral', 'src/tokens.css'],
      ['night', 'src/main.ts'],
    ])
  })

  test('lists imports and copies with location and version, but without text from the source', async () => {
    const { code, stdout } = await work.run('usage', '--json')
    const { usageVersion, project: name, assets } = JSON.parse(stdout)
    expect([code, usageVersion, name]).toEqual([0, 1, 'web'])
    const found = assets.map((asset: Record<string, unknown>) => [
      asset['name'],
      Object(asset['kit']).uuid,
      Object.values(Object(asset['places'])).map((one) => Object.values(Object(one))),
    ])
    expect(found).toEqual([
      [hostile, kit, places],
      [
        'Arrow',
        kit,
        [
          ['src/main.ts', 1, 'import', '2.0'],
          ['src/main.ts', 2, 'import', '1.0'],
        ],
      ],
    ])
    expect(stdout).not.toContain('secret')
    const { assets: imported } = JSON.parse((await work.run('usage', '--json', '--no-copies')).stdout)
    expect(imported.map(({ name: one }: { name: string }) => one)).toEqual(['Arrow'])
  })

  test('writes the same file again, and replaces no other', async () => {
    expect((await work.run('usage', '--out', 'usage.json')).stdout).toBe('wrote usage.json: 2 assets\n')
    expect((await work.run('usage', '--out', 'usage.json')).stdout).toBe('usage.json is up to date: 2 assets\n')
    expect(await work.run('usage', '--out', 'package.json')).toMatchObject({ code: 1 })
    expect(await readFile(join(work.root, 'package.json'), 'utf8')).toBe('{ "name": "web" }')
  })
})

describe('content-space usage merge', () => {
  test('makes a page of several projects, in which texts are texts', async () => {
    await work.run('usage', '--out', 'web.json')
    const text = await readFile(join(work.root, 'web.json'), 'utf8')
    await work.write({ 'app.json': text.replace('"web"', JSON.stringify(hostile)).replaceAll('"2.0"', '"3.0"') })
    const { stdout } = await work.run('usage', 'merge', 'web.json', 'app.json', '--out', 'pages')
    expect(stdout).toBe('wrote pages/index.html: 2 assets in 2 projects\n')
    const page = await readFile(join(work.root, 'pages/index.html'), 'utf8')
    expect(page).toContain(`content="default-src 'none'; style-src 'sha256-`)
    expect(page.match(/<script/g)).toBeNull()
    expect(page.match(/<strong>/g)).toHaveLength(4)
    expect(page).toMatch(
      /<strong>web<\/strong> version 1.0, version 2.0\n<ul>\n<li><code>public\/former\.svg:1<\/code> <small>outdated, version 1.0/,
    )
    expect(page).toContain('version 3.0')
    expect((await work.run('usage', 'merge', 'app.json', 'web.json', '--out', 'pages')).stdout).toContain(
      'is up to date',
    )
  })

  test('counts a file that is given twice once', async () => {
    await work.run('usage', '--out', 'web.json')
    await symlink('web.json', join(work.root, 'linked.json'))
    const { stdout } = await work.run('usage', 'merge', 'web.json', './web.json', 'linked.json', '--out', 'twice')
    expect(stdout).toBe('wrote twice/index.html: 2 assets in 1 project\n')
  })

  test.each([
    [['merge'], 'needs files and --out'],
    [['merge', 'none.json', '--out', 'pages'], 'none.json'],
    [['merge', 'none.json', '--out', 'pages'], 'Check the path.'],
    [['mrege', 'web.json'], "[action] must be merge, got 'mrege'. Did you mean merge?"],
    [['merge', 'package.json', '--out', 'pages'], 'was not written by npx content-space usage'],
  ])('%j is an error', async (args, message) => {
    const { code, stderr } = await work.run('usage', ...args)
    expect(code).toBeGreaterThan(0)
    expect(stderr).toContain(message)
  })

  test('replaces no other page', async () => {
    await work.run('usage', '--out', 'web.json')
    await mkdir(join(work.root, 'pages'))
    await work.write({ 'pages/index.html': '<h1>Mine</h1>' })
    expect(await work.run('usage', 'merge', 'web.json', '--out', 'pages')).toMatchObject({ code: 1 })
    expect(await readFile(join(work.root, 'pages/index.html'), 'utf8')).toBe('<h1>Mine</h1>')
  })
})

test('the importer has both as methods', async () => {
  const importer = await createImporter(
    { space: space.folder, cacheDir: join(work.root, '.cache'), lockfile: false, types: false },
    { root: work.root },
  )
  const { assets } = await importer.usage({ copies: false })
  expect(assets.map(({ slug }) => slug)).toEqual(['arrow'])
  await work.run('usage', '--out', 'web.json')
  const report = await importer.mergeUsage({ files: [join(work.root, 'web.json')], out: join(work.root, 'pages') })
  await importer.close()
  expect(report).toMatchObject({ changed: true, projects: 1, assets: 2 })
})
