import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ContentSpaceError } from '../../../../src/errors.js'
import type { PullOptions } from '../../../../src/commands/pull/options.js'
import { createImporter } from '../../../../src/importer.js'
import type { Options } from '../../../../src/config/options.js'
import type { ProgressEvent } from '../../../../src/progress.js'
import { tempFolder } from '../../../support/files.js'
import { contents, fingerprint, kit, kitJson, pathsIn, pullOnce, upstream } from '../../../support/pull.js'
import { serveSpace, svg, writeSpace, type ServedSpace, type SpaceFolder } from '../../../support/space.js'

const all = [
  'index.d.ts',
  'index.js',
  'logos/acme-logo.d.ts',
  'logos/acme-logo.js',
  'logos/acme-logo.svg',
  'logos/badge.d.ts',
  'logos/badge.js',
  'logos/badge.svg',
  'logos/old-mark.d.ts',
  'logos/old-mark.js',
  'logos/old-mark.svg',
  'manifest.json',
  'more/red.d.ts',
  'more/red.js',
  'package.json',
]

let space: SpaceFolder
let service: ServedSpace
let root: string
let out: string

beforeAll(async () => {
  space = await writeSpace(upstream)
})
afterAll(() => space.remove())

beforeEach(async () => {
  await space.write(upstream)
  service = await serveSpace(space.folder)
  root = await tempFolder()
  out = join(root, 'content')
  return async () => {
    await service.close()
    await rm(root, { recursive: true, force: true })
  }
})

const pull = (more: Partial<PullOptions> = {}, kits: string | string[] = 'brand', options: Options = {}) =>
  pullOnce(root, { ...service.options, ...options }, { out: 'content', ...more }, kits)
const refusal = (work: Promise<unknown>): Promise<ContentSpaceError> =>
  work.then(
    () => Promise.reject(new Error('Expected a refusal')),
    (error: ContentSpaceError) => error,
  )
const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(out, path)), { recursive: true })
  await writeFile(join(out, path), text)
}
const text = (path: string): Promise<string> => readFile(join(out, path), 'utf8')

describe('a first run', () => {
  test('writes files by section, a module beside each, an index, a package.json and a manifest', async () => {
    const report = await pull()
    expect(await pathsIn(out)).toEqual(all)
    expect(await text('logos/acme-logo.svg')).toBe(svg('logo one', 120, 40))
    expect(report).toMatchObject({ downloads: 3, locked: true, dryRun: false, warnings: [] })
    expect(report.kits).toEqual([
      { kit, name: 'Acme Brand', version: 1, folder: out, files: 3, reused: 0, written: all, removed: [], kept: [] },
    ])
    expect(JSON.parse(await text('package.json'))).toMatchObject({
      type: 'module',
      sideEffects: false,
      exports: { './*': './*' },
    })
    expect(await readdir(root)).toEqual(['cache', 'content', 'content-space.lock.json'])
  })

  test('writes what the lockfile has of an asset into the manifest, and all metadata if it is asked for', async () => {
    await pull()
    const manifest = JSON.parse(await text('manifest.json'))
    expect(manifest).toMatchObject({ manifestVersion: 1, kit: { uuid: kit, version: 1, versionIdentifier: '1.0' } })
    expect(manifest.assets[0]).toMatchObject({
      export: 'acmeLogo',
      slug: 'acme-logo',
      module: 'logos/acme-logo.js',
      record: { name: 'Acme Logo', type: 'SVG' },
      files: [{ path: 'logos/acme-logo.svg', sha256: expect.stringMatching(/^sha256-/) }],
    })
    await pull({ query: 'metadata=full' })
    expect(JSON.parse(await text('manifest.json')).assets[0].record).toMatchObject({ legacy_id: 12, type: 'SVG' })
  })

  test('gives the same bytes each time, also in an empty folder', async () => {
    await pull()
    const before = await contents(out)
    await rm(out, { recursive: true })
    await mkdir(out)
    await pull()
    expect(await contents(out)).toEqual(before)
  })

  test("doesn't leave anything behind when it fails", async () => {
    await writeFile(join(space.folder, 'brand/versions/1/01 Logos/badge.svg'), 'no drawing at all')
    const error = await refusal(pull({ out: 'some/where/content' }))
    expect(error.code).toBe('contentMismatch')
    expect(await readdir(root)).toEqual(['cache'])
  })
})

