import { createHash } from 'node:crypto'
import { readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { project } from '../support/cli.js'
import { commitAll } from '../support/git.js'
import { brand, serveSpace, svg, writeSpace } from '../support/space.js'

const [mark, star, newStar, sun, otherSun] = [1, 2, 3, 4, 5].map(
  (number) => `237C41F2-AAAA-4BBB-8CCC-00000000000${number}`,
)
const kit = { uuid: brand.uuid, name: 'Brand' }
/** Returns a drawing with a name and a uuid. */
const drawing = (folder: string, name: string, uuid: unknown, state: string | number = '') => ({
  [`${folder}/Logos/${name}.svg`]: svg(`${name} ${state}`),
  [`${folder}/Logos/${name}.json`]: { uuid },
})
/**
 * Returns the second version, in which one drawing was renamed, one was uploaded again, and one shares its name with
 * another.
 */
const second = (folder: string) => ({
  [`${folder}/Logos/mark.svg`]: svg('logo'),
  [`${folder}/Logos/mark.json`]: { uuid: mark },
  [`${folder}/Logos/star.svg`]: svg('star'),
  [`${folder}/Logos/star.json`]: { uuid: newStar },
  [`${folder}/Logos/sun.svg`]: svg('sun'),
  [`${folder}/Logos/sun.json`]: { uuid: sun },
  [`${folder}/Logos/sun-2.svg`]: svg('other sun'),
  [`${folder}/Logos/sun-2.json`]: { uuid: otherSun, name: 'Sun' },
})

test('versions of a kit have a table each, and keep the names that were given', async () => {
  const first = { version: 1, folder: 'versions/1' }
  const space = await writeSpace({
    'brand/kit.json': { ...kit, use_version: 1, versions: [first] },
    'brand/versions/1/Logos/logo.svg': svg('logo'),
    'brand/versions/1/Logos/logo.json': { uuid: mark },
    'brand/versions/1/Logos/star.svg': svg('star'),
    'brand/versions/1/Logos/star.json': { uuid: star },
    'brand/versions/1/Logos/sun.svg': svg('sun'),
    'brand/versions/1/Logos/sun.json': { uuid: sun },
    ...second('brand'),
  })
  onTestFinished(() => space.remove())
  const work = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: brand.uuid } }),
      'src/a.js': "import { logo, star, sun } from 'content-space:kit/brand'\nconsole.log(logo, star, sun)\n",
      'src/b.js': "import { mark } from 'content-space:kit/brand@draft'\nconsole.log(mark)\n",
    },
    { CONTENT_SPACE_URL: space.folder },
  )
  onTestFinished(() => work.remove())
  const tables = async () => {
    const lock = JSON.parse(await readFile(join(work.root, 'content-space.lock.json'), 'utf8'))
    return lock.kits[brand.uuid].versions
  }

  expect(await work.run('sync')).toMatchObject({ code: 0 })
  expect(await tables()).toMatchObject({
    0: { assets: { [String(mark)]: { name: 'mark', slug: 'mark' } } },
    1: {
      assets: { [String(mark)]: { name: 'logo' }, [String(star)]: { name: 'star' }, [String(sun)]: { name: 'sun' } },
    },
  })
  expect(await work.run('verify')).toMatchObject({ code: 0 })
  expect((await work.run('sync')).stdout).toContain('nothing has changed')

  // Assets that aren't imported are dropped, and the other version doesn't change.
  const before = await tables()
  await work.write({ 'src/b.js': '' })
  expect(await work.run('verify')).toMatchObject({ code: 1, stderr: expect.stringContaining('nothing uses it') })
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  expect(await tables()).toEqual({ 1: before[1] })

  await space.write({
    'brand/kit.json': { ...kit, use_version: 2, versions: [first, { version: 2, folder: 'versions/2' }] },
    ...second('brand/versions/2'),
  })
  await work.write({ 'src/a.js': "import { logo, sun } from 'content-space:kit/brand'\nconsole.log(logo, sun)\n" })
  expect(await work.run('update')).toMatchObject({ code: 0 })
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  expect(await tables()).toMatchObject({
    2: {
      assets: {
        [String(mark)]: { name: 'mark', aliases: [{ name: 'logo' }] },
        [String(sun)]: { name: 'sun' },
        [String(star)]: { name: 'star', lastSeen: { version: 1 } },
      },
    },
  })
})

