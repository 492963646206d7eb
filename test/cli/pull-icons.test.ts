import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { getIconData, iconToHTML, iconToSVG, quicklyValidateIconSet, replaceIDs, validateIconSet } from '@iconify/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findActive } from '../../src/files/svg/check.js'
import { project, type Project } from '../support/cli.js'
import { serveSpace, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'

const svg = (content: string, box = '0 0 24 24') =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}">${content}</svg>`
const twoColors = '<path fill="#f00" d="M0 0h12v24H0z"/><path fill="#00f" d="M12 0h12v24H12z"/>'
const masked = '<mask id="m"><path fill="#fff" d="M0 0h12v24H0z"/></mask><path mask="url(#m)" d="M0 0h24v24H0z"/>'
const styled =
  '<style>.cls-1{fill:#123456}</style><title>Arrow</title><path class="cls-1" d="M0 0h24v12H0z"/><path class="cls-1" d="M0 0h1v1z"/>'
const drawings = {
  'icons/01 Arrows/Größe.svg': svg('<path fill="none" stroke="#333" d="M4 4h16"/>'),
  'icons/01 Arrows/arrow-left.svg': svg(styled, '-12 -6 48 24'),
  'icons/01 Arrows/東京.svg': svg('<path d="M1 1h2v3z"/>'),
  'icons/01 Arrows/mask.svg': svg(masked),
  'icons/02 Flags/flag.svg': svg(twoColors),
  'icons/02 Flags/bad.svg': svg('<script>alert(1)</script><path onclick="alert(1)" d="M0 0h24v24H0z"/>'),
  'icons/02 Flags/text.json': { type: 'COLOR', meta: { hex: '#FF0000' } },
  'moving/hover.svg': svg('<style>#r:hover{fill:red}</style><path id="r" d="M0 0h24v12H0z"/>'),
  'moving/still.svg': svg(styled),
}

let space: SpaceFolder
let service: ServedSpace
let work: Project

beforeAll(async () => {
  space = await writeSpace(drawings)
  service = await serveSpace(space.folder)
  work = await project({}, service.env)
})
afterAll(async () => {
  await service.close()
  await work.remove()
  await space.remove()
})

const pull = (...args: string[]) => work.run('pull', 'icons', '--module', 'iconify', ...args)
const text = (path: string) => readFile(join(work.root, path), 'utf8')

async function read(path: string) {
  const set: unknown = JSON.parse(await text(path))
  const valid = quicklyValidateIconSet(set)
  if (valid === null) throw new Error('not an icon set')
  return validateIconSet(valid)
}

