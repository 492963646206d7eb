import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeFor } from '../support/long.js'
import { project, type Project } from '../support/cli.js'
import { commitAll } from '../support/git.js'
import { brand, svg, writeSpace, type SpaceFolder } from '../support/space.js'

const icon = '9AA35486-0B1E-4F6D-8A77-0123456789AB'
const color = '151364A9-0B1E-4F6D-8A77-0123456789AB'
let space: SpaceFolder
let work: Project

beforeAll(async () => {
  space = await writeSpace({
    'brand/kit.json': { uuid: brand.uuid, name: 'Brand' },
    'brand/01 Icons/sun.svg': svg('sun'),
    'brand/01 Icons/sun.json': { uuid: icon },
    'brand/02 Colors/sun-color.json': { uuid: color, name: 'Sun', type: 'COLOR', meta: { hex: '#FFCC00' } },
  })
  work = await project(
    { 'src/main.js': "import { sun_9AA35486 } from 'content-space:kit/brand'\n" },
    { CONTENT_SPACE_URL: space.folder },
  )
})
afterAll(async () => {
  await work.remove()
  await space.remove()
})

const configure = (names: Record<string, string> = {}) =>
  work.write({ 'content-space.config.json': JSON.stringify({ kits: { brand: { kit: brand.uuid, names } } }) })
const declarations = () => readFile(join(work.root, 'src/content-space.d.ts'), 'utf8')
const lock = async () =>
  JSON.parse(await readFile(join(work.root, 'content-space.lock.json'), 'utf8')).kits[brand.uuid].versions[0]

