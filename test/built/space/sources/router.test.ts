import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createImporter } from '../../../../src/importer.js'
import type { Options } from '../../../../src/config/options.js'
import { openEngine } from '../../../../src/engine/engine.js'
import { followContent } from '../../../../src/engine/follow-content.js'
import { defineSource } from '../../../../src/space/sources/source.js'
import { svg } from '../../../support/space.js'
import { twoServices, uuids } from '../../../support/several-spaces.js'

let root: string
let services: Awaited<ReturnType<typeof twoServices>>

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-space-sources-'))
  services = await twoServices()
})
afterEach(async () => {
  await services.close()
  await rm(root, { recursive: true, force: true })
})

const host = () => ({ root, mode: 'production', env: {} })
const lockText = () => readFile(join(root, 'content-space.lock.json'), 'utf8')

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

async function importing<T>(
  more: Options,
  work: (importer: Awaited<ReturnType<typeof createImporter>>) => Promise<T>,
  base: Options = services.options,
) {
  const importer = await createImporter({ ...base, cacheDir: join(root, 'cache'), ...more }, host())
  try {
    return await work(importer)
  } finally {
    await importer.close()
  }
}

/** Returns the text of an import's original, read through an engine's files. */
async function textOf(specifier: string, more: Options = {}, base: Options = services.options): Promise<string> {
  const options = { ...base, cacheDir: join(root, 'cache'), ...more }
  const engine = await openEngine(options, host())
  try {
    const plan = await engine.modules.address(parsed(engine.parse(specifier)))
    if (plan?.src === undefined) throw new Error(`${specifier} has no file`)
    return Buffer.from(await engine.files.bytes(plan.src)).toString()
  } finally {
    await engine.close()
  }
}

function parsed(request: ReturnType<Awaited<ReturnType<typeof openEngine>>['parse']>) {
  if (request.kind !== 'asset') throw new Error('not an asset')
  return request
}