describe('pull --module iconify', () => {
  test('writes one valid icon set that is cleaned, safe, and has the sizes of the drawings', async () => {
    const { code, stdout, stderr } = await pull('--out', 'sets')
    expect([code, stdout]).toEqual([0, expect.stringContaining('6 asset files in sets; wrote 1 file')])
    expect(stderr).toContain('is an SVG that contains')
    const set = await read('sets/icons.json')
    expect(set.prefix).toBe('icons')
    expect(set.info).toMatchObject({ name: 'icons', total: 6 })
    expect(set.info).not.toHaveProperty('palette')
    const tokyo = Object.keys(set.icons).find((name) => name.startsWith('icon-')) ?? ''
    expect(Object.keys(set.icons)).toEqual(['arrow-left', 'bad', 'flag', 'grosse', tokyo, 'mask'].toSorted())
    expect(set.categories).toEqual({ Arrows: expect.arrayContaining(['arrow-left', tokyo]), Flags: ['bad', 'flag'] })
    expect(set.icons['arrow-left']).toMatchObject({ left: -12, top: -6, width: 48, height: 24 })
    expect(set.icons['flag']).toEqual({ body: expect.stringContaining('red'), width: 24, height: 24 })
    for (const name of ['arrow-left', 'grosse', tokyo, 'mask', 'bad']) {
      expect(set.icons[name]?.body).toMatch(/currentColor/)
      expect(set.icons[name]?.body).not.toMatch(/#333|123456|style|class=|title/)
    }
    for (const name of Object.keys(set.icons)) {
      const data = getIconData(set, name)
      const { body, attributes } = iconToSVG(data ?? { body: '' })
      const html = iconToHTML(replaceIDs(body), attributes)
      expect(findActive(Buffer.from(html))).toEqual([])
    }
  })

  test('omits a drawing whose style sheet would apply to the page, with a warning', async () => {
    const { code, stderr } = await work.run('pull', 'moving', '--module', 'iconify', '--out', 'moving.json')
    expect([code, stderr]).toEqual([0, expect.stringMatching(/Not in the icon set: .*hover.*<style>/i)])
    expect(Object.keys((await read('moving.json')).icons)).toEqual(['still'])
  })

  test('takes a file and a prefix, and tells whether all icons have colors of their own', async () => {
    expect((await pull('--out', 'flags.json', '--prefix', 'acme', '--asset', 'flag')).code).toBe(0)
    expect(await read('flags.json')).toMatchObject({ prefix: 'acme', info: { total: 1, palette: true } })
    expect((await pull('--out', 'arrows.json', '--section', 'arrows')).code).toBe(0)
    expect(await read('arrows.json')).toMatchObject({ info: { palette: false } })
  })

  test('downloads and writes nothing when nothing has changed, also if a formatter has changed the file', async () => {
    const before = await text('sets/icons.json')
    await writeFile(join(work.root, 'sets/icons.json'), JSON.stringify(JSON.parse(before)))
    const { mtimeMs } = await stat(join(work.root, 'sets/icons.json'))
    const count = service.downloads().length
    expect((await pull('--out', 'sets')).stdout).toContain('nothing has changed; nothing downloaded')
    expect((await stat(join(work.root, 'sets/icons.json'))).mtimeMs).toBe(mtimeMs)
    expect(service.downloads()).toHaveLength(count)
    // With a new cache, files are downloaded again and become the same bytes.
    expect((await pull('--out', 'again', '--cache-dir', 'other-cache')).code).toBe(0)
    expect(await text('again/icons.json')).toBe(before)
  })

  test('writes and obeys the lockfile, keeps former names as aliases, and follows a new file', async () => {
    expect(JSON.parse(await text('content-space.lock.json')).kits).not.toEqual({})
    await space.write({ 'icons/01 Arrows/mask.json': { name: 'Half' } })
    await space.write({ 'icons/02 Flags/flag.svg': svg(twoColors.replace('#f00', '#0f0')) })
    expect((await pull('--out', 'sets', '--frozen')).code).toBe(1)
    const dry = await pull('--out', 'sets', '--dry-run')
    expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('would write')])
    expect((await read('sets/icons.json')).icons).not.toHaveProperty('half')
    expect((await pull('--out', 'sets')).stdout).toContain('wrote 1 file')
    const set = await read('sets/icons.json')
    expect(set.aliases).toEqual({ mask: { parent: 'half' } })
    expect(set.icons['flag']?.body).toMatch(/#0f0|lime/)
  })

  test('asks for the optional package before it downloads anything', async () => {
    const root = await mkdtemp(join(work.root, 'without-tools-'))
    await mkdir(join(root, 'node_modules'))
    await Promise.all(['dist', 'package.json'].map((path) => cp(path, join(root, path), { recursive: true })))
    for (const name of await readdir('node_modules'))
      if (name !== '@iconify') await symlink(resolve('node_modules', name), join(root, 'node_modules', name))
    const count = service.downloads().length
    const args = [join(root, 'dist/cli/bin.js'), 'pull', 'icons', '--module', 'iconify', '--out', 'sets']
    const env = { ...service.env, CONTENT_SPACE_CACHE: join(root, '.cache') }
    const run = promisify(execFile)(process.execPath, args, { cwd: root, env })
    await expect(run).rejects.toMatchObject({ stderr: expect.stringContaining('needs the package @iconify/tools') })
    expect(service.downloads()).toHaveLength(count)
    await rm(root, { recursive: true })
  })

  test('touches no file that it did not write or that was changed', async () => {
    await work.write({ 'mine.json': '{ "prefix": "mine", "icons": {} }', 'broken/icons.json': '{' })
    for (const out of ['mine.json', 'broken']) {
      const { code, stderr } = await pull('--out', out)
      expect([code, stderr]).toEqual([1, expect.stringContaining('is not an icon set that pull wrote')])
    }
    expect(await text('mine.json')).toBe('{ "prefix": "mine", "icons": {} }')
    const changed = (await text('sets/icons.json')).replace('lime', 'tan').replace('#0f0', 'tan')
    await work.write({ 'sets/icons.json': changed })
    expect((await pull('--out', 'sets')).stderr).toContain('was changed after it was pulled, so it is kept')
    expect(await text('sets/icons.json')).toBe(changed)
  })

  test('names icons by the whole kit, whatever is selected', async () => {
    await space.write({ 'icons/02 Flags/flåg.svg': svg('<path d="M0 0h2v3z"/>') })
    expect((await pull('--out', 'whole.json')).code).toBe(0)
    const [name = ''] = Object.keys((await read('whole.json')).icons).filter((icon) => icon.startsWith('flag-'))
    expect((await pull('--out', 'part.json', '--asset', 'flåg')).code).toBe(0)
    expect(Object.keys((await read('part.json')).icons)).toEqual([name])
  })

  test("doesn't download anything in a dry run, and compares what the cache has", async () => {
    const count = service.downloads().length
    const missing = await pull('--out', 'dry', '--dry-run', '--cache-dir', 'dry-cache')
    expect([missing.code, missing.stdout]).toEqual([
      0,
      expect.stringContaining(`would write ${join('dry', 'icons.json')}`),
    ])
    const again = await pull('--out', 'whole.json', '--dry-run', '--cache-dir', 'dry-cache')
    expect(again.stdout).toContain('would write whole.json')
    expect((await pull('--out', 'whole.json', '--dry-run')).stdout).not.toContain('would write')
    expect(service.downloads()).toHaveLength(count)
    await expect(stat(join(work.root, 'dry'))).rejects.toThrow('ENOENT')
  })

  test('explains a path that cannot be written', async () => {
    await work.write({ 'file.txt': '', 'folder.json/x': '' })
    const outs: [string, RegExp][] = [
      ['file.txt/icons', /file\.txt.*ENOTDIR.*\n.*A file exists where this folder should be/],
      ['folder.json', /folder\.json.*EISDIR.*\n.*A folder exists where this file should be/],
    ]
    if (process.platform === 'linux')
      outs.push(['/proc/content-space', /\/proc\/content-space cannot be read or written/])
    for (const [out, message] of outs) {
      const { code, stderr } = await pull('--out', out)
      expect([code, stderr]).toEqual([1, expect.stringMatching(message)])
    }
  })

  test.each([
    [['--query', 'w=64'], /--query cannot be used with --module iconify/],
    [['--cut', 'png'], /--cut cannot be used with --module iconify/],
    [['--headings'], /--headings cannot be used with --module iconify/],
    [['--prefix', 'Acme Icons'], /Acme Icons is not a valid prefix.*Did you mean acme-icons\?/],
    [['--module', 'url', '--prefix', 'acme'], /--prefix can only be used with --module iconify/],
  ])('%j is wrong usage', async (args, message) => {
    const { code, stderr } = await pull('--out', 'refused', ...args)
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)])
  })

  test('rejects a selection without SVGs', async () => {
    const { code, stderr } = await pull('--out', 'refused', '--asset', 'text')
    expect([code, stderr]).toEqual([1, expect.stringMatching(/has no SVG for an icon set/)])
  })
})
