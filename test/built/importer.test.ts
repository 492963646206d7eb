import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Options } from '../../src/config/options.js'
import { ContentSpaceError } from '../../src/errors.js'
import type { FileDescriptor } from '../../src/files/plan.js'
import { finish, parseImport, readFile as readContent, readValue } from '../../src/engine/build.js'
import { openEngine, type Engine } from '../../src/engine/engine.js'
import { createImporter, importerOf, type Importer } from '../../src/importer.js'
import type { References } from '../../src/modules/references.js'
import type { ProgressEvent } from '../../src/progress.js'
import { evaluate } from '../support/evaluate.js'
import { faultServer } from '../support/fault-server.js'

const kit = '3BD9A1C2-0B1E-4F6D-8A77-0123456789AB'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="24" height="16"><rect width="24" height="16"/></svg>'
const events: ProgressEvent[] = []
let root: string
let engine: Engine
let importer: Importer

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'content-space-importer-'))
  const photo = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#c33' } })
    .jpeg()
    .toBuffer()
  const files: Record<string, string | Uint8Array> = {
    'space.json': '{ "space_id": 7 }',
    'brand/kit.json': JSON.stringify({ uuid: kit, name: 'Brand' }),
    'brand/01 Logos/acme-logo.svg': svg,
    'brand/01 Logos/acme-logo.json': '{ "notes": "the <mark>", "keywords": "mark, acme" }',
    'brand/01 Logos/Photos/hero-photo.jpg': photo,
    'icons/Arrows/arrow-left.svg': svg,
  }
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, 'space', path)), { recursive: true })
    await writeFile(join(root, 'space', path), content)
  }
  const options = {
    space: 'space',
    cacheDir: 'cache',
    kits: { brand: kit, icons: 'icons' },
    onProgress: (event: ProgressEvent) => void events.push(event),
  }
  engine = await openEngine(options, { root, mode: 'test', env: {} })
  importer = importerOf(engine)
})
afterAll(async () => {
  await importer.close()
  await rm(root, { recursive: true, force: true })
})

async function load(specifier: string, layout: References['layout'] = 'barrel') {
  const files: FileDescriptor[] = []
  const references: References = {
    layout,
    address(file) {
      files.push(file)
      return { code: JSON.stringify(`/${file.name}.${file.ext}`) }
    },
    value: async (value) => ({ code: JSON.stringify(await readValue(engine, value)) }),
  }
  const module = await evaluate(parseImport(engine, specifier, 'src/main.ts'), (request) =>
    engine.errors.checked(() => engine.modules.source(request, references), { specifier, importer: 'src/main.ts' }),
  )
  return { module, files }
}

async function refusal(specifier: string): Promise<ContentSpaceError> {
  const error: unknown = await load(specifier).catch((reason: unknown) => reason)
  if (error instanceof ContentSpaceError) return error
  throw new Error('Expected a refusal')
}