describe('two services in one project', () => {
  test("each answer for their own kits, and don't receive anything about the other", async () => {
    await write({
      'src/main.js': "import 'content-space:kit/brand'; import { portrait } from 'content-space:kit/press'",
    })
    const { refusals } = await importing({}, (importer) => importer.sync())
    expect(refusals).toEqual([])
    expect(await textOf('content-space:asset/brand/logo')).toContain('logo of the main space')
    expect(await textOf('content-space:asset/press/logo')).toContain('logo of the press')
    expect(services.leaks()).toEqual([])
    expect(services.main.received()).toContain(Buffer.from(`7:${services.main.token}`).toString('base64'))
    expect(services.press.received()).toContain(Buffer.from(`8:${services.press.token}`).toString('base64'))
  })

  test('are in one lockfile, which has the id of the other space in its kit', async () => {
    await write({
      'src/main.js': "import 'content-space:kit/brand'; import { portrait } from 'content-space:kit/press'",
    })
    await importing({}, (importer) => importer.sync())
    const lock = JSON.parse(await lockText())
    expect(lock.space).toBe('7')
    expect(lock.kits[uuids.brand]).not.toHaveProperty('space')
    expect(lock.kits[uuids.brand].slug).toBe('brand')
    expect(lock.kits[uuids.press]).toMatchObject({ space: '8', use: 1 })
    expect(await lockText()).not.toMatch(/127\.0\.0\.1|canary/)
    expect(await importing({ frozen: true }, (importer) => importer.verify())).toEqual([])
  })

  test('keep that rule in every command', async () => {
    await write({
      'src/main.js':
        "import { logo } from 'content-space:kit/brand'; import { portrait } from 'content-space:kit/press'",
      'public/copy.svg': svg('portrait of the press'),
    })
    const more = { tokens: [{ kit: 'press', file: 'src/press.css' }] }
    await importing(more, async (importer) => {
      await importer.sync()
      expect((await importer.kits()).map(({ uuid }) => uuid)).toEqual([uuids.brand, uuids.press])
      expect((await importer.kit('press')).counts.assets).toBe(2)
      expect((await importer.versions('press')).map(({ version }) => version)).toEqual([0, 1])
      const pulled = await importer.pull({ kits: ['brand', 'press'], out: 'pulled' })
      expect(pulled.kits).toHaveLength(2)
      const mirrored = await importer.mirror({ kits: ['brand', 'press'], out: 'mirrored' })
      expect(mirrored.missing).toEqual([])
      expect((await importer.audit()).findings).toMatchObject([{ file: 'public/copy.svg', kit: 'press' }])
      expect(await importer.diff({ kit: 'press', from: 0 })).toMatchObject({ removed: [] })
      expect(await importer.refresh()).toBe(false)
    })
    const files = await Promise.all(
      ['pulled', 'mirrored'].map((folder) => readdir(join(root, folder), { recursive: true })),
    )
    const texts = await Promise.all(
      files.flatMap((paths, at) =>
        paths
          .filter((path) => /(?:logo|portrait)\.svg$/.test(path))
          .map((path) => readFile(join(root, at === 0 ? 'pulled' : 'mirrored', path), 'utf8')),
      ),
    )
    expect(texts.filter((text) => text.includes('of the press')).length).toBeGreaterThanOrEqual(4)
    expect(texts.filter((text) => text.includes('of the main space')).length).toBeGreaterThanOrEqual(2)
    expect(services.leaks()).toEqual([])
  })

  test('have separate rates', async () => {
    await write({ 'src/main.js': "import a from 'content-space:kit/brand'; import b from 'content-space:kit/press'" })
    const waits: unknown[] = []
    const more: Options = {
      rateLimit: { requests: 2, seconds: 600 },
      onProgress: (event) => event.type === 'wait' && waits.push(event),
    }
    await importing(more, (importer) => importer.sync())
    expect([services.main.downloads(), services.press.downloads(), waits]).toEqual([2, 2, []])
  })

  test('are read from the lockfile and the cache while both are unreachable', async () => {
    await write({
      'src/main.js': "import 'content-space:kit/brand'; import { portrait } from 'content-space:kit/press'",
    })
    await importing({}, (importer) => importer.sync())
    const before = services.main.received() + services.press.received()
    expect(await textOf('content-space:asset/press/portrait', { offline: true })).toContain('of the press')
    expect(await textOf('content-space:asset/press/portrait', { frozen: true })).toContain('of the press')
    expect(services.main.received() + services.press.received()).toBe(before)
  })

  test('name the variables of a source whose token is wrong', async () => {
    const source = { space: services.press.url, spaceId: 8, token: 'another-token' }
    const kits = { press: { kit: uuids.press, source } }
    await expect(importing({ kits }, (importer) => importer.kit('press'))).rejects.toMatchObject({
      code: 'unauthorized',
      hint: expect.stringContaining('(CONTENT_SPACE_PRESS_ID, CONTENT_SPACE_PRESS_TOKEN)'),
    })
  })

  test('refuse a lockfile that has the kit of another space', async () => {
    await write({ 'src/main.js': "import { portrait } from 'content-space:kit/press'" })
    await importing({}, (importer) => importer.sync())
    const kits = { press: { kit: uuids.press, source: { space: services.press.url, spaceId: 9, token: 'another' } } }
    await expect(importing({ kits }, (importer) => importer.verify())).rejects.toMatchObject({
      code: 'invalidLock',
      message: expect.stringContaining('has kit brand from 8, but its source in option kits is 9'),
    })
  })
})

