import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { Options } from '../../src/config/options.js'
import { assetItem, contentService, kitUuid, upload, type Upload } from '../support/content-service.js'
import { faultServer, refusal, type FaultServer } from '../support/fault-server.js'
import { createImporter } from '../../src/importer.js'
import { build, createProject, type Output, type Project } from './driver.js'
import { rolldownDriver } from './drivers/rolldown.js'

/* A service may list an asset of a published version while it is still processing the file. */

const drawing = (text: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><title>${text}</title></svg>`)

const film = (text: string, state: string, cut = ''): Upload =>
  upload(2, 'Film', 'SVG', drawing(text), { meta: { asset_processing: state } }, { pdf: Buffer.from(cut) })

const pdf = (text: string): string => `%PDF-1.4\n% ${text}\n%%EOF\n`

let server: FaultServer
let project: Project
let content: { uploads: Upload[]; items?: unknown[] }
/** Whether the service rejects all requests except those for files. */
let isAway: boolean

beforeEach(async () => {
  isAway = false
  content = { uploads: [upload(1, 'Mark'), film('provisional', 'processing', pdf('provisional'))] }
  server = await faultServer(
    contentService(
      () => content,
      ({ path, response }) => {
        if (isAway && !path.endsWith('/download')) refusal(response, 404, 404)
        return isAway && !path.endsWith('/download')
      },
    ),
  )
  project = await createProject({ 'main.js': using('film, mark') })
  return async () => {
    await server.close()
    await project.remove()
  }
})

/** Returns a script that prints exports of the kit. */
const using = (names: string): string =>
  `import { ${names} } from 'content-space:kit/brand'\nconsole.log(JSON.stringify([${names}]))\n`

async function built(more: Options = {}): Promise<Output & { listings: number }> {
  await rm(join(project.root, 'dist'), { recursive: true, force: true })
  const before = server.requests.length
  const output = await build(rolldownDriver, project, {
    space: server.url,
    spaceId: 7,
    token: 'secret',
    kits: { brand: kitUuid },
    cacheDir: join(project.root, 'cache'),
    ...more,
  })
  const asked = server.requests.slice(before).map(({ url }) => url)
  return { ...output, listings: asked.filter((url) => !url.includes('/download')).length }
}

const cold = (): Options => ({ cacheDir: join(project.root, `cache-${server.requests.length}`) })
const contents = ({ files }: Output): string => [...files.values()].join('\n')
const lock = () => readFile(join(project.root, 'content-space.lock.json'), 'utf8')

test('a build keeps requesting an asset that is being processed, but no other, until it is final', async () => {
  const first = await built()
  expect(contents(first)).toContain('provisional')
  const unfinished = await lock()
  expect(unfinished.split('\n').filter((line) => line.includes('"processing"'))).toEqual([
    expect.stringContaining('"name":"film"'),
  ])
  const again = await built()
  expect(again.files).toEqual(first.files)
  expect(again.listings).toBeGreaterThan(0)
  expect(again.log).toMatch(/still processing.*Film/)
  expect(await lock()).toBe(unfinished)

  await project.write({ 'main.js': using('mark') })
  expect((await built()).listings).toBe(0)
  expect(await lock()).toBe(unfinished)

  await project.write({ 'main.js': using('film, mark') })
  content.uploads = [upload(1, 'Mark'), film('final', 'complete')]
  const last = await built()
  expect(contents(last)).toContain('final')
  expect(last.log).not.toContain('process')
  expect(await lock()).not.toContain('processing')
  expect(await built()).toMatchObject({ files: last.files, listings: 0 })
})

test.each([
  ['mark', 'film'],
  ['film', 'mark'],
])('imports of final and other assets share a lockfile: %s, %s', async (...names) => {
  const imports = names.map((name) => `import ${name} from 'content-space:asset/brand/${name}'\n`)
  await project.write({ 'main.js': `${imports.join('')}console.log(film, mark)\n` })
  // As with generated code, only the build finds the imports.
  const scan = ['src/**']
  await built({ scan })
  content.uploads = [upload(1, 'Mark'), upload(3, 'Other'), film('final', 'complete')]
  await project.write({
    'main.js': `${imports.join('')}import other from 'content-space:asset/brand/other'\nconsole.log(film, mark, other)\n`,
  })
  expect(contents(await built({ scan }))).toContain('final')
  expect(await lock()).not.toContain('processing')
  expect((await built({ scan })).listings).toBe(0)
})

test('pull and sync take what has become final', async () => {
  const importer = () =>
    createImporter(
      {
        space: server.url,
        spaceId: 7,
        token: 'secret',
        kits: { brand: kitUuid },
        cacheDir: join(project.root, 'cache'),
      },
      { root: project.root },
    )
  async function run(): Promise<string> {
    const opened = await importer()
    await opened.pull({ kits: ['brand'], out: join(project.root, 'pulled') })
    await opened.sync()
    await opened.close()
    return readFile(join(project.root, 'pulled/logos/film.svg'), 'utf8')
  }
  expect(await run()).toContain('provisional')
  expect(await lock()).toContain('"processing"')
  content.uploads = [upload(1, 'Mark'), film('final', 'complete')]
  expect(await run()).toContain('final')
  expect(await lock()).not.toContain('"processing"')
  const asked = server.requests.length
  expect(await run()).toContain('final')
  expect(server.requests.length).toBe(asked)
})

test('a cut of an asset in processing is made again when it is final, though the original is the same', async () => {
  await project.write({
    'main.js': `import film from 'content-space:asset/brand/film?cut=pdf'\nconsole.log(film.src)\n`,
  })
  expect(contents(await built())).toContain('% provisional')
  content.uploads = [film('provisional', 'complete', pdf('final'))]
  const last = await built()
  expect(contents(last)).toContain('% final')
  expect(last.log).not.toContain('has changed')
})

test('a frozen build uses what was locked, warns, and mentions sync if the service has another file', async () => {
  const first = await built()
  content.uploads = [upload(1, 'Mark'), film('provisional', 'complete')]
  for (const options of [{}, cold()]) {
    const frozen = await built({ frozen: true, ...options })
    expect(frozen).toMatchObject({ files: first.files, listings: 0 })
    expect(frozen.log).toMatch(/Film .*still processing.*content-space sync/)
  }
  content.uploads = [upload(1, 'Mark'), film('final', 'complete')]
  expect((await built({ frozen: true })).files).toEqual(first.files)
  await expect(built({ frozen: true, ...cold() })).rejects.toThrow(/Film[^]*still processing[^]*content-space sync/)
  expect(contents(await built())).toContain('final')
})

test('without the service, what was locked is used', async () => {
  const first = await built()
  isAway = true
  const offline = await built({ offline: true })
  expect(offline).toMatchObject({ files: first.files, listings: 0 })
  await server.close()
  const away = await built()
  expect(away.files).toEqual(first.files)
  expect(away.log).toMatch(/Film .*still processing/)
})

const gallery = (state: string): object => ({
  ...assetItem(9, undefined),
  type: 'gallery',
  data: { name: state === 'complete' ? 'Campaign' : 'New gallery', item_processing: state },
})

test('items that the service is still filling are read again', async () => {
  await project.write({
    'main.js': `import kit from 'content-space:kit/brand'\nconsole.log(JSON.stringify(kit.sections))\n`,
  })
  content = { uploads: [], items: [assetItem(1, upload(1, 'Mark').record), gallery('pending')] }
  content.uploads = [upload(1, 'Mark')]
  const first = await built()
  expect(contents(first)).toContain('New gallery')
  expect(contents(first)).not.toContain('processing')
  const frozen = await built({ frozen: true })
  expect(frozen).toMatchObject({ files: first.files, listings: 0 })
  expect(frozen.log).toMatch(/New gallery .*still processing.*content-space sync/)
  content.items = [assetItem(1, upload(1, 'Mark').record), gallery('complete')]
  expect(contents(await built())).toContain('Campaign')
  expect((await built()).listings).toBe(0)
})