test('update --rename keeps the names of the versions in use, and later runs change nothing', async () => {
  const section = (folder: string, name: string) => ({ [`${folder}/Logos/section.json`]: { uuid: one, name } })
  const [one, two] = ['E1', 'E2'].map((end) => `237C41F2-AAAA-4BBB-8CCC-0000000000${end}`)
  const versions = [1, 2].map((version) => ({ version, folder: `versions/${version}` }))
  const space = await writeSpace({
    'brand/kit.json': { ...kit, use_version: 1, versions },
    'brand/versions/1/Logos/logo.svg': svg('logo'),
    'brand/versions/1/Logos/logo.json': { uuid: mark },
    'brand/versions/1/Logos/star.svg': svg('star'),
    'brand/versions/1/Logos/star.json': { uuid: star },
    ...section('brand/versions/1', 'Logos'),
    ...second('brand/versions/2'),
    ...section('brand/versions/2', 'Marks'),
    'brand/versions/2/More/section.json': { uuid: two, name: 'Logos' },
    'brand/versions/2/More/moon.svg': svg('moon'),
  })
  onTestFinished(() => space.remove())
  const pinned = `import { logo, star } from 'content-space:kit/brand@1'
import logos from 'content-space:section/brand@1/logos'
console.log(logo, star, logos)
`
  const work = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: brand.uuid } }),
      'src/a.js': "import { logo } from 'content-space:kit/brand'\nimport 'content-space:section/brand/logos'\nlogo\n",
      'src/b.js': pinned,
    },
    { CONTENT_SPACE_URL: space.folder },
  )
  onTestFinished(() => work.remove())
  const read = (file: string) => readFile(join(work.root, file), 'utf8')

  expect(await work.run('sync')).toMatchObject({ code: 0 })
  await space.write({ 'brand/kit.json': { ...kit, use_version: 2, versions } })
  expect(await work.run('update')).toMatchObject({ code: 0 })
  const renamed = await work.run('update', '--rename')
  expect(renamed.stderr).toContain('It is now called mark')
  for (const flags of [['--write'], []]) {
    commitAll(work.root)
    expect(await work.run('update', '--rename', ...flags)).toMatchObject({ code: 0, stderr: '' })
    const locked = await read('content-space.lock.json')
    expect(JSON.parse(locked).kits[brand.uuid].versions).toMatchObject({
      1: { assets: { [String(mark)]: { name: 'logo' } }, sections: { [String(one)]: { slug: 'logos' } } },
      2: { assets: { [String(mark)]: { name: 'mark' } }, sections: { [String(one)]: { slug: 'marks' } } },
    })
    expect(await work.run('verify')).toMatchObject({ code: 0, stderr: '' })
    expect((await work.run('sync')).stdout).toContain('nothing has changed')
    expect(await read('content-space.lock.json')).toBe(locked)
  }
  expect(await read('src/b.js')).toBe(pinned)
  expect(await read('src/a.js')).toBe(
    "import { mark } from 'content-space:kit/brand'\nimport 'content-space:section/brand/marks'\nmark\n",
  )
})

test('the former name of a section does not stand for a new one that took it', async () => {
  const [one, two] = ['E1', 'E2'].map((end) => `237C41F2-AAAA-4BBB-8CCC-0000000000${end}`)
  const versions = [1, 2].map((version) => ({ version, folder: `versions/${version}` }))
  const space = await writeSpace({
    'brand/kit.json': { ...kit, use_version: 1, versions },
    'brand/versions/1/Logos/section.json': { uuid: one },
    'brand/versions/1/Logos/logo.svg': svg('logo'),
    'brand/versions/2/Marks/section.json': { uuid: one },
    'brand/versions/2/Marks/logo.svg': svg('logo'),
    'brand/versions/2/Logos/section.json': { uuid: two },
    'brand/versions/2/Logos/star.svg': svg('star'),
  })
  onTestFinished(() => space.remove())
  const work = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: brand.uuid } }),
      'src/a.js': "import 'content-space:section/brand/logos'\n",
    },
    { CONTENT_SPACE_URL: space.folder },
  )
  onTestFinished(() => work.remove())
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  await space.write({ 'brand/kit.json': { ...kit, use_version: 2, versions } })
  expect((await work.run('update', '--rename')).stderr).toContain('It is now called marks.')
  expect((await work.run('sync')).stderr).toContain('It is now called marks.')
})

