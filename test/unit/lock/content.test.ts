import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Options } from '../../../src/config/options.js'
import type { ContentSpaceError } from '../../../src/errors.js'
import { finish } from '../../../src/engine/build.js'
import { openEngine } from '../../../src/engine/engine.js'
import { createImporter, importerOf } from '../../../src/importer.js'
import type { UpdateOptions } from '../../../src/lock/run.js'
import { tempFolder } from '../../support/files.js'
import { serveSpace, svg, writeSpace, type Files, type ServedSpace, type SpaceFolder } from '../../support/space.js'
import { versioned, versionedKit } from '../../support/versions.js'

/*
 * The lockfile has the digest of each listing: a frozen run gives what it describes or an error, and any other run
 * leaves a lockfile that gives its output again.
 */

let files: Files
let space: SpaceFolder
let service: ServedSpace
let root: string

beforeAll(async () => {
  files = await versionedKit()
  space = await writeSpace(files)
})
afterAll(() => space.remove())

beforeEach(async () => {
  await space.write(files)
  await space.write({ 'brand/versions/1/Logos/icon.json': { uuid: versioned.icon } })
  service = await serveSpace(space.folder)
  root = await tempFolder()
  return async () => {
    await service.close()
    await rm(root, { recursive: true, force: true })
  }
})

interface Ran {
  /** What modules contain, without what the service changes by itself. */
  text: string
  warnings: string[]
  requests: number
}

async function run(more: Options & { kit?: string } = {}, update?: UpdateOptions): Promise<Ran> {
  const { kit = 'brand', ...options } = more
  const own = { ...service.options, types: false as const, cacheDir: join(root, 'warm'), frozen: false, ...options }
  const engine = await openEngine(own, { root, command: 'build' }, update)
  const before = service.requests.length
  try {
    const loaded = await importerOf(engine).kit(kit)
    const { warnings } = await finish(engine)
    const text = JSON.stringify(loaded, (name, value: unknown) =>
      ['permalink', 'thumbnails', 'thumbnail_placeholders'].includes(name) ? undefined : value,
    )
    return { text, warnings, requests: service.requests.length - before }
  } finally {
    await engine.close()
  }
}

const cold = (): Options => ({ cacheDir: join(root, `cold-${Math.random()}`) })
const refusal = (work: Promise<unknown>): Promise<ContentSpaceError> =>
  work.then(
    () => Promise.reject(new Error('Expected a refusal')),
    (error: ContentSpaceError) => error,
  )
const lockPath = (): string => join(root, 'content-space.lock.json')
const lock = (): Promise<string> => readFile(lockPath(), 'utf8')
const icon = (more: object): Promise<void> =>
  space.write({ 'brand/versions/1/Logos/icon.json': { uuid: versioned.icon, ...more } })

const changes: [string, () => Promise<void>, RegExp][] = [
  ['notes', () => icon({ notes: 'other' }), /fields of assets/],
  ['keywords', () => icon({ keywords: ['other'] }), /fields of assets/],
  ['colors', () => icon({ colors: [{ hex: '#112233' }] }), /fields of assets/],
  ['an unknown field', () => icon({ campaign: 'spring' }), /fields of assets/],
  ['an address of a person', () => icon({ contact: 'Press: press@example.com' }), /fields of assets/],
  ['a name', () => icon({ name: 'Sign' }), /asset Sign: name \(icon before\)/],
  ['a file', () => space.write({ 'brand/versions/1/Logos/icon.svg': svg('x') }), /asset Icon: file_hash/],
  ['a new asset', () => space.write({ 'brand/versions/1/Logos/new.svg': svg('new') }), /asset New was added/],
  ['the name of a section', () => space.write({ 'brand/versions/1/Logos/section.json': { name: 'Marks' } }), /Marks/],
]