describe('a second run', () => {
  test("of a snapshot doesn't request or write anything", async () => {
    await pull()
    const before = await fingerprint(out)
    service.requests.length = 0
    const report = await pull()
    expect(service.requests).toEqual([])
    expect(await fingerprint(out)).toEqual(before)
    expect(report.kits[0]).toMatchObject({ files: 3, reused: 3, written: [], removed: [], kept: [] })
  })

  test('of a draft reads the listing again, without downloading anything', async () => {
    await pull({}, 'brand@draft')
    const before = await fingerprint(out)
    service.requests.length = 0
    await pull({}, 'brand@draft')
    expect(service.requests.map(({ route }) => route)).toEqual(['kit', 'outline', 'section', 'section'])
    expect(await fingerprint(out)).toEqual(before)
  })

  test('that fails changes nothing', async () => {
    await pull()
    const before = await fingerprint(out)
    await writeFile(join(space.folder, 'brand/versions/2/01 Logos/badge.svg'), 'no drawing at all')
    expect((await refusal(pull({}, 'brand@2'))).code).toBe('contentMismatch')
    expect(Object.keys(await fingerprint(out))).toEqual(Object.keys(before))
    for (const path of all) expect((await fingerprint(out))[path]).toBe(before[path])
  })

  test('requests no existing file, even without the cache', async () => {
    await pull()
    await rm(join(root, 'cache'), { recursive: true })
    const report = await pull()
    expect(report.downloads).toBe(0)
  })

  test('of another version writes changed files, and removes files that are gone', async () => {
    await pull()
    const before = await fingerprint(out)
    const report = await pull({}, 'brand@2')
    expect(report).toMatchObject({ downloads: 2 })
    expect(report.kits[0]).toMatchObject({
      written: ['index.d.ts', 'index.js', 'logos/acme-logo.svg', 'logos/badge.svg', 'manifest.json'],
      removed: ['logos/old-mark.d.ts', 'logos/old-mark.js', 'logos/old-mark.svg'],
    })
    const after = await fingerprint(out)
    expect(after['logos/acme-logo.js']).toBe(before['logos/acme-logo.js'])
    expect(await text('logos/badge.svg')).toBe(svg('badge two'))
  })

  test('keeps files that are gone with prune off, and removes them later', async () => {
    await pull()
    const kept = await pull({ prune: false }, 'brand@2')
    expect(kept.kits[0]?.removed).toEqual([])
    expect(await text('logos/old-mark.svg')).toBe(svg('old'))
    const report = await pull({}, 'brand@2')
    expect(report.kits[0]?.removed).toHaveLength(3)
  })

  test('writes a missing file again', async () => {
    await pull()
    await rm(join(out, 'logos/badge.svg'))
    const report = await pull()
    expect(report).toMatchObject({ downloads: 0 })
    expect(report.kits[0]?.written).toEqual(['logos/badge.svg'])
  })
})

