import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createImporter } from 'unplugin-content-space'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { appIconFiles } from '../support/app-icons.js'
import { project, type Project } from '../support/cli.js'
import { makeFont } from '../support/font.js'
import { brand, richSpace, writeSpace, type SpaceFolder } from '../support/space.js'

const links = [
  '<link rel="icon" href="/favicon.ico" sizes="32x32">',
  '<link rel="icon" href="/icon.svg" type="image/svg+xml">',
  '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
  '<link rel="manifest" href="/manifest.webmanifest">',
]

let space: SpaceFolder
let work: Project
beforeAll(async () => void (space = await richSpace()))
afterAll(() => space.remove())
beforeEach(async () => {
  work = await project({
    'content-space.config.json': JSON.stringify({ space: space.folder, kits: { brand: brand.uuid } }),
    'package.json': '{}',
    'public/robots.txt': 'User-agent: *\n',
  })
  return () => work.remove()
})

const run = (...args: string[]) => work.run('app-icons', 'brand/acme-logo', '--out', 'public', ...args)
const path = (name: string): string => join(work.root, 'public', name)

describe('app-icons', () => {
  test('writes the icons beside other files, and prints the elements for pages', async () => {
    const { code, stdout, stderr } = await run('--name', 'Acme', '--padding', '10')
    expect([code, stderr]).toEqual([0, 'wrote 7 files to public: application icons of Acme Logo\n'])
    expect(stdout.trim().split('\n')).toEqual(links)
    expect(await readdir(join(work.root, 'public'))).toEqual([...appIconFiles, 'robots.txt'].toSorted())
    expect(JSON.parse(await readFile(path('manifest.webmanifest'), 'utf8'))).toMatchObject({
      name: 'Acme',
      display: 'standalone',
      start_url: './',
    })
    expect(await readFile(join(work.root, 'content-space.lock.json'), 'utf8')).toContain('sha256-')
  })

  test("writes what has changed, and doesn't touch what is up to date", async () => {
    await run()
    expect((await run()).stderr).toBe('public is up to date: application icons of Acme Logo\n')
    const { stdout } = await run('--background', 'tomato', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ out: 'public', name: 'Acme Logo', removed: [], kept: [] })
    expect(JSON.parse(stdout).written).toEqual(appIconFiles)
    expect((await run('--background', 'tomato', '--offline', '--frozen')).code).toBe(0)
  })

  test('keeps a file that was changed, and never replaces one that it did not write', async () => {
    await run()
    await writeFile(path('favicon.ico'), 'mine')
    expect((await run('--background', 'tomato')).stderr).toContain('kept favicon.ico')
    expect(await readFile(path('favicon.ico'), 'utf8')).toBe('mine')
    await work.write({ 'other/icon.svg': 'mine' })
    const refused = await work.run('app-icons', 'brand/acme-logo', '--out', 'other')
    expect([refused.code, await readdir(join(work.root, 'other'))]).toEqual([1, ['icon.svg']])
    expect(refused.stderr).toMatch(/files that app-icons would overwrite but did not write: icon\.svg/)
  })

  test.each([
    [['--padding', '41'], 2, /padding takes a whole number of percent from 0 to 40/],
    [['--background', 'whit'], 2, /Did you mean white\?/],
    [['--dark', 'acme-loga'], 1, /acme-logo/],
  ])('%j is an error', async (flags, expected, message) => {
    const { code, stderr } = await run(...flags)
    expect(code).toBe(expected)
    expect(stderr).toMatch(message)
    expect(await readdir(join(work.root, 'public'))).toEqual(['robots.txt'])
  })
})

test('the error for a font names what makes icons', async () => {
  const fonts = await writeSpace({
    'brand/kit.json': { uuid: brand.uuid },
    'brand/Fonts/inter.woff2': makeFont({ family: 'Inter', format: 'woff2' }),
  })
  const { code, stderr } = await work.run('app-icons', 'brand/inter', '--out', 'public', '--space', fonts.folder)
  await fonts.remove()
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/is not a picture\.\nhint: Make application icons from an SVG/),
  ])
})

test('an importer writes the same icons', async () => {
  await run('--padding', '5')
  const importer = await createImporter({}, { root: work.root, env: {} })
  try {
    const report = await importer.appIcons({ asset: 'brand/acme-logo', out: 'static', padding: 5 })
    expect(report).toMatchObject({ out: join(work.root, 'static'), written: appIconFiles, html: links.join('\n') })
    for (const name of appIconFiles)
      expect(await readFile(join(work.root, 'static', name))).toEqual(await readFile(path(name)))
    await expect(importer.appIcons({ asset: 'brand', out: 'static' })).rejects.toThrow(
      /app-icons\/brand [^]*app-icons\/<kit>/,
    )
  } finally {
    await importer.close()
  }
})
