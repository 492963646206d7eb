import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import sharp from 'sharp'
import contentSpace from 'unplugin-content-space/esbuild'
import { createImporter } from '../../../src/importer.js'
import type { Options } from '../../../src/config/options.js'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { id } from '../../support/memory-space.js'
import { asset, item, publicService } from '../../support/public-service.js'
import { serveSpace, svg, writeSpace } from '../../support/space.js'

const document = Buffer.from('%PDF-1.4\nstartxref\n0\n%%EOF\n')
const token = 'a-token-of-the-public-service'
let root: string
let closers: (() => Promise<unknown>)[]

beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'content-space-scaled-')))
  await writeFile(join(root, 'package.json'), '{}')
  closers = [() => rm(root, { recursive: true, force: true })]
})
afterEach(async () => {
  for (const close of closers.toReversed()) await close()
})

interface Cut {
  type?: string
  resizable?: boolean
  set_dpi?: boolean
  /** Sends the picture in its usual size, no matter what size is requested. */
  ignores?: boolean
}

/** Starts a service with one document of 600 × 400 points that renders the PNG in the requested size. */
async function serve({ type = 'PDF', ignores = false, ...cut }: Cut = { resizable: true }) {
  const filecuts = { available_types: [{ type: 'PNG', enabled: true, ...cut }], presets: [] }
  const size = document.length
  const record = asset(11, 'Brochure', { type, size, file_hash: '', dimensions: '600x400', meta: { filecuts } })
  const { url, requests, close } = await publicService({
    items: [item(101, 'asset', { asset: record })],
    galleries: {},
    fileOf(_, query) {
      if (!query.has('type')) return document
      const scale = Number(query.get('dpi') ?? 72) / 72
      const [width = 0, height = 0] = query.get('dimensions')?.split('x').map(Number) ?? [600 * scale, 400 * scale]
      const drawn = ignores ? { width: 600, height: 400 } : { width: Math.round(width), height: Math.round(height) }
      return sharp({ create: { ...drawn, channels: 3, background: '#05a' } })
        .png()
        .toBuffer()
    },
  })
  closers.push(close)
  const downloads = () => requests.flatMap(({ url: asked }) => /download\?(.*)/.exec(asked)?.[1] ?? [])
  return { options: { space: url, spaceId: 7, token } satisfies Options, downloads }
}

interface Shown {
  src: string
  width: number
  height: number
  srcset?: string
  sources?: { type: string; srcset: string }[]
}

/**
 * Builds a page with one import.
 * @returns the asset, and the pixels of a file
 */
async function bundle(query: string, options: Options, cacheDir = 'cache') {
  await writeFile(join(root, 'main.js'), `export { default } from 'content-space:asset/brand/brochure?${query}'`)
  const outdir = await mkdtemp(join(root, 'out-'))
  const plugin = contentSpace({ types: false, cacheDir: join(root, cacheDir), ...options })
  await build({
    entryPoints: ['main.js'],
    absWorkingDir: root,
    outdir,
    bundle: true,
    format: 'esm',
    logLevel: 'silent',
    plugins: [plugin],
  })
  const script = pathToFileURL(join(outdir, 'main.js'))
  const { default: shown }: { default: Shown } = await import(script.href)
  const bytes = (src: string) => readFile(join(outdir, src))
  const pixels = async (src: string) => {
    const { width, height } = await sharp(await bytes(src)).metadata()
    return `${width}x${height}`
  }
  return { shown, pixels, bytes: await bytes(shown.src) }
}