describe('files that pull has not written', () => {
  test('are never touched', async () => {
    await pull()
    await put('notes.txt', 'mine')
    await put('logos/old-mark.txt', 'mine too')
    const report = await pull({}, 'brand@2')
    expect(report.kits[0]?.removed).toEqual([...all.filter((path) => path.includes('old-mark')), 'package.json'])
    expect([await text('notes.txt'), await text('logos/old-mark.txt')]).toEqual(['mine', 'mine too'])
  })

  test('are an error when they block a path, before anything is written', async () => {
    await put('package.json', '{}')
    await put('logos/badge.svg', 'mine')
    const error = await refusal(pull())
    expect(error.code).toBe('fileSystem')
    expect(error.summary).toContain('logos/badge.svg, package.json')
    expect(await contents(out)).toEqual({ 'package.json': '{}', 'logos/badge.svg': 'mine' })
    expect(service.downloads()).toEqual([])
  })

  test('include pulled files that have changed since, which are kept with a warning', async () => {
    await pull()
    await put('logos/badge.svg', 'changed')
    await put('index.d.ts', 'changed')
    await put('logos/old-mark.svg', 'changed')
    const report = await pull({}, 'brand@2')
    expect(report.kits[0]?.kept).toEqual(['index.d.ts', 'logos/badge.svg', 'logos/old-mark.svg'])
    expect(report.warnings[0]).toContain('was changed after it was pulled, so it is kept')
    expect([await text('logos/badge.svg'), await text('logos/old-mark.svg')]).toEqual(['changed', 'changed'])
    await rm(join(out, 'logos/badge.svg'))
    await pull({}, 'brand@2')
    expect(await text('logos/badge.svg')).toBe(svg('badge two'))
  })

  test('include files behind a symbolic link', async () => {
    await pull()
    const elsewhere = join(root, 'elsewhere')
    await mkdir(elsewhere)
    for (const name of await readdir(join(out, 'logos')))
      await writeFile(join(elsewhere, name), await text(`logos/${name}`))
    await rm(join(out, 'logos'), { recursive: true })
    await symlink(elsewhere, join(out, 'logos'))
    const before = await fingerprint(elsewhere)
    await pull({}, 'brand@2')
    expect(await fingerprint(elsewhere)).toEqual(before)
  })

  test('include a broken symbolic link, which is rejected', async () => {
    await symlink(join(root, 'nowhere'), out)
    for (const dryRun of [false, true]) {
      expect(await refusal(pull({ dryRun }))).toMatchObject({
        code: 'fileSystem',
        message: expect.stringContaining('content is a broken symbolic link.'),
      })
    }
    expect((await readdir(root)).toSorted()).toEqual(['cache', 'content'])
  })

  test('include a file in place of the folder, which is rejected', async () => {
    await writeFile(out, 'mine')
    expect(await refusal(pull())).toMatchObject({
      code: 'fileSystem',
      hint: 'A file exists where this folder should be. Move it, or choose another --out.',
    })
    expect(await readFile(out, 'utf8')).toBe('mine')
  })

  test.each(['space.json', 'mirror.json'])('include a space, which is recognised by its %s', async (name) => {
    await mkdir(out)
    await put(name, '{}')
    expect(await refusal(pull())).toMatchObject({
      code: 'fileSystem',
      message: expect.stringContaining(`contains ${name}, so it is a space itself`),
    })
    expect(await readdir(out)).toEqual([name])
  })

  test.each([
    '../victim',
    '/ROOT/victim',
    'logos/../../victim',
    String.raw`..\victim`,
    'C:/victim',
    './victim',
    '.git/config',
    'a//b',
    '',
  ])('are not reached through a manifest that names %j', async (path) => {
    await pull()
    await writeFile(join(root, 'victim'), 'mine')
    const manifest = JSON.parse(await text('manifest.json'))
    manifest.written[path.replace('/ROOT', root)] = { sha256: 'sha256-0000000000000000000000000000000000000000000=' }
    await put('manifest.json', JSON.stringify(manifest))
    const error = await refusal(pull())
    expect(error.code).toBe('fileSystem')
    expect(await readFile(join(root, 'victim'), 'utf8')).toBe('mine')
  })

  test('include a foreign manifest, which is rejected', async () => {
    await put('manifest.json', '{ "name": "an app" }')
    const error = await refusal(pull())
    expect(error.code).toBe('fileSystem')
    expect(await contents(out)).toEqual({ 'manifest.json': '{ "name": "an app" }' })
  })
})

describe('a folder that holds other files', () => {
  const own = { 'polyfill.js': 'globalThis.ready = true\n', 'node_modules/dep/index.js': '', '.prettierrc': '' }
  const putOwn = () => Promise.all(Object.entries(own).map(([path, content]) => put(path, content)))

  test("doesn't get a package.json that would declare them free of side effects, and warns about that", async () => {
    await putOwn()
    const dry = await pull({ dryRun: true })
    expect(dry.kits[0]?.written).not.toContain('package.json')
    const report = await pull()
    expect(report.warnings).toEqual([expect.stringMatching(/content contains other files, such as polyfill\.js, so/)])
    expect(await pathsIn(out)).toEqual(
      [...all.filter((path) => path !== 'package.json'), ...Object.keys(own)].toSorted(),
    )
    expect(await pull()).toMatchObject({ kits: [{ written: [], removed: [], reused: 3 }] })
  })

  test('loses the package.json of an earlier run, and has it again without the files', async () => {
    await pull()
    await put('polyfill.js', own['polyfill.js'])
    expect(await pull()).toMatchObject({ kits: [{ written: ['manifest.json'], removed: ['package.json'] }] })
    await rm(join(out, 'polyfill.js'))
    expect(await pull()).toMatchObject({ kits: [{ written: ['manifest.json', 'package.json'] }], warnings: [] })
  })

  test.each(['.prettierrc', 'node_modules/dep/index.js'])('is none with %s', async (path) => {
    await put(path, '')
    expect((await pull()).warnings).toEqual([])
    expect(await pathsIn(out)).toContain('package.json')
  })

  test.each([
    ['index.js', 'index.js'],
    ['package.json', 'package.json'],
    ['index.ts', 'index.ts (index.js)'],
    ['logos/badge.tsx', 'logos/badge.tsx (logos/badge.js)'],
    ['logos/badge.mjs', 'logos/badge.mjs (logos/badge.js)'],
  ])('is rejected for %s, whose place or import a module would take', async (path, named) => {
    await put(path, 'mine')
    for (const dryRun of [true, false]) {
      const error = await refusal(pull({ dryRun }))
      expect(error).toMatchObject({ code: 'fileSystem', summary: expect.stringContaining(`: ${named}.`) })
    }
    expect(await contents(out)).toEqual({ [path]: 'mine' })
  })

  test('is rejected for CommonJS in a project of ES modules', async () => {
    await writeFile(join(root, 'package.json'), '{ "type": "module" }')
    await put('polyfill.js', own['polyfill.js'])
    const error = await refusal(pull({ module: 'cjs' }))
    expect(error).toMatchObject({ code: 'fileSystem', hint: expect.stringContaining('--out') })
    expect(await pathsIn(out)).toEqual(['polyfill.js'])
  })
})

