import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { contentPath } from '../../src/disk/cache-layout.js'
import { integrityOf } from '../../src/disk/content.js'
import { openDerived } from '../../src/disk/derived.js'
import { openVersions } from '../../src/files/convert/versions.js'
import { readIndex, type IndexEntry } from '../../src/files/store-index.js'
import { openStore } from '../../src/files/store.js'
import { runs, timeFor } from '../support/long.js'
import { fc } from '../support/random.js'
import { serveSpace, svg, writeSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { build, createProject, type Driver, type Output, type Project } from './driver.js'
import { esbuildDriver } from './drivers/esbuild.js'
import { rolldownDriver } from './drivers/rolldown.js'

/*
 * A build stores what it has derived, and the next build with the same lockfile reads only that. We compare such a
 * build with one that has an empty cache and so derives everything.
 */

const count = 40
const name = (index: number): string => `asset${String(index).padStart(3, '0')}`
const published = Object.fromEntries(
  Array.from({ length: count }, (_, index): [string, string] => [
    `brand/versions/1/0${(index % 3) + 1} Part ${index % 3}/${name(index)}.svg`,
    svg(name(index)),
  ]),
)

let space: SpaceFolder
let service: ServedSpace
let project: Project
let cacheDir: string

beforeAll(async () => {
  space = await writeSpace({
    'space.json': { space_id: 7 },
    'brand/kit.json': {
      use_version: 1,
      versions: [{ version: 1, version_identifier: '1.0', folder: 'versions/1' }],
    },
    'brand/Draft/draft.svg': svg('draft'),
    // Two assets with the same name, so that a build warns about their exports.
    'brand/versions/1/01 Part 0/twin.svg': svg('twin'),
    'brand/versions/1/02 Part 1/twin.svg': svg('other twin'),
    ...published,
  })
  service = await serveSpace(space.folder)
  project = await createProject({})
  cacheDir = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
})
const home = process.cwd()
afterAll(async () => {
  process.chdir(home)
  await service.close()
  await Promise.all([space.remove(), project.remove(), rm(cacheDir, { recursive: true })])
})
beforeEach(() => process.chdir(project.root))

const types = (): string => join(project.root, 'content-space.d.ts')
const lockfile = (): string => join(project.root, 'content-space.lock.json')

interface Result {
  files: Map<string, Buffer>
  log: string
  lock: string
  declarations: string
}

/** @param cache a cache to use instead of the test's cache */
async function run(driver: Driver = rolldownDriver, cache = cacheDir): Promise<Result> {
  const output: Output = await build(driver, project, { ...service.options, cacheDir: cache, types: types() })
  const [lock, declarations] = await Promise.all([readFile(lockfile(), 'utf8'), readFile(types(), 'utf8')])
  // A build's requests depend on the cache.
  const log = output.log.replace(/content-space: \d+ files? from [^\n]*/g, '')
  return { files: output.files, log, lock, declarations }
}

/** Builds with an empty cache. */
async function runWithout(driver?: Driver): Promise<Result> {
  const empty = await mkdtemp(join(tmpdir(), 'content-space-cache-'))
  try {
    return await run(driver, empty)
  } finally {
    await rm(empty, { recursive: true })
  }
}

function sourceOf(names: readonly number[], asset: number | undefined): string {
  const list = names.map(name).join(', ')
  return `${names.length > 0 ? `import { ${list} } from 'content-space:kit/brand'\n` : ''}${
    asset === undefined ? '' : `import one from 'content-space:asset/brand/${name(asset)}?as=url'\n`
  }console.log(JSON.stringify([${list}${asset === undefined ? '' : `${list === '' ? '' : ', '}one`}]))\n`
}

test('adds the hash of a file whose module an earlier build has made without the file', async () => {
  await rm(lockfile(), { force: true })
  const imported = `import one from 'content-space:asset/brand/${name(16)}'\n`
  await project.write({ 'main.js': `${imported}console.log(1)\n` })
  expect((await run()).lock).not.toContain('"files"')
  await project.write({ 'main.js': `${imported}console.log(one)\n` })
  const before = service.requests.length
  const { lock, log } = await run()
  expect(lock).toContain('"files"')
  expect(service.requests.slice(before).map(({ route }) => route)).toEqual(['download'])
  expect({ lock, log }).toEqual(await runWithout().then((cold) => ({ lock: cold.lock, log: cold.log })))
})

/** Returns the entry with what the project's builds have derived. */
async function derivedEntry(): Promise<IndexEntry> {
  const entry = readIndex(cacheDir).find(({ key }) => key.startsWith('derived-v'))
  if (!entry) throw new Error('The cache has nothing that builds have derived.')
  return entry
}

const derivedPath = async (): Promise<string> => contentPath(cacheDir, (await derivedEntry()).integrity)

test(
  'any sequence of builds is as it would be with an empty cache',
  async () => {
    const step = fc.record({
      names: fc.uniqueArray(fc.nat(count - 1), { minLength: 1, maxLength: 4 }),
      asset: fc.option(fc.nat(count - 1), { nil: undefined }),
      driver: fc.constantFrom(rolldownDriver, esbuildDriver),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
        for (const { names, asset, driver } of steps) {
          await project.write({ 'main.js': sourceOf(names, asset) })
          const first = await run(driver)
          const second = await run(driver)
          expect(second).toEqual({ ...first, log: second.log })
          const { files, lock, declarations } = await runWithout(driver)
          expect(second).toEqual({ files, lock, declarations, log: second.log })
        }
      }),
      { numRuns: runs(4, 200) },
    )
  },
  timeFor(2),
)