describe('a picture of a document that is larger than the document itself', () => {
  const resizable = { resizable: true }
  test.each([
    ['w=1200', resizable, 'type=png&dimensions=1200x800', '1200x800'],
    ['h=800&format=webp', resizable, 'type=png&dimensions=1200x800', '1200x800'],
    ['w=1200&h=1200', resizable, 'type=png&dimensions=1800x1200', '1200x1200'],
    ['w=1200&h=1200&fit=contain', resizable, 'type=png&dimensions=1200x800', '1200x1200'],
    ['w=1000&rotate=90', resizable, 'type=png&dimensions=1500x1000', '1000x1500'],
    ['w=1200', { set_dpi: true }, 'type=png&dpi=144', '1200x800'],
    ['w=1201', { set_dpi: true }, 'type=png&dpi=145', '1201x801'],
    ['w=1200&cut=png', { ...resizable, type: 'SVG' }, 'type=png&dimensions=1200x800', '1200x800'],
    ['w=1200', { ...resizable, type: 'AI' }, 'type=png&dimensions=1200x800', '1200x800'],
    ['w=1200', { ...resizable, ignores: true }, 'type=png&dimensions=1200x800', '1200x800'],
    ['w=600', resizable, 'type=png', '600x400'],
    ['w=300', resizable, 'type=png', '300x200'],
    ['format=webp', resizable, 'type=png', '600x400'],
    ['w=1200', {}, 'type=png', '600x400'],
    ['w=1200', { ...resizable, type: 'PSD' }, 'type=png', '600x400'],
  ])('?%s of a cut with %o asks for %s and shows %s', async (query, cut, asked, size) => {
    const { options, downloads } = await serve(cut)
    const { shown, pixels } = await bundle(query, options)
    expect(downloads()).toEqual([asked])
    expect(`${shown.width}x${shown.height}`).toBe(size)
    expect(await pixels(shown.src)).toBe(size)
  })

  test('costs one download for all sizes, densities, formats and the preview of an import', async () => {
    const { options, downloads } = await serve()
    const { shown, pixels } = await bundle('w=300;1200&format=webp;png&placeholder=blur', options)
    expect(downloads()).toEqual(['type=png&dimensions=1200x800'])
    const sets = shown.sources?.map(({ srcset }) => srcset.split(', ').map((entry) => entry.split(' '))) ?? []
    expect(sets).toHaveLength(2)
    for (const [[small = '', first], [large = '', last]] of sets.map(([a = [], b = []]) => [a, b] as const)) {
      expect([first, last]).toEqual(['300w', '1200w'])
      expect([await pixels(small), await pixels(large)]).toEqual(['300x200', '1200x800'])
    }
  })

  test('is another file than the usual cut in the lockfile, which other machines, mirrors and their servers obey', async () => {
    const { options, downloads } = await serve()
    const large = await bundle('w=1200', options)
    const small = await bundle('w=300', options)
    expect(await small.pixels(small.shown.src)).toBe('300x200')
    expect(downloads()).toEqual(['type=png&dimensions=1200x800', 'type=png'])
    const lock = await readFile(join(root, 'content-space.lock.json'), 'utf8')
    expect(lock).toMatch(/"files":\{"PNG":"sha256-[^"]+","PNG@1200x800":"sha256-[^"]+"\}/)
    expect((await bundle('w=1200', { ...options, frozen: true }, 'cold')).bytes).toEqual(large.bytes)
    await bundle('w=1200', { ...options, frozen: true, offline: true })
    expect(downloads()).toHaveLength(3)

    const importer = await createImporter({ ...options, cacheDir: join(root, 'cache'), types: false }, { root })
    expect((await importer.mirror({ kits: ['brand'], out: 'mirror' })).missing).toEqual([])
    await importer.close()
    const folder = { space: join(root, 'mirror'), frozen: true }
    expect((await bundle('w=1200', folder, 'of-the-mirror')).bytes).toEqual(large.bytes)
    const served = await serveSpace(join(root, 'mirror'), { spaceId: 7 })
    closers.push(() => served.close())
    expect((await bundle('w=1200', { ...served.options, frozen: true }, 'of-a-server')).bytes).toEqual(large.bytes)
  })

  test('is an error of a frozen build if the service draws other bytes than the lockfile has', async () => {
    const { options } = await serve()
    await bundle('w=1200', options)
    const other = await serve({ resizable: true, ignores: true })
    await expect(bundle('w=1200', { ...other.options, frozen: true }, 'cold')).rejects.toThrow(/PNG@1200x800/)
  })
})

test('a server of a folder makes cuts in the size that is asked for', async () => {
  const space = await writeSpace({
    'brand/kit.json': { uuid: id(1) },
    'brand/Logos/brochure.svg': svg('a'),
    'brand/Logos/brochure.json': { uuid: id(9) },
  })
  closers.push(() => space.remove())
  const served = await serveSpace(space.folder)
  closers.push(() => served.close())
  for (const options of [served.options, { space: space.folder }]) {
    const { shown, pixels } = await bundle(
      'cut=png&w=480',
      { ...options, lockfile: false },
      `cache-of-${options.space.length}`,
    )
    expect(await pixels(shown.src)).toBe('480x480')
  }
  const answer = await fetch(`${served.url}/1/assets/${id(9)}/download?type=png&dimensions=0x5`, {
    headers: { authorization: `Basic ${Buffer.from(`${served.spaceId}:${served.token}`).toString('base64')}` },
  })
  expect(await answer.json()).toMatchObject({ error: { code: 103 } })
})