describe('filters', () => {
  test.each<[string, Partial<PullOptions>, string[]]>([
    ['sections', { sections: ['more'] }, ['more/acme-logo.js', 'more/red.js']],
    ['headings', { headings: ['small-marks'] }, ['logos/badge.js', 'logos/old-mark.js']],
    ['assets', { assets: ['badge', 'red'] }, ['logos/badge.js', 'more/red.js']],
    ['keywords', { keywords: ['MAIN'] }, ['logos/acme-logo.js']],
    [
      'folders for headings',
      { headingFolders: true, assets: ['badge', 'acme-logo'] },
      ['logos/acme-logo.js', 'logos/small-marks/badge.js'],
    ],
  ])('%s', async (_, filter, modules) => {
    await pull(filter)
    expect((await pathsIn(out)).filter((path) => path.includes('/') && path.endsWith('.js'))).toEqual(modules)
  })

  test.each([
    [{ sections: ['logo'] }, 'sectionNotFound', 'logos'],
    [{ headings: ['small'] }, 'headingNotFound', 'small-marks'],
    [{ assets: ['bagde'] }, 'assetNotFound', 'badge'],
    [{ keywords: ['logo', 'mian'] }, 'assetNotFound', 'Main'],
  ])('suggest the nearest valid name: %j', async (filter, code, right) => {
    const error = await refusal(pull(filter))
    expect(error).toMatchObject({ code, hint: expect.stringContaining(right) })
    expect(await pathsIn(out)).toEqual([])
  })

  test('select only the assets that the source imports', async () => {
    await mkdir(join(root, 'src'))
    await writeFile(
      join(root, 'src/main.ts'),
      `import { badge } from 'content-space:kit/brand'\nimport red from 'content-space:asset/brand/red'\nexport default [badge, red]\n`,
    )
    await pull({ onlyUsed: true })
    expect((await pathsIn(out)).filter((path) => path.includes('/'))).toEqual([
      'logos/badge.d.ts',
      'logos/badge.js',
      'logos/badge.svg',
      'more/red.d.ts',
      'more/red.js',
    ])
    expect(service.downloads()).toHaveLength(1)
  })
})