test('the error for a removed asset names a version only if the asset is known to have been in it', async () => {
  const versions = [1, 2].map((version) => ({ version, folder: `versions/${version}` }))
  const space = await writeSpace({
    'brand/kit.json': { ...kit, use_version: 1, versions },
    ...drawing('brand/versions/1', 'logo', mark),
    ...drawing('brand/versions/1', 'star', star),
    ...drawing('brand/versions/2', 'logo', mark),
    ...drawing('brand', 'logo', mark),
    ...drawing('brand', 'sun', sun),
  })
  onTestFinished(() => space.remove())
  const work = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: brand.uuid }, types: false }),
      'src/a.js': "import { logo, star } from 'content-space:kit/brand'\nconsole.log(logo, star)\n",
      'src/b.js': "import { sun } from 'content-space:kit/brand@draft'\nconsole.log(sun)\n",
    },
    { CONTENT_SPACE_URL: space.folder },
  )
  onTestFinished(() => work.remove())
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  await space.delete('brand/Logos/sun.svg', 'brand/Logos/sun.json')
  const draft = 'sun is no longer in kit Brand (draft). Remove the import, or add it to the kit again.\n'
  expect((await work.run('verify')).stderr).toContain(draft)
  expect((await work.run('sync')).stderr).toContain(draft)
  expect((await work.run('sync')).stderr).toContain(draft)
  await work.write({ 'src/b.js': '' })
  await space.write({ 'brand/kit.json': { ...kit, use_version: 2, versions } })
  const last = 'star is no longer in kit Brand (version 2): it was last in version 1'
  expect(await work.run('update')).toMatchObject({ code: 0, stderr: expect.stringContaining(last) })
  expect((await work.run('sync')).stderr).toContain(last)
})

const use = (version: number) =>
  `import logo${version} from 'content-space:asset/brand@${version}/logo?raw'\nconsole.log(logo${version})\n`
const hash = (version: number, algorithm: string, encoding: 'hex' | 'base64') =>
  createHash(algorithm)
    .update(svg(`logo ${version}`))
    .digest(encoding)
const files = (version: number) => ({ original: `sha256-${hash(version, 'sha256', 'base64')}` })

