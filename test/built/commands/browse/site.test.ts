import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import glob from 'fast-glob'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { KitData, Project } from '../../../../src/commands/shared/kit-page/data.js'
import { project, type Project as TestProject } from '../../../support/cli.js'
import { brand, richSpace, serveSpace, type ServedSpace, type SpaceFolder } from '../../../support/space.js'

let folder: SpaceFolder
let service: ServedSpace
let work: TestProject

beforeAll(async () => {
  folder = await richSpace()
  service = await serveSpace(folder.folder)
  const { space, spaceId, token } = service.options
  work = await project(
    {
      'package.json': '{"dependencies":{"react":"19"}}',
      'content-space.config.json': JSON.stringify({ kits: { brand: brand.uuid } }),
      'secret-file-of-the-project.ts': `import { acmeLogo } from 'content-space:kit/brand'\nconsole.log(acmeLogo)\n`,
    },
    { CONTENT_SPACE_URL: space, CONTENT_SPACE_ID: String(spaceId), CONTENT_SPACE_TOKEN: token },
  )
})
afterAll(async () => {
  await work.remove()
  await service.close()
  await folder.remove()
})

async function files(site = 'site'): Promise<Map<string, Buffer>> {
  const paths = await glob('**', { cwd: join(work.root, site), dot: true })
  return new Map(
    await Promise.all(
      paths.toSorted().map(async (path) => [path, await readFile(join(work.root, site, path))] as const),
    ),
  )
}

// The types are asserted, because the tests check the properties that they read.
const readKit = (all: Map<string, Buffer>, version: number): KitData =>
  JSON.parse(all.get(`data/kits/${brand.uuid}/${version}.json`)?.toString() ?? '')
const readProject = (all: Map<string, Buffer>): Project => JSON.parse(all.get('data/project.json')?.toString() ?? '')

test('a site has the version in use of a kit, and the draft if it is asked for', async () => {
  const { code, stdout } = await work.run('browse', 'brand@draft', '--out', 'site')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^wrote site: 1 kit, \d+ assets, \d+ files/)])
  const all = await files()
  const site = readProject(all)
  expect(site).toMatchObject({ mode: 'static', name: 'Acme Brand', canOpen: false })
  expect(site.kits.map(({ reference, versions }) => [reference, versions.map(({ version }) => version)])).toEqual([
    ['brand', [1, 0]],
  ])
  expect(all.has(site.kits[0]?.cover ?? '')).toBe(true)
  for (const version of [0, 1]) {
    const kit = readKit(all, version)
    for (const { preview, original } of Object.values(kit.assets)) {
      if (preview !== undefined) expect(all.has(preview), preview).toBe(true)
      if (original !== undefined) expect(all.has(original), original).toBe(true)
    }
    expect(Object.values(kit.assets).filter(({ preview }) => preview !== undefined).length).toBeGreaterThan(0)
  }
  for (const name of ['index.html', 'app.js', 'app.css']) expect(all.get(name)?.length, name).toBeGreaterThan(0)
  expect(all.get('index.html')?.toString()).toContain('http-equiv="Content-Security-Policy"')
  expect(all.get('index.html')?.toString()).not.toMatch(/(?:src|href)="\//)
  expect(service.downloads()).toEqual([])
})

test('no byte of a site has a path, a use, a permalink or the address of the service', async () => {
  const { host } = new URL(service.options.space)
  const secrets = [host, service.options.token, work.root, folder.folder, 'secret-file-of-the-project', 'signature=']
  for (const [path, bytes] of await files()) {
    for (const secret of secrets) expect(bytes.includes(secret), `${secret} in ${path}`).toBe(false)
    if (path.startsWith('data/')) expect(bytes.toString(), path).not.toMatch(/permalink|"places"|https?:\/\//)
  }
})

test("a second run doesn't request pictures, and writes the same bytes", async () => {
  const before = await files()
  service.requests.length = 0
  const { code, stdout } = await work.run('browse', 'brand@draft', '--out', 'site')
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^site is up to date: /)])
  expect(await files()).toEqual(before)
  expect(service.requests.filter(({ path }) => !path.startsWith('/1/'))).toEqual([])
  const other = await work.run('browse', 'brand@draft', '--out', 'other', '--json')
  expect(JSON.parse(other.stdout)).toMatchObject({ changed: true, missing: [] })
  expect(await files('other')).toEqual(before)
})

test('several kits are one site, and all kits without an argument', async () => {
  await work.run('browse', 'brand', 'icons', '--out', 'two')
  const two = readProject(await files('two'))
  expect(two.kits.map(({ name }) => name)).toEqual(['Acme Brand', 'icons'])
  await work.run('browse', '--out', 'all')
  expect(readProject(await files('all')).kits).toEqual(two.kits)
})

test('a folder with other files remains unchanged', async () => {
  await work.write({ 'mine/notes.txt': 'mine' })
  const { code, stderr } = await work.run('browse', '--out', 'mine')
  expect([code, stderr]).toEqual([1, expect.stringContaining('is not empty and is not a site of the kit browser')])
  expect([...(await files('mine')).keys()]).toEqual(['notes.txt'])
  await writeFile(join(work.root, 'two', 'added.txt'), '')
  const second = await work.run('browse', '--out', 'two')
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('added.txt')])
  await rm(join(work.root, 'two', 'added.txt'))
})

test.each([
  [['--out', 'x', '--port', '0'], 2, '--out writes files'],
  [['brand', 'icons'], 2, 'Several kits can only be given with --out.'],
  [['--out', ''], 2, '--out must be the path of a folder'],
  [['nothing', '--out', 'x'], 1, 'nothing'],
])('browse %j is rejected', async (args, status, message) => {
  const { code, stderr } = await work.run('browse', ...args)
  expect([code, stderr]).toEqual([status, expect.stringContaining(message)])
})
