import diagnostics from 'node:diagnostics_channel'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serveSpace, svg, writeSpace, type Files, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { build, createProject, type Driver, type Project } from './driver.js'
import { esbuildDriver } from './drivers/esbuild.js'
import { farmDriver } from './drivers/farm.js'
import { rolldownDriver } from './drivers/rolldown.js'
import { rollupDriver } from './drivers/rollup.js'
import { rspackDriver } from './drivers/rspack.js'
import { viteDriver } from './drivers/vite.js'
import { webpackDriver } from './drivers/webpack.js'

const kit = '3BD9A8C0-1111-4222-8333-444455556666'
const uuid = (number: number): string => `237C41F2-AAAA-4BBB-8CCC-${String(number).padStart(12, '0')}`
const main = `import { acmeLogo } from 'content-space:kit/brand@draft'
import hero from 'content-space:asset/brand@draft/hero-photo'
console.log(JSON.stringify([acmeLogo, hero]))\n`

let space: SpaceFolder
let service: ServedSpace
let project: Project
let edits = 0

beforeEach(async () => {
  space = await writeSpace({ 'space.json': { space_id: 7 }, ...draft({ 1: 'Acme Logo', 2: 'Hero Photo', 3: 'Spare' }) })
  service = await serveSpace(space.folder)
  project = await createProject({ 'main.js': main })
  process.chdir(project.root)
})
afterEach(async () => {
  await service.close()
  await Promise.all([space.remove(), project.remove()])
})

/** The draft of the kit, with assets in this order, as an author leaves it: its date moves. */
function draft(names: Record<number, string>, order = Object.keys(names)): Files {
  const date_updated = new Date(Date.UTC(2026, 0, 1, 0, 0, ++edits)).toISOString().replace('T', ' ').replace('Z', '000+0000')
  const files = Object.entries(names).flatMap(([number, name]): [string, string | object][] => [
    [`brand/Logos/${number}.svg`, svg(number)],
    [`brand/Logos/${number}.json`, { uuid: uuid(Number(number)), name }],
  ])
  const section = { uuid: uuid(90), items: order.map((number) => `${number}.svg`) }
  return { 'brand/kit.json': { uuid: kit, name: 'Brand', date_updated }, 'brand/Logos/section.json': section, ...Object.fromEntries(files) }
}

// Rollup-likes have no root but the working directory.
const home = process.cwd()
afterEach(() => process.chdir(home))

const options = () => ({ ...service.options, cacheDir: join(project.root, '.cache'), types: 'content-space.d.ts' })
const written = () => Promise.all(['content-space.lock.json', 'content-space.d.ts'].map((file) => readFile(join(project.root, file), 'utf8')))
const builtWith = async (driver: Driver): Promise<unknown> => (await build(driver, project, options())).run()

describe('after a change upstream, imports mean the same assets', () => {
  test.each([
    ['a rename', draft({ 1: 'Corp Logo', 2: 'Big Photo', 3: 'Spare' })],
    ['a namesake', draft({ 1: 'Acme Logo', 2: 'Hero Photo', 3: 'Acme Logo', 4: 'hero photo' })],
    ['names that change places', draft({ 1: 'Hero Photo', 2: 'Acme Logo', 3: 'Spare' })],
    ['another order', draft({ 1: 'Acme Logo', 2: 'Hero Photo', 3: 'Spare' }, ['3', '2', '1'])],
  ])('%s', async (_, change) => {
    const same = [uuid(1), uuid(2)].map((asset) => expect.objectContaining({ uuid: asset }))
    expect(await builtWith(rolldownDriver)).toEqual(same)
    await space.write(change)
    expect(await builtWith(rolldownDriver)).toEqual(same)
    expect(await builtWith(rolldownDriver)).toEqual(same)
  })

  test('but of a removed one the import fails, and tells where it was', async () => {
    await builtWith(rolldownDriver)
    const lock = await written()
    await space.write({ ...draft({ 2: 'Hero Photo' }), 'brand/Logos/1.json': { uuid: uuid(8), name: 'Another' } })
    await expect(builtWith(rolldownDriver)).rejects.toThrow(/acmeLogo is no longer in kit Brand.*it was last there in version 0/s)
    expect(await written()).toEqual(lock)
  })
})

test('the lock and the declarations are the same from every bundler', async () => {
  await builtWith(rolldownDriver)
  const expected = await written()
  for (const driver of [rollupDriver, viteDriver, webpackDriver, rspackDriver, esbuildDriver, farmDriver]) {
    const other = await createProject({ 'main.js': main })
    process.chdir(other.root)
    const own = { ...service.options, cacheDir: join(other.root, '.cache'), types: 'content-space.d.ts' }
    await build(driver, other, own)
    const files = ['content-space.lock.json', 'content-space.d.ts'].map((file) => readFile(join(other.root, file), 'utf8'))
    expect(await Promise.all(files), driver.name).toEqual(expected)
    await other.remove()
  }
})

test('a warm build of a locked snapshot opens no socket', async () => {
  const { 'brand/kit.json': json, ...files } = draft({ 1: 'Acme Logo', 2: 'Hero Photo' })
  const moved = Object.entries(files).map(([path, file]) => [path.replace('brand/', 'brand/versions/1/'), file])
  await space.write({ 'brand/kit.json': { ...Object(json), use_version: 1, versions: [{ version: 1, version_identifier: '1.0', folder: 'versions/1' }] } })
  await space.write(Object.fromEntries(moved))
  await project.remove()
  project = await createProject({ 'main.js': main.replaceAll('@draft', '') })
  process.chdir(project.root)
  const cold = await build(rolldownDriver, project, options())
  await service.close()
  const sockets: unknown[] = []
  const opened = (socket: unknown) => void sockets.push(socket)
  diagnostics.subscribe('net.client.socket', opened)
  const warm = await build(rolldownDriver, project, options())
  diagnostics.unsubscribe('net.client.socket', opened)
  expect(sockets).toEqual([])
  expect(warm.files).toEqual(cold.files)
})