describe('a folder as a kit', () => {
  const icons: Options = { kits: { icons: { source: './src/icons', names: { 'arrow-left': 'back' } } } }
  const own = async <T>(
    more: Options,
    work: (importer: Awaited<ReturnType<typeof createImporter>>) => Promise<T>,
  ): Promise<T> => importing(more, work, icons)

  test('needs neither a space nor a JSON file, and may have other files', async () => {
    await write({
      'src/icons/arrow-left.svg': svg('left'),
      'src/icons/Files/save.svg': svg('save'),
      'src/icons/Files/save.json': JSON.stringify({ notes: 'Saves the file' }),
      'src/icons/index.ts': 'export {}',
      'src/icons/README.md': '# Icons',
      'src/main.js': "import { back, save } from 'content-space:kit/icons'",
    })
    await own({}, async (importer) => {
      expect((await importer.sync()).refusals).toEqual([])
      const { name, sections } = await importer.kit('icons')
      expect([name, ...sections.map((section) => section.name)]).toEqual(['icons', 'icons', 'Files'])
      expect(await importer.verify()).toEqual([])
    })
    expect(await readFile(join(root, 'src/content-space.d.ts'), 'utf8')).toContain('Saves the file')
    expect(await textOf('content-space:asset/icons/save', {}, icons)).toContain('<title>save</title>')
    const { space, kits } = JSON.parse(await lockText())
    expect([space, Object.keys(kits).length]).toEqual([undefined, 1])
    expect(await own({ frozen: true }, (importer) => importer.verify())).toEqual([])
  })

  test('follows its files', async () => {
    await write({ 'src/icons/a.svg': svg('a'), 'src/main.js': "import { a } from 'content-space:kit/icons'" })
    const kits = { icons: { source: './src/icons' } }
    await own({ kits }, async (importer) => {
      expect((await importer.kit('icons')).counts.assets).toBe(1)
      await write({ 'src/icons/b.svg': svg('b') })
      expect(await importer.refresh()).toBe(true)
      expect((await importer.kit('icons')).counts.assets).toBe(2)
    })
  })

  test('is watched, and an object reports its own changes', async () => {
    await write({ 'src/icons/a.svg': svg('a') })
    const told: (() => void)[] = []
    const source = defineSource({
      name: 'telling',
      list: async () => ({ name: 'Telling', assets: [] }),
      read: async () => new Uint8Array(),
      watch(changed) {
        told.push(changed)
        return () => void told.pop()
      },
    })
    const kits = { icons: { source: './src/icons' }, telling: { source } }
    const engine = await openEngine({ kits, cacheDir: join(root, 'cache'), lockfile: false }, host())
    let checks = 0
    const check = async () => {
      checks++
      return (await engine.catalog.refresh()).changed
    }
    const { stop } = await followContent(engine.options, () => true, check, engine.space)
    await vi.waitFor(() => expect(checks).toBeGreaterThan(0))
    const before = checks
    await write({ 'src/icons/b.svg': svg('b') })
    await vi.waitFor(() => expect(checks).toBeGreaterThan(before))
    const now = checks
    expect(told).toHaveLength(1)
    told[0]?.()
    expect(checks).toBe(now + 1)
    await stop()
    expect(told).toEqual([])
    await engine.close()
  })

  test('stands beside two services, in one lockfile', async () => {
    await write({
      'src/icons/logo.svg': svg('logo of the folder'),
      'src/main.js':
        "import { logo } from 'content-space:kit/brand'\nimport { logo as b } from 'content-space:kit/press'\n" +
        "import { logo as c } from 'content-space:kit/icons'",
    })
    const kits = { ...services.options.kits, icons: { source: './src/icons' } }
    const { refusals } = await importing({ kits }, (importer) => importer.sync())
    expect(refusals).toEqual([])
    const texts = await Promise.all(
      ['brand', 'press', 'icons'].map((kit) => textOf(`content-space:asset/${kit}/logo`, { kits })),
    )
    expect(texts.map((text) => /logo of the (\w+)/.exec(text)?.[1])).toEqual(['main', 'press', 'folder'])
    expect(Object.values(JSON.parse(await lockText()).kits)).toHaveLength(3)
    expect(services.leaks()).toEqual([])
  })

  test("is an error that mentions the folder if it doesn't exist", async () => {
    await expect(own({}, (importer) => importer.kit('icons'))).rejects.toMatchObject({
      code: 'invalidSpace',
      message: expect.stringContaining('The source of a kit is a folder with its files'),
    })
  })
})