/** The steps form one test of one project, because they share its lockfile. */
test(
  'the warning about a collision has the lines that name its assets, and the lockfile keeps former names',
  async () => {
    await configure()
    const first = await work.run('sync')
    expect(first.code).toBe(0)
    const [, ...lines] = /option kits\.brand\.names:\n((?: {2}'.*\n){2})/.exec(first.stderr) ?? []
    expect(lines).toEqual([
      `  'sun-151364a9': 'sunColors', // Sun (COLOR)\n  'sun-9aa35486': 'sunIcons', // Sun (SVG)\n`,
    ])
    expect(await declarations()).toContain("names: { 'sun-9aa35486': 'sunIcons' } ![")
    expect((await work.run('ls', 'brand')).stdout).toMatch(
      /Sun +sun_9AA35486 +sun-9aa35486 +SVG +\d+ B {2}to name it: names: \{ 'sun-9aa35486': 'sunIcons' \}\n/,
    )

    expect((await work.run('ls', 'brand')).stdout).toMatch(/Sun +sun_151364A9 +sun-151364a9 +COLOR +#ffcc00/)

    // The printed lines, as a user copies them into an object literal.
    const copied = [...(lines[0] ?? '').matchAll(/'(.*)': '(.*)',/g)].map(([, key = '', name = '']) => [key, name])
    await configure(Object.fromEntries(copied))
    const frozen = await work.run('sync', '--frozen')
    expect(frozen.code).toBe(1)
    expect(frozen.stderr).toContain('asset sun_9AA35486 (sun-9aa35486) is now called sunIcons')
    const second = await work.run('sync')
    expect([second.code, second.stderr]).toEqual([0, ''])
    expect((await lock()).assets[icon]).toMatchObject({
      name: 'sunIcons',
      aliases: [{ name: 'sun_9AA35486', slug: 'sun-9aa35486' }],
    })
    const declared = await declarations()
    expect(declared).toMatch(/names: \{ 'sun-9aa35486': 'sunIcons' \} !\[.* \*\/\n {2}export const sunIcons: /)
    expect(declared).toContain(
      '/** @deprecated Renamed: import sunIcons. */ export const sun_9AA35486: typeof sunIcons',
    )
    expect((await work.run('ls', 'brand')).stdout).toMatch(
      / {2}sunIcons +sun-9aa35486 +SVG +\d+ B {2}named by names: \{ 'sun-9aa35486': 'sunIcons' \}\n/,
    )
    expect((await work.run('sync', '--frozen')).code).toBe(0)
    expect((await work.run('verify')).stdout).toContain('up to date')

    const pulled = await work.run('pull', 'brand', '--out', 'pulled')
    expect(pulled.code).toBe(0)
    const module: object = await import(join(work.root, 'pulled/index.js'))
    expect(Object.keys(module).toSorted()).toEqual(['default', 'sunColors', 'sunIcons', 'sun_9AA35486'])

    await work.run('update', 'brand', '--rename')
    expect((await lock()).assets[icon].aliases).toBeUndefined()
    expect(await declarations()).not.toContain('sun_9AA35486')
  },
  timeFor(2),
)

test('an unknown asset and a name of another asset are errors', async () => {
  await configure({ snu: 'sunIcon' })
  const unknown = await work.run('ls', 'brand')
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toMatch(/no asset snu in kit Brand, to which option kits\.brand\.names gives a name/)
  await configure({ [icon]: 'a', [color]: 'a' })
  expect((await work.run('ls', 'brand')).stderr).toContain('gives the name a to')
})

test('suggests names without the uuid part for assets with the same name, and reports an incomplete uuid', async () => {
  const ids = ['sunn', icon.slice(0, -1)].map((name) => `import 'content-space:asset/brand/${name}'\n`)
  const source = `${ids.join('')}import { snu } from 'content-space:kit/brand'\n`
  const other = await project({ 'src/main.js': source }, { CONTENT_SPACE_URL: space.folder })
  const { stderr } = await other.run('sync')
  expect(stderr).toContain('no asset sunn in kit Brand. Did you mean sun-151364a9 (')
  expect(stderr).toContain('does not export snu. Did you mean sun_151364A9, sun_9AA35486?')
  expect(stderr).toContain(`A uuid has 8-4-4-4-12 hexadecimal digits. Did you mean sun-9aa35486 (Sun, ${icon})`)
  await other.remove()
})

test('update --rename gives the former name of an asset to no other one, and rewrites its imports', async () => {
  const own = await writeSpace({
    'brand/kit.json': { uuid: brand.uuid, name: 'Brand' },
    'brand/01 Logos/a.svg': svg('a'),
    'brand/01 Logos/a.json': { uuid: icon, name: 'Acme Logo' },
  })
  const source = "import { acmeLogo } from 'content-space:kit/brand'\nimport 'content-space:asset/brand/acme-logo'\n"
  const files = { 'src/main.js': source }
  const renamed = await project(files, { CONTENT_SPACE_URL: own.folder })
  await renamed.run('sync')
  await own.write({
    'brand/01 Logos/a.json': { uuid: icon, name: 'Acme Mark' },
    'brand/01 Logos/b.svg': svg('b'),
    'brand/01 Logos/b.json': { uuid: color, name: 'Acme Logo' },
  })
  for (const _ of ['once', 'again'])
    expect((await renamed.run('update', '--rename')).stdout).toContain('2 lines of the source')
  commitAll(renamed.root)
  await renamed.write({ 'src/new.js': source })
  expect(await renamed.run('update', '--rename', '--write')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has uncommitted changes'),
  })
  expect(await renamed.run('update', '--rename', '--write', '--force')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('left: src/new.js, because Git does not track it\n'),
  })
  expect(await readFile(join(renamed.root, 'src/new.js'), 'utf8')).toBe(source)
  expect(await readFile(join(renamed.root, 'src/main.js'), 'utf8')).toBe(
    source.replace('acmeLogo', 'acmeMark').replace('acme-logo', 'acme-mark'),
  )
  await renamed.remove()
  await own.remove()
})

test('an asset that was uploaded again is suggested where the earlier one is imported', async () => {
  const own = await writeSpace({
    'brand/01 Logos/a.svg': svg('a'),
    'brand/01 Logos/a.json': { uuid: icon, name: 'Acme Logo' },
  })
  const ids = ['kit/brand', 'kit/brand?as=react', 'asset/brand/acme-logo'].map((id) => `'content-space:${id}'`)
  const source = `import { acmeLogo } from ${ids[0]}\nimport { AcmeLogo } from ${ids[1]}\nimport logo from ${ids[2]}\n`
  const again = await project({ 'src/main.js': source }, { CONTENT_SPACE_URL: own.folder })
  await again.run('sync')
  await own.write({ 'brand/01 Logos/a.json': { uuid: color, name: 'Acme Logo' } })
  await again.run('sync')
  const { stderr } = await again.run('sync')
  for (const name of ['acmeLogo_151364A9', 'AcmeLogo_151364A9', 'acme-logo-151364a9'])
    expect(stderr).toContain(`import ${name}, or run \`npx content-space update --rename\``)
  await again.run('update', '--rename')
  expect(await again.run('sync')).toMatchObject({ code: 0, stderr: '' })
  await again.remove()
  await own.remove()
})