test("warns about names when they are locked, and doesn't send requests afterwards", async () => {
  await project.write({ 'main.js': sourceOf([1, 2], 3) })
  expect((await run()).log).not.toContain('have the same name')
  const [, twin = ''] = /export const (twin_\w+)/.exec(await readFile(types(), 'utf8')) ?? []
  await project.write({ 'main.js': `import { ${twin} as twin } from 'content-space:kit/brand'\nconsole.log(twin)` })
  const cold = await run()
  expect(cold.log.split('have the same name')).toHaveLength(2)
  const before = service.requests.length
  const warm = await run()
  // The listing contains the other names, but a build with locked content doesn't read it.
  expect(warm.log).not.toContain('have the same name')
  expect(service.requests).toHaveLength(before)
})

test('restores declarations and a lockfile that were changed', async () => {
  await rm(lockfile(), { force: true })
  await project.write({ 'main.js': sourceOf([4, 5], 6) })
  const expected = await run()
  await appendFile(types(), '// changed\n')
  expect((await run()).declarations).toBe(expected.declarations)
  await rm(types())
  expect((await run()).declarations).toBe(expected.declarations)
  await writeFile(lockfile(), expected.lock.replace(/("name":"asset005".*?),"files":\{[^}]*\}/, '$1'))
  expect((await run()).lock).toBe(expected.lock)
  await rm(lockfile())
  expect((await run()).lock).toBe(expected.lock)
})

test.each<[string, (text: string) => string]>([
  ['is no JSON', () => '{'],
  ['is empty', () => ''],
  ['has other content', (text) => text.replaceAll('asset00', 'other00')],
  ['is code', (text) => text.replaceAll('"asset00', '"hit()')],
])('heals derived values in an entry that %s', async (_, change) => {
  await project.write({ 'main.js': sourceOf([7, 8], 9) })
  await run()
  const expected = await run()
  const path = await derivedPath()
  await writeFile(path, change(await readFile(path, 'utf8')))
  expect(await run()).toEqual(expected)
  expect(await readFile(await derivedPath(), 'utf8')).toContain('"asset007"')
})

/** Marks an SVG as having no active content, as a process that can write to the cache could. */
async function forgeVerdict(svgHash: string): Promise<void> {
  const { key } = await derivedEntry()
  const derived = await openDerived(
    openStore(cacheDir, () => {}),
    key,
    undefined,
  )
  const kind = { name: 'active', schema: v.array(v.string()) }
  const inputs = [svgHash, openVersions()({ kind: 'check' })]
  derived.keep(kind, inputs, [])
  await derived.save()
}

async function put(of: (key: string) => boolean, bytes: Buffer): Promise<void> {
  const key = readIndex(cacheDir)
    .map((entry) => entry.key)
    .find(of)
  if (key === undefined) throw new Error('The cache has no such entry.')
  await openStore(cacheDir, () => {}).put(key, bytes)
}

test('a forged cache can neither give a file another hash than the lockfile nor mark it as safe', async () => {
  await project.write({ 'main.js': sourceOf([14, 15], undefined) })
  const expected = await run()
  const uuid = /"([^"]+)": \{"name":"asset014"/.exec(expected.lock)?.[1] ?? ''
  const active = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="forged()"/>')
  const hash = integrityOf(active)
  await put((key) => key.startsWith('file\n') && key.includes(uuid), active)
  await forgeVerdict(hash)
  // The bytes in the lockfile replace the bytes in the cache.
  expect((await run()).files).toEqual(expected.files)
  await put((key) => key.startsWith('file\n') && key.includes(uuid), active)
  // Without a hash in the lockfile, all bytes come from the cache, and the file is checked.
  const open = expected.lock.replace(/("name":"asset014".*?),"files":\{[^}]*\}/, '$1')
  await writeFile(lockfile(), open)
  await forgeVerdict(hash)
  const { files } = await run()
  expect([...files.values()].join('\n')).not.toContain('forged()')
  // The file in the cache is still the other one.
  await rm(cacheDir, { recursive: true, maxRetries: 5 })
})

test('a build loads the kit only for what no build has used before', async () => {
  await project.write({ 'main.js': sourceOf([10, 11], 12) })
  await run()
  const path = await derivedPath()
  const sound = await readFile(path)
  await run()
  expect(await readFile(path)).toEqual(sound)
  await project.write({ 'main.js': sourceOf([10, 13], 12) })
  await run()
  expect(await derivedPath()).not.toBe(path)
})