test.each([
  { of: 'a folder', first: 1 },
  { of: 'a service', first: 1 },
  { of: 'a service', first: 2 },
])('each version of $of has its own file of an asset, if version $first comes first', async ({ of, first }) => {
  const versions = [1, 2].map((version) => ({ version, folder: `versions/${version}` }))
  const space = await writeSpace({
    'brand/kit.json': { ...kit, use_version: 1, versions },
    ...[1, 2].reduce(
      (all, version) => ({ ...all, ...drawing(`brand/versions/${version}`, 'logo', mark, version) }),
      {},
    ),
  })
  onTestFinished(() => space.remove())
  const service = await serveSpace(space.folder)
  onTestFinished(() => service.close())
  const work = await project(
    {
      'content-space.config.json': JSON.stringify({ kits: { brand: brand.uuid }, types: false }),
      'src/a.js': use(first) + use(3 - first),
    },
    of === 'a folder' ? { CONTENT_SPACE_URL: space.folder } : service.env,
  )
  onTestFinished(() => work.remove())
  const locked = () => readFile(join(work.root, 'content-space.lock.json'), 'utf8')

  expect(await work.run('sync')).toMatchObject({ code: 0, stderr: '' })
  const written = await locked()
  const line = (version: number) => ({
    name: 'logo',
    slug: 'logo',
    record: { file_hash: hash(version, 'md5', 'hex') },
    files: files(version),
  })
  expect(JSON.parse(written).kits[brand.uuid].versions).toMatchObject({
    1: { assets: { [String(mark)]: line(1) } },
    2: { assets: { [String(mark)]: line(2) } },
  })
  expect(await work.run('verify')).toMatchObject({ code: 0, stderr: '' })
  for (const frozen of [[], ['--frozen']])
    for (const cache of ['.cache', '.other-cache'])
      for (const version of [1, 2]) {
        const flags = ['--out', `pulled/${version}`, '--cache-dir', cache, ...frozen]
        expect(await work.run('pull', `brand@${version}`, ...flags)).toMatchObject({ code: 0, stderr: '' })
        const pulled = join(work.root, `pulled/${version}/logos/logo.svg`)
        expect(await readFile(pulled, 'utf8')).toBe(svg(`logo ${version}`))
        await rm(join(work.root, 'pulled'), { recursive: true })
      }
  // An update accepts files that were replaced under the same `file_hash`.
  const withPulled = await locked()
  const [one, other] = [files(1).original, files(3).original]
  await work.write({ 'content-space.lock.json': withPulled.replace(one, other) })
  expect(await work.run('verify')).toMatchObject({ code: 1, stderr: expect.stringContaining('has changed') })
  expect(await work.run('update')).toMatchObject({ code: 0 })
  expect(await locked()).toBe(withPulled)

  // Another file in a locked version is an error, even if the service lists its hash.
  await space.write(drawing('brand/versions/1', 'logo', mark, 3))
  const flags = ['--out', 'pulled', '--cache-dir', '.third-cache']
  expect(await work.run('pull', 'brand@1', ...flags)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('but the lockfile has'),
  })
})

/** Opens a project, and a service with two versions that have different files for one drawing. */
async function twoVersions(source: string) {
  const listed = [1, 2].map((version) => ({ version, folder: `versions/${version}` }))
  const space = await writeSpace({
    'brand/kit.json': { ...kit, use_version: 1, versions: listed },
    ...drawing('brand/versions/1', 'logo', mark, 1),
    ...drawing('brand/versions/2', 'logo', mark, 2),
  })
  onTestFinished(() => space.remove())
  const config = JSON.stringify({ kits: { brand: brand.uuid }, types: false })
  const service = await serveSpace(space.folder)
  onTestFinished(() => service.close())
  const work = await project({ 'content-space.config.json': config, 'src/a.js': source }, service.env)
  onTestFinished(() => work.remove())
  return { space, work }
}

test('a version that is listed with other content keeps its own file', async () => {
  const { space, work } = await twoVersions(use(1) + use(2))
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  await space.write({ 'brand/versions/1/Logos/logo.json': { uuid: mark, notes: 'new' } })
  for (const cache of ['.cache', '.other-cache']) {
    const flags = ['--out', cache.slice(1), '--cache-dir', cache]
    expect(await work.run('pull', 'brand@1', ...flags)).toMatchObject({ code: 0 })
    expect(await readFile(join(work.root, cache.slice(1), 'logos/logo.svg'), 'utf8')).toBe(svg('logo 1'))
  }
  const lock = JSON.parse(await readFile(join(work.root, 'content-space.lock.json'), 'utf8'))
  const { versions } = lock.kits[brand.uuid]
  for (const version of [1, 2])
    expect(versions[version].assets[String(mark)]).toMatchObject({
      record: { notes: '', file_hash: hash(version, 'md5', 'hex') },
      files: files(version),
    })
})

test('a mirror has the larger cuts of each version that the lockfile has', async () => {
  const { work } = await twoVersions([1, 2].map((one) => use(one).replace('?raw', `?cut=png&w=${one * 30}`)).join(''))
  expect(await work.run('sync')).toMatchObject({ code: 0 })
  expect(await work.run('mirror', 'brand', '--out', 'mirror')).toMatchObject({ code: 0 })
  const cuts = async (version: number) =>
    (await readdir(join(work.root, `mirror/brand/versions/${version}/01 logos`))).filter((file) => file.includes('png'))
  expect([await cuts(1), await cuts(2)]).toEqual([['logo@cut-30x30.png'], ['logo@cut-60x60.png']])
})
