import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createImporter } from 'unplugin-content-space'
import { brand, richSpace, serveSpace, type ServedSpace, type SpaceFolder } from '../support/space.js'
import { build, createProject, readTree, type Driver, type Project } from './driver.js'
import { esbuildDriver } from './drivers/esbuild.js'
import { viteDriver } from './drivers/vite.js'

const draft = `import kits from 'content-space:kits'
import kit from 'content-space:kit/acme-brand@draft?metadata=full'
import { arrowLeft } from 'content-space:kit/icons'
import eps from 'content-space:asset/acme-brand@draft/acme-logo?cut=eps'
import hero from 'content-space:asset/acme-brand@draft/hero-photo?w=16;32&format=webp;jpg&placeholder=blur'
import outline from 'content-space:outline/acme-brand@draft'
console.log(JSON.stringify({ kits, kit, arrowLeft, eps, hero, outline }))\n`
const used = `import kit from 'content-space:kit/acme-brand'
import png from 'content-space:asset/acme-brand/acme-logo?cut=png'
console.log(JSON.stringify({ kit, png }))\n`

let space: SpaceFolder
let service: ServedSpace
let home: Project
/** The options for building from the service, and the options for building from the mirror. */
let sources: { space: string; spaceId?: number; token?: string }[]

beforeAll(async () => {
  space = await richSpace()
  service = await serveSpace(space.folder)
  home = await createProject({})
  await mirrored(service.options, 'space')
  sources = [service.options, { space: join(home.root, 'space') }]
})
afterAll(async () => {
  await service.close()
  await Promise.all([space.remove(), home.remove()])
})

async function mirrored(
  from: { space: string; spaceId?: number; token?: string },
  out: string,
  kits = ['acme-brand', 'icons'],
) {
  const importer = await createImporter(
    { ...from, cacheDir: join(home.root, `.cache-${out}`) },
    { root: home.root, env: {} },
  )
  try {
    return await importer.mirror({ kits, out })
  } finally {
    await importer.close()
  }
}

describe.each([viteDriver, esbuildDriver])('$name builds from a mirror', (driver: Driver) => {
  const cwd = process.cwd()
  afterEach(() => process.chdir(cwd))

  // The service has one file per asset for all versions, so a build can't mix two.
  test.each([
    ['the draft', draft, 0],
    ['the version in use', used, 1],
  ])('with the same output as from the service, for %s', async (_, main, version) => {
    const results: object[] = []
    for (const source of sources) {
      const project = await createProject({ 'main.js': main })
      process.chdir(project.root)
      const options = { ...source, cacheDir: join(project.root, '.cache'), types: 'content-space.d.ts' }
      const output = await build(driver, project, options)
      const [lock, types] = await Promise.all(
        ['content-space.lock.json', 'content-space.d.ts'].map((name) => readFile(join(project.root, name), 'utf8')),
      )
      results.push({ files: output.files, lock, types, ran: await output.run() })
      await project.remove()
    }
    expect(results[0]).toMatchObject({ ran: { kit: { version } } })
    expect(results[1]).toEqual(results[0])
  })
})

test('a mirror of a mirror has the same files, read from its folder and over HTTP', async () => {
  const [, folder] = sources
  await mirrored(folder ?? { space: '' }, 'again')
  const expected = await readTree(join(home.root, 'space'))
  expect(expected.size).toBeGreaterThan(20)
  expect(await readTree(join(home.root, 'again'))).toEqual(expected)
  const server = await serveSpace(join(home.root, 'space'))
  await mirrored(server.options, 'served')
  await server.close()
  expect(await readTree(join(home.root, 'served'))).toEqual(expected)
})

test('the lock and the declarations from the service pass a frozen run with the mirror', async () => {
  const project = await createProject({ 'main.js': used })
  const [before, now] = sources.map((source) => ({ ...source, cacheDir: join(project.root, '.cache') }))
  expect((await synced(project, before ?? {})).written).toHaveLength(2)
  expect(await synced(project, { ...now, frozen: true })).toMatchObject({ written: [], warnings: [], refusals: [] })
  await project.remove()
})

async function synced(project: Project, options: object) {
  const importer = await createImporter(options, { root: project.root, env: {} })
  try {
    return await importer.sync()
  } finally {
    await importer.close()
  }
}

const versions = async (...kits: string[]) =>
  (await mirrored(service.options, 'some', kits)).versions.map(({ version }) => version)

test('mirrors the requested version of a kit, its draft and the version in use', async () => {
  await space.write({
    'icons/kit.json': {
      use_version: 2,
      versions: [1, 2, 3].map((version) => ({ version, folder: `versions/${version}` })),
    },
  })
  for (const version of [1, 2, 3])
    await space.write({ [`icons/versions/${version}/A/a.svg`]: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
  expect(await versions('icons')).toEqual([0, 1, 2, 3])
  expect(await versions('icons@1')).toEqual([0, 1, 2])
  expect(await versions('icons@use')).toEqual([0, 2])
  await expect(versions('icons@9')).rejects.toMatchObject({
    code: 'versionNotFound',
    hint: 'Its versions are 0, 1, 2, 3.',
  })
  await expect(versions('acme-brnd')).rejects.toMatchObject({
    code: 'kitNotFound',
    hint: expect.stringContaining(brand.uuid),
  })
})