test.each(changes)('%s that changes within a version is refused when frozen, and locked otherwise', async (...row) => {
  const [, change, named] = row
  try {
    const first = await run()
    const locked = await lock()
    await change()
    // The locked listing is at hand.
    expect(await run()).toEqual({ ...first, requests: 0 })
    expect(await run({ frozen: true })).toEqual({ ...first, requests: 0 })
    const error = await refusal(run({ ...cold(), frozen: true }))
    expect([error.code, error.hint]).toEqual(['integrity', expect.stringContaining('content-space update brand')])
    expect(error.message).toMatch(named)
    expect(await lock()).toBe(locked)
    const taken = await run(cold())
    expect(taken.text).not.toBe(first.text)
    expect(taken.warnings).toEqual([expect.stringMatching(named)])
    expect(await lock()).not.toBe(locked)
    expect(await run({ frozen: true })).toMatchObject({ text: taken.text, warnings: [] })
    expect(await run({ ...cold(), frozen: true })).toMatchObject({ text: taken.text, warnings: [] })
  } finally {
    await space.delete('brand/versions/1/Logos/section.json')
    await rm(join(space.folder, 'brand/versions/1/Logos/new.svg'), { force: true })
  }
})

test('the update of another project does not change a frozen build that shares its cache', async () => {
  const first = await run()
  const locked = await lock()
  await icon({ notes: 'other' })
  const updated = await run({}, { rename: false })
  expect(updated.text).not.toBe(first.text)
  await writeFile(lockPath(), locked)
  expect(await run({ frozen: true })).toEqual({ ...first, requests: 0 })
})

test('a lockfile without digests is read, and gets them when it may be written', async () => {
  const first = await run()
  const locked = await lock()
  const old = locked.replaceAll(/,"content":"[^"]*"/g, '')
  expect(old).not.toBe(locked)
  await writeFile(lockPath(), old)
  expect((await run({ frozen: true })).text).toBe(first.text)
  expect(await lock()).toBe(old)
  expect((await run()).text).toBe(first.text)
  expect(await lock()).toBe(locked)
})

test('a digest that was edited by hand is refused when frozen, and corrected otherwise', async () => {
  const first = await run()
  const locked = await lock()
  await writeFile(lockPath(), locked.replace(/"content":"[^"]*"/, `"content":"sha256-${'A'.repeat(43)}="`))
  expect((await refusal(run({ frozen: true }))).code).toBe('integrity')
  expect(await run()).toMatchObject({ text: first.text, warnings: [expect.stringContaining('other content')] })
  expect(await lock()).toBe(locked)
})

test('a listing of an older version that is out of date is recognized', async () => {
  await run()
  const old = await run({ kit: 'brand@2' })
  await space.write({ 'brand/versions/2/Logos/poster.json': { uuid: versioned.poster, notes: 'other' } })
  expect((await refusal(run({ ...cold(), kit: 'brand@2', frozen: true }))).code).toBe('integrity')
  expect((await run({ kit: 'brand@2', frozen: true })).text).toBe(old.text)
  expect(await run({ ...cold(), frozen: true })).toMatchObject({ warnings: [] })
})

test('a draft is read each time, although the dates of its kit stay the same', async () => {
  const before = await run({ kit: 'brand@draft' })
  expect(await lock()).not.toContain('"content"')
  await space.write({ 'brand/Logos/poster.svg': svg('other', 60, 90) })
  const after = await run({ kit: 'brand@draft' })
  expect(after.text).not.toBe(before.text)
  expect(after.requests).toBeGreaterThan(1)
})

test('verify and diff compare the digest', async () => {
  const source = `import { icon } from 'content-space:kit/brand'\nexport default icon\n`
  await writeFile(join(root, 'main.js'), source)
  const options = { ...service.options, types: false as const, cacheDir: join(root, 'warm'), frozen: false }
  const open = (more: Options = {}) => createImporter({ ...options, ...more }, { root })
  const first = await open()
  await first.sync()
  expect(await first.verify()).toEqual([])
  await first.close()
  const importer = await open()
  expect([await importer.verify(), (await importer.diff()).kits]).toEqual([[], undefined])
  await importer.close()
  await icon({ notes: 'other' })
  for (const more of [{}, { frozen: true }, { ...cold(), frozen: true }]) {
    const later = await open(more)
    expect(await later.verify()).toEqual([expect.stringContaining('is listed with other content')])
    expect((await later.diff()).kits?.updated).toMatchObject([{ kit: 'brand' }])
    await later.close()
  }
})