describe('an importer on a folder', () => {
  test('makes the module of a kit', async () => {
    const { module } = await load('content-space:kit/brand')
    expect(Object.keys(module)).toEqual(['acmeLogo', 'default', 'heroPhoto'])
    expect(module['acmeLogo']).toMatchObject({
      name: 'Acme Logo',
      type: 'SVG',
      format: 'svg',
      src: '/acme-logo.svg',
      width: 24,
      height: 16,
      notes: 'the <mark>',
      keywords: ['mark', 'acme'],
    })
    expect(module['default']).toMatchObject({ uuid: kit, name: 'Brand', version: 0, sections: [{ name: 'Logos' }] })
  })

  test('finds kits, sections and assets by alias, uuid and slug', async () => {
    const { module: byAlias } = await load('content-space:asset/brand/hero-photo')
    const { module: byUuid } = await load(`content-space:asset/${kit.toLowerCase()}@draft/hero-photo`)
    const { uuid } = Object(byAlias['default'])
    expect(byUuid['default']).toEqual(byAlias['default'])
    expect((await load(`content-space:asset/${uuid.toLowerCase()}`)).module['default']).toEqual(byAlias['default'])
    const { module } = await load('content-space:section/brand/logos/photos')
    expect(Object.keys(module)).toEqual(['default', 'heroPhoto'])
    expect((await load('content-space:kits')).module['default']).toHaveLength(2)
  })

  test('describes a file the same for every import of it, and returns its bytes', async () => {
    const imports = await Promise.all([
      load('content-space:kit/brand', 'flat'),
      load('content-space:section/brand/logos', 'flat'),
      load('content-space:asset/brand/acme-logo?url'),
    ])
    const logos = imports.flatMap(({ files }) => files.filter(({ name }) => name === 'acme-logo'))
    expect(logos).toHaveLength(3)
    expect(new Set(logos.map((file) => JSON.stringify(file))).size).toBe(1)
    for (const file of logos) expect(Buffer.from(await readContent(engine, file)).toString()).toBe(svg)
    expect(events.filter(({ type }) => type === 'download')).toEqual([
      expect.objectContaining({ name: 'Acme Logo', size: svg.length, cached: false }),
    ])
    expect((await load('content-space:asset/brand/acme-logo?raw')).module['default']).toBe(svg)
  })

  test('summarises the used assets', async () => {
    expect(await finish(engine)).toMatchObject({
      kits: expect.arrayContaining([
        {
          uuid: kit,
          name: 'Brand',
          version: 0,
          assets: 2,
          used: 1,
          files: 1,
          inlined: 0,
          bytes: svg.length,
          size: expect.any(Number),
        },
      ]),
      files: 1,
      downloads: 1,
      bytes: svg.length,
      warnings: [],
    })
    expect(events).toContainEqual({ type: 'kit', kit: 'Brand', version: 0, assets: 2 })
  })

  test('returns a kit as data', async () => {
    const { sections } = await importer.kit('brand')
    expect(sections[0]?.items).toContainEqual(
      expect.objectContaining({
        asset: expect.objectContaining({ name: 'Acme Logo', export: 'acmeLogo', slug: 'acme-logo', width: 24 }),
      }),
    )
    await expect(importer.kit('brnad@x')).rejects.toMatchObject({ code: 'invalidId' })
    await expect(importer.kit(JSON.parse('null'))).rejects.toMatchObject({
      code: 'invalidId',
      summary: 'A kit is a string, not null.',
    })
  })

  test.each<[string, (of: Importer, signal: AbortSignal) => Promise<unknown>]>([
    ['kits', (of, signal) => of.kits({ signal })],
    ['kit', (of, signal) => of.kit('brand', { signal })],
    ['versions', (of, signal) => of.versions('brand', { signal })],
    ['sync', (of, signal) => of.sync({ signal })],
    ['audit', (of, signal) => of.audit({ signal })],
    ['usage', (of, signal) => of.usage({ signal })],
    ['usage without copies', (of, signal) => of.usage({ copies: false, signal })],
  ])('%s can be aborted while the service does not answer, and does not abort earlier', async (_, ask) => {
    const called = new AbortController()
    const silent = await faultServer(() => called.abort())
    await writeFile(join(root, 'main.js'), `import 'content-space:kit/brand'`)
    const options = {
      space: silent.url,
      spaceId: 7,
      token: 'token',
      kits: { brand: kit },
      lockfile: false,
      cacheDir: 'cache',
    } as const
    const one = await createImporter(options, { root, mode: 'test', env: {} })
    await expect(ask(one, called.signal)).rejects.toMatchObject({ code: 'aborted' })
    expect(silent.requests).toHaveLength(1)
    await one.close()
    await silent.close()
    await rm(join(root, 'main.js'))
    await expect(importer.kits({ signal: new AbortController().signal })).resolves.toHaveLength(2)
  })

  test('rejects wrong options of a call', async () => {
    const untyped: Record<'kit' | 'kits' | 'sync' | 'versions', { call(...given: unknown[]): Promise<unknown> }> =
      importer
    for (const method of ['kit', 'versions'] as const)
      await expect(untyped[method].call(importer, 'brand', null)).rejects.toMatchObject({
        code: 'invalidOption',
        summary: `The options in ${method} must be an object, not null.`,
      })
    for (const method of ['kits', 'sync'] as const)
      await expect(untyped[method].call(importer, { signal: 5 })).rejects.toMatchObject({
        code: 'invalidOption',
        summary: `Option signal in ${method} must be an AbortSignal, not 5.`,
      })
  })

  test.each<['audit' | 'diff' | 'mergeUsage' | 'usage', unknown, string]>([
    ['audit', { path: ['src'] }, 'Unknown option path in audit.\nDid you mean paths?'],
    ['audit', { colorDistance: '2' }, 'Option colorDistance in audit must be a number from 0, not "2".'],
    ['diff', null, 'The options in diff must be an object, not null.'],
    ['diff', { kit: 'brand', to: '2' }, `Option to in diff must be a number, 'draft' or 'use', not "2".`],
    ['diff', { from: 1e15 }, `Option from in diff must be a number, 'draft' or 'use', not 1000000000000000.`],
    ['usage', { copy: false }, 'Unknown option copy in usage.\nThe options are copies, signal.'],
    ['mergeUsage', { file: [], out: 'merged' }, 'Unknown option file in mergeUsage.\nDid you mean files?'],
    ['mergeUsage', { files: [], out: 'merged' }, 'Option files in mergeUsage must be a list of files, not [].'],
  ])('%s refuses wrong options: %j', async (method, options, message) => {
    const untyped: { [Name in typeof method]: { call(of: Importer, options: unknown): Promise<unknown> } } = importer
    const expected = { code: 'invalidOption', message: expect.stringContaining(message) }
    await expect(untyped[method].call(importer, options)).rejects.toMatchObject(expected)
  })

  test.each([
    ['content-space:kit/brnad', 'kitNotFound', 'brand (Brand,'],
    ['content-space:kit/brand@9', 'versionNotFound', '0 (draft)'],
    ['content-space:section/brand/lgoos', 'sectionNotFound', 'logos (Logos,'],
    ['content-space:section/brand/logos/potos', 'headingNotFound', 'photos (Photos,'],
    ['content-space:asset/brand/acme-lgoo', 'assetNotFound', 'acme-logo (Acme Logo,'],
    ['content-space:asset/brand/acme-logo?widht=3', 'invalidQuery', ''],
    ['content-space:asset/brand/hero-photo?cut=svg', 'fileCutUnavailable', 'PNG'],
    ['content-space:assets/brand/acme-logo', 'invalidId', 'content-space:asset'],
  ])('%s is %s: the error names the importer and the nearest valid name', async (specifier, code, part) => {
    const error = await refusal(specifier)
    expect(error).toMatchObject({ code, facts: { import: specifier, importer: 'src/main.ts' } })
    expect(error.message).toContain('imported by: src/main.ts')
    expect(error.message).toContain(part)
  })

  test('names the line and column of an invalid import when the importing file is readable', async () => {
    const file = join(root, 'lines.ts')
    const specifier = 'content-space:asset/brand/hero-photo?w=640,1280'
    await writeFile(file, `// hero-photo\nimport photo from "${specifier}"\nexport { photo }\n`)
    expect(() => parseImport(engine, specifier, `${file}?script`)).toThrow(
      expect.objectContaining({ facts: { import: specifier, importer: file, line: 2, column: 20 } }),
    )
    expect(() => parseImport(engine, specifier, file)).toThrow(`imported by: ${file}:2:20`)
    expect(() => parseImport(engine, specifier, join(root, 'absent.ts'))).toThrow(/absent\.ts$/)
    await rm(file)
  })

  test('notices a changed file of the folder', async () => {
    await load('content-space:kit/brand')
    expect(await importer.refresh()).toBe(false)
    await writeFile(join(root, 'space/brand/01 Logos/acme-logo.svg'), svg.replace('24', '48'))
    expect(await importer.refresh()).toBe(true)
    expect((await load('content-space:asset/brand/acme-logo')).module['default']).toMatchObject({ width: 48 })
  })

  test('tells that content has changed also when the folder cannot be read', async () => {
    await importer.kits()
    await load('content-space:kit/brand')
    await writeFile(join(root, 'space/brand/01 Logos/vanished.json'), '{}')
    expect(await importer.refresh()).toBe(true)
    await expect(importer.refresh()).rejects.toMatchObject({ code: 'invalidSpace' })
    await rm(join(root, 'space/brand/01 Logos/vanished.json'))
    expect((await load('content-space:asset/brand/acme-logo')).module['default']).toMatchObject({ width: 48 })
  })
})

test("an importer's second sync drops what the source no longer uses from the lockfile", async () => {
  const lockfile = join(root, 'twice.lock.json')
  const source = join(root, 'twice/main.ts')
  const importing = async (names: string) => {
    await mkdir(dirname(source), { recursive: true })
    await writeFile(source, `import { ${names} } from 'content-space:kit/brand'\nconsole.log(${names})\n`)
    await twice.sync()
    return [...(await readFile(lockfile, 'utf8')).matchAll(/"name":"(acmeLogo|heroPhoto)"/g)].map(([, name]) => name)
  }
  const options: Options = {
    space: 'space',
    cacheDir: 'cache',
    kits: { brand: kit },
    lockfile,
    scan: ['twice/**'],
    types: false,
  }
  const twice = await createImporter(options, { root, env: {} })
  try {
    expect(new Set(await importing('acmeLogo, heroPhoto'))).toEqual(new Set(['acmeLogo', 'heroPhoto']))
    expect(await importing('heroPhoto')).toEqual(['heroPhoto'])
    expect(await importing('acmeLogo')).toEqual(['acmeLogo'])
  } finally {
    await twice.close()
  }
})