describe('options', () => {
  test('list planned changes with dryRun, and change nothing', async () => {
    const report = await pull({ dryRun: true })
    expect(report).toMatchObject({ dryRun: true, downloads: 0, locked: false })
    expect(report.kits[0]?.written).toEqual(all.filter((path) => path !== 'manifest.json'))
    expect(await readdir(root)).toEqual(['cache'])
  })

  test('write several kits into one folder each, and several versions of one kit into separate folders', async () => {
    await pull({}, ['brand@1', 'brand@2'])
    expect(await readdir(out)).toEqual(['acme-brand@1', 'acme-brand@2'])
    expect(await pathsIn(join(out, 'acme-brand@1'))).toEqual(all)
  })

  test.each<[unknown, string]>([
    [{ kits: 'brand', out: '' }, 'Option out in pull must be the path of a folder, not "".'],
    [{ kits: 'brand' }, 'Option out in pull is missing. It must be the path of a folder.'],
    [{ out: 'content' }, 'Option kits in pull is missing. It must be a kit or a list of kits.'],
    [{ kits: [], out: 'content' }, 'Option kits in pull must be a kit or a list of kits, not [].'],
    [
      { kits: 'brand', out: 'content', module: 'esm' },
      `Option module in pull must be 'url', 'import', 'cjs', 'react-native' or 'iconify', not "esm".`,
    ],
    [{ kits: 'brand', out: 'content', section: ['logos'] }, 'Unknown option section in pull.\nDid you mean sections?'],
    [{ kit: 'brand', out: 'content' }, 'Unknown option kit in pull.\nDid you mean kits?'],
    [undefined, 'The options in pull must be an object, not undefined.'],
  ])('are refused before any request when they are wrong: %j', async (wanted, message) => {
    const importer = await createImporter({ ...service.options, cacheDir: 'cache' }, { root, mode: 'test', env: {} })
    const untyped: { pull(options: unknown): Promise<unknown> } = importer
    expect(await refusal(untyped.pull(wanted))).toMatchObject({
      code: 'invalidOption',
      message: expect.stringContaining(message),
    })
    await importer.close()
    expect(service.requests).toEqual([])
    expect(await readdir(root)).toEqual([])
  })

  test('pull a version of a kit once when they name it twice', async () => {
    const report = await pull({}, ['brand', kit.toLowerCase(), 'brand@1'])
    expect(report.kits).toMatchObject([{ kit, version: 1, folder: out }])
    expect(await pathsIn(out)).toEqual(all)
  })

  test.each([
    ['angular.json', '{}', /^import file0 from "\.\/badge\.png" with { loader: "file" }\n/],
    ['metro.config.js', '', /src:require\("\.\/badge\.png"\)/],
    ['package.json', '{ "devDependencies": { "nuxt": "4" } }', /^import file0 from "\.\/badge\.png"\n/],
    [
      'package.json',
      '{ "dependencies": { "expo": "54", "astro": 1 } ]',
      /new URL\("\.\/badge\.png", import\.meta\.url\)\.href/,
    ],
  ])('find the form of modules in %s of the project: %s', async (name, content, expected) => {
    const order = { out: 'app/content', cut: 'png', assets: ['badge'] }
    await pull(order)
    await writeFile(join(root, 'app', name), content)
    await pull(order)
    expect(await readFile(join(root, 'app/content/logos/badge.js'), 'utf8')).toMatch(expected)
  })

  test('give Metro the densities of one width, in points, and only what React Native supports', async () => {
    const native = { module: 'react-native', assets: ['badge'] } as const
    await pull({ ...native, query: 'w=10&dpr=1;1.5;3&format=png' })
    expect((await pathsIn(join(out, 'logos'))).filter((path) => !path.endsWith('s'))).toEqual([
      'badge.png',
      'badge@1.5x.png',
      'badge@3x.png',
    ])
    expect(await readFile(join(out, 'logos/badge.js'), 'utf8')).toContain('src:require("./badge.png"),width:10,')
    expect(await readFile(join(out, 'logos/badge.d.ts'), 'utf8')).toContain('src: number; width: 10;')
    for (const query of ['w=10;20', 'w=10&format=webp;png', 'react'])
      expect((await refusal(pull({ ...native, query }))).code).toBe('invalidQuery')
  })

  test('select a cut, and take its name from the query', async () => {
    await pull({ cut: 'png', assets: ['badge'] })
    expect(await pathsIn(join(out, 'logos'))).toEqual(['badge.d.ts', 'badge.js', 'badge.png'])
    await pull({ query: 'w=24;48&format=webp;png&placeholder=color', assets: ['badge'] })
    expect((await pathsIn(join(out, 'logos'))).filter((path) => !path.endsWith('s'))).toEqual([
      'badge-24.png',
      'badge-24.webp',
      'badge-48.png',
      'badge-48.webp',
    ])
  })

  test('list every asset that does not offer the cut, before anything is written', async () => {
    const error = await refusal(pull({ cut: 'jpg' }))
    expect(error.code).toBe('fileCutUnavailable')
    expect(error.message).toMatch(/Acme Logo[^]*Badge[^]*Old Mark/)
    expect(await readdir(root)).toEqual(['cache'])
  })

  test('write no file for a value that a module inlines', async () => {
    await pull({ query: 'inline', assets: ['badge'] })
    expect(await pathsIn(join(out, 'logos'))).toEqual(['badge.d.ts', 'badge.js'])
    expect(await text('logos/badge.js')).toMatch(/^export default "data:image\/svg\+xml;base64,/)
  })

  test('report each step', async () => {
    const events: ProgressEvent[] = []
    await pull({ onProgress: (event) => void events.push(event) })
    const size =
      Buffer.byteLength(svg('logo one', 120, 40)) + Buffer.byteLength(svg('badge one')) + Buffer.byteLength(svg('old'))
    expect(events[0]).toEqual({
      type: 'plan',
      kit: 'Acme Brand',
      version: 1,
      files: 3,
      bytes: size,
      downloads: 3,
      reused: 0,
    })
    expect(events.at(-1)).toMatchObject({ type: 'file', done: 3, total: 3, bytes: size, totalBytes: size })
    expect(events).toHaveLength(4)
  })

  test.each([
    ['the service asks to', { requests: 2, seconds: 1 }, {}],
    ['the rate is used up', false, { rateLimit: { requests: 2, seconds: 1 } }],
  ] as const)('report a wait when %s', async (_why, rateLimit, options) => {
    const limited = await serveSpace(space.folder, { rateLimit })
    const [events, heard]: [ProgressEvent[], ProgressEvent[]] = [[], []]
    await pull({ onProgress: (event) => void events.push(event) }, 'brand', {
      ...limited.options,
      ...options,
      onProgress: (event) => void heard.push(event),
    })
    await limited.close()
    const waits = events.filter(({ type }) => type === 'wait')
    expect(waits.length).toBeGreaterThan(0)
    expect(waits[0]).toEqual({ type: 'wait', seconds: expect.any(Number) })
    expect(heard.filter(({ type }) => type === 'wait')).toEqual(waits)
    expect(events.at(-1)).toMatchObject({ type: 'file', done: 3, total: 3 })
  })
})

describe('an abort signal', () => {
  test('ends a run during a download, without leaving files behind', async () => {
    const called = new AbortController()
    const stuck = await serveSpace(space.folder, {
      faults: [{ with: 'stall', on: 'download', every: 1 }],
      onRequest: ({ route }) => route === 'download' && called.abort(),
    })
    const error = await refusal(pull({ signal: called.signal }, 'brand', stuck.options))
    expect(error.code).toBe('aborted')
    expect(await readdir(root)).toEqual(['cache'])
    await stuck.close()
  })

  test('prevents a run that has not begun', async () => {
    expect(await refusal(pull({ signal: AbortSignal.abort() }))).toMatchObject({ code: 'aborted' })
    expect(service.downloads()).toEqual([])
  })
})

describe('the lock', () => {
  test('pins the version, the names and the bytes', async () => {
    await pull()
    await space.write({ 'brand/kit.json': kitJson(2) })
    expect((await pull()).kits[0]?.version).toBe(1)
    await rm(out, { recursive: true })
    await rm(join(root, 'cache'), { recursive: true })
    await space.write({ 'brand/versions/1/01 Logos/badge.svg': svg('badge 111') })
    expect(await refusal(pull())).toMatchObject({ code: 'integrity', hint: expect.stringContaining('update') })
    expect(await readdir(root)).toEqual(['cache', 'content-space.lock.json'])
  })

  test.each(['x } from "data:text/javascript,globalThis.hit=1"; export { y', '__proto__', 'asset$0', 'default'])(
    'is rejected when the name of an asset is %j',
    async (name) => {
      await pull()
      const path = join(root, 'content-space.lock.json')
      const lock = await readFile(path, 'utf8')
      await writeFile(
        path,
        lock.replaceAll('"name":"acmeLogo"', () => `"name":${JSON.stringify(name)}`),
      )
      await rm(out, { recursive: true })
      const error = await refusal(pull())
      expect(error).toMatchObject({ code: 'invalidLock', hint: expect.stringContaining('content-space sync') })
      expect(error.message).toMatch(/kits\["[\dA-F-]+"\]\.versions\["1"\]\.assets\["[\dA-F-]+"\]\.name/)
      expect(await pathsIn(out)).toEqual([])
    },
  )

  test('rejects changes when frozen', async () => {
    expect(await refusal(pull({}, 'brand', { frozen: true }))).toMatchObject({ code: 'frozen' })
    expect(await pathsIn(out)).toEqual([])
  })

  test('lists all missing content when offline', async () => {
    await pull({ assets: ['badge'] })
    await rm(out, { recursive: true })
    const error = await refusal(pull({}, 'brand', { offline: true }))
    expect(error).toMatchObject({ code: 'offline' })
    expect(error.summary).toMatch(/Acme Logo\n.*Old Mark$/)
    await pull({ assets: ['badge'] }, 'brand', { offline: true })
    expect(await text('logos/badge.svg')).toBe(svg('badge one'))
  })
})
