import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createIndex, search } from '../../src/commands/shared/kit-page/search/search.js'
import { compareKits } from '../../src/catalog/changes.js'
import { readSnapshot, snapshotParts } from '../../src/catalog/snapshot.js'
import { colorsIn } from '../../src/commands/shared/findings/colors.js'
import { fileNamesIn } from '../../src/commands/audit/fix/names-in.js'
import { picturesIn } from '../../src/commands/shared/findings/pictures-in.js'
import { compare } from '../../src/commands/shared/changes/compare.js'
import { sideOf } from '../../src/commands/shared/changes/side.js'
import { usage } from '../../src/commands/usage/run.js'
import { openEngine } from '../../src/engine/engine.js'
import { ContentSpaceError } from '../../src/errors.js'
import { findInPage } from '../../src/files/svg/check-page.js'
import { findActive } from '../../src/files/svg/check.js'
import { sanitizeSvg } from '../../src/files/svg/sanitize.js'
import { makeSvg } from '../../src/files/svg/svg.js'
import { loadKit, type LoadedKit } from '../../src/kit/load.js'
import { nameKit, type NamedKit } from '../../src/kit/named-kit.js'
import { nameAssets, nameSlugs } from '../../src/kit/names.js'
import { computeLock } from '../../src/lock/compute.js'
import { lockDrift } from '../../src/lock/drift.js'
import { formatLock } from '../../src/lock/format.js'
import { mergeLocks } from '../../src/lock/merge.js'
import { parseLock } from '../../src/lock/schema.js'
import { readPage, splitCandidates } from '../../src/source/html.js'
import { withImportSite } from '../../src/source/import-site.js'
import { idsInStyleSheet } from '../../src/source/style-sheet.js'
import { usesOf } from '../../src/source/uses.js'
import { folderSpace } from '../../src/space/folder/space.js'
import { readFontFile } from '../../src/space/font-file.js'
import { measureJson, parseJson } from '../../src/space/http/json.js'
import { createRedaction } from '../../src/space/http/redaction.js'
import { parseSection } from '../../src/space/wire/records.js'
import { escapeHidden, jsonText, oneLine, safeLines } from '../../src/text/display.js'
import { foldName } from '../../src/text/letters.js'
import { nearest } from '../../src/text/nearest.js'
import { xmlDecoder } from '../../src/text/xml-decoder.js'
import { colorsOf } from '../../src/tokens/colors.js'
import { makeFont } from '../support/font.js'
import { assetItem, assetRecord, headingItem, id, memoryKit, memorySpace } from '../support/memory-space.js'
import { heavy, svg } from '../support/svg-corpus.js'
import { asset as searchedAsset, kit as searchedKit } from '../unit/commands/browse/page/kit.js'

/*
 * The time to read content must grow with the content's size and not with its square: reading eight times as much
 * content at once may take at most 3 times as long as reading the content eight times, whereas the square would take 8
 * times as long. We measure processor time, so that other processes don't count. On a busy machine, the garbage
 * collector's threads take longer, but both sides make about the same amount of garbage.
 */

/** Returns the work on content with so many parts. */
type Reader = (parts: number) => (() => unknown) | Promise<() => unknown>

const times = 8
const most = 3
/** The minimum time for the smaller content in milliseconds. */
const enough = 8
const attempts = 10

async function costOf(work: () => unknown, repetitions = 1): Promise<number> {
  const before = process.cpuUsage()
  for (let repetition = 0; repetition < repetitions; repetition++) {
    try {
      await work()
    } catch {
      // The work has exceeded a limit and ended.
    }
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/**
 * Returns how many times longer a reader takes for `times` as many parts at once than for the parts `times` times. Each
 * side counts with the minimum of several attempts.
 */
async function growthOf(reader: Reader, first: number, largest: number): Promise<number> {
  let parts = first
  while (parts < largest && (await costOf(await reader(parts))) < enough) parts *= 2
  const [small, large] = [await reader(parts), await reader(parts * times)]
  let [several, once] = [Infinity, Infinity]
  for (let attempt = 0; attempt < attempts; attempt++) {
    // Treat work of a fixed duration as costing at least the clock's precision.
    several = Math.min(several, Math.max(await costOf(small, times), times))
    once = Math.min(once, await costOf(large))
    if (once <= several * most) break
  }
  return once / several
}

test('the measure recognizes the square', async () => {
  const growth = await growthOf(
    (parts) => () => {
      let sum = 0
      for (let a = 0; a < parts; a++) for (let b = 0; b < parts; b++) sum += a ^ b
      return sum
    },
    2048,
    2048,
  )
  expect(growth).toBeGreaterThan(most)
})

const many = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))

const classes = (count: number): string =>
  svg(
    `<style>${many(count, (at) => `.c${at}{fill:#${(0x100000 + at).toString(16)}}`).join('')}</style>` +
      many(count, (at) => `<path class="c${at}" d="M${at} 0h1v1z"/>`).join(''),
  )

const drawings: Record<string, (count: number) => string> = {
  ...heavy,
  'classes with a rule each': classes,
  'classes that stay in the style sheet': (count) => classes(count).replace('<style>', '<style>path:hover{fill:red}'),
  'style attributes': (count) => svg('<path d="M0 0h9" style="fill:red;stroke:#000"/>'.repeat(count)),
  'hidden shapes': (count) => svg('<path d="M0 0h9" display="none"/>'.repeat(count)),
}

const prefix = 'c1234567'
const recipe = { kind: 'svg', policy: 'sanitize', prefix } as const
const steps: Record<string, (text: string) => unknown> = {
  'the sanitizer': (text) => sanitizeSvg(text),
  'the check': (text) => findActive(Buffer.from(text)),
  'the check for pages': (text) => findInPage(Buffer.from(text), prefix),
  raw: (text) => makeSvg(Buffer.from(text), recipe),
  svgo: (text) => makeSvg(Buffer.from(text), { ...recipe, svgo: true }),
  components: (text) => makeSvg(Buffer.from(text), { ...recipe, component: true }),
  currentcolor: (text) => makeSvg(Buffer.from(text), { ...recipe, component: true, currentcolor: true }),
}

const cases = Object.entries(steps).flatMap(([step, run]) =>
  Object.entries(drawings).map(([name, make]) => [step, name, run, make] as const),
)

test.each(cases)('%s with %s', async (_step, _name, run, make) => {
  const growth = await growthOf(
    (parts) => {
      const text = make(parts)
      return () => run(text)
    },
    64,
    8192,
  )
  expect(growth).toBeLessThanOrEqual(most)
})

/**
 * Returns a kit with assets in sections.
 * @param nameOf returns the name of each asset
 */
async function kitOf(count: number, nameOf: (at: number) => string = (at) => `Asset ${at}`): Promise<LoadedKit> {
  const items = many(count, (at) => {
    const color = { type: 'Color', size: 0, colors: [{ hex: '#e5603f' }] }
    return assetItem(id(at), assetRecord(id(at), nameOf(at), at % 2 ? color : {}))
  })
  const sections = many(Math.ceil(count / 10), (at) => ({
    uuid: id(1_000_000 + at),
    name: `Section ${at}`,
    items: [headingItem(id(2_000_000 + at), `Heading ${at}`), ...items.slice(at * 10, at * 10 + 10)],
  }))
  const kit = memoryKit(id(9_999_999), 'Brand', sections)
  return loadKit(kit.record, 1, { space: memorySpace(() => [kit]), strict: false, warn: () => {} })
}

function lockOf(named: NamedKit) {
  const use = { assets: new Set<string>(), whole: ['kit'] }
  const uses = [{ named, selectors: new Set(['use' as const]), uses: new Map([['', { by: undefined, use }]]) }]
  const none = { exact: false, prune: false, updated: new Set<string>(), rename: false, kept: new Set<string>() }
  return computeLock({ base: { kits: {} }, uses, ...none })
}

const kits: Record<string, (kit: LoadedKit, named: NamedKit, other: NamedKit) => () => unknown> = {
  'names of a kit': (kit) => () => nameKit(kit),
  snapshots: (kit) => () => readSnapshot(Buffer.from([...snapshotParts(kit)].join(''))),
  'changes of a kit': (kit, _, other) => () => compareKits(kit, other.kit),
  'the record in the lock': (_, named) => () => lockOf(named),
  'the text of the lock': (_, named) => () => parseLock(formatLock(lockOf(named)), 'lock'),
  'a merge of locks': (_, named, other) => () => mergeLocks({ kits: {} }, lockOf(named), lockOf(other)),
  'drift of the lock': (_, named, other) => () => lockDrift(lockOf(named), lockOf(other)),
  'a diff': (_, named, other) => () => compare(sideOf(named), sideOf(other)),
  'colors of tokens': (_, named) => () => colorsOf(named, () => {}),
}

test.each(Object.entries(kits))('%s', async (_, work) => {
  const growth = await growthOf(
    async (parts) => {
      const [kit, other] = [await kitOf(parts), await kitOf(parts, (at) => `Another ${at % 7} ${at}`)]
      return work(kit, nameKit(kit), nameKit(other))
    },
    64,
    4096,
  )
  expect(growth).toBeLessThanOrEqual(most)
})

const uuidOf = (at: number) => ({ uuid: id(at), type: 'SVG' })

const texts: Record<string, Reader> = {
  'a listing': (count) => () => kitOf(count),
  'a section of the service': (count) => {
    const dates = { date_added: '2025-01-01 00:00:00', date_updated: '2025-01-01 00:00:00' }
    const items = many(count, (at) => ({
      ...dates,
      uuid: id(at),
      type: 'asset',
      status: 'active',
      display_order: at % 7,
      data: {},
      asset: { ...dates, uuid: id(at), name: `a${at}`, type: 'SVG', keywords: ['b'], colors: [] },
    }))
    const section = {
      uuid: id(1),
      kit_uuid: id(2),
      name: 'a',
      status: 'active',
      version: 1,
      counts: {},
      ...dates,
      items,
    }
    return () => parseSection({ section })
  },
  'names that are equal': (count) => () => nameAssets(many(count, (at) => ({ ...uuidOf(at), name: 'Logo' }))),
  'names that collide with numbered ones': (count) => () =>
    nameAssets(many(count, (at) => ({ ...uuidOf(at), name: at % 2 ? 'Logo' : `Logo ${at}` }))),
  'a name of many words': (count) => () => nameAssets([{ ...uuidOf(1), name: 'ä B-3 '.repeat(count) }]),
  'slugs of sections': (count) => () =>
    nameSlugs(
      many(count, (at) => ({ ...uuidOf(at), name: `Section ${at % 9}` })),
      'section',
    ),
  'suggestions for a name': (count) => () =>
    nearest(
      'acmeLogo',
      many(count, (at) => `acmeLogo${at}`),
    ),
  'folded names': (count) => () => foldName('Größe '.repeat(count)),
  'JSON of the service': (count) => {
    const json = Buffer.from(JSON.stringify(many(count, (at) => ({ at, b: ['"', '\\'] }))))
    return () => [measureJson(json), parseJson(json)]
  },
  'texts with a token': (count) => {
    const { clean } = createRedaction('a-token-of-tests', 'NzphLXRva2VuLW9mLXRlc3Rz', 8, 'g')
    return () => clean('a-token-of-tests %61-token &#97; \\u0061 '.repeat(count))
  },
  'texts for terminals': (count) => {
    const text = '::a\u001b\u202e\r\n##[b]'.repeat(count)
    return () => [oneLine(text), safeLines(text), jsonText(text), escapeHidden(JSON.stringify(text))]
  },
  'the encoding of XML': (count) => () => xmlDecoder(Buffer.from(`<?xml ${'version="1" '.repeat(count)}`)),
  'a page': (count) => () => readPage('<img src="content-space:asset/a/b" srcset="a 1x, b 2x">'.repeat(count)),
  'a page that is not closed': (count) => () => readPage('<div><style>a{}'.repeat(count) + '<p>'.repeat(count)),
  'candidates of a srcset': (count) => () => splitCandidates('content-space:asset/a/b 1x, '.repeat(count)),
  'ids in a style sheet': (count) => () =>
    idsInStyleSheet('a{b:url(content-space:asset/a/b)}/* c */\n'.repeat(count), { preprocessor: true }),
  'imports of a script': (count) => () =>
    usesOf(many(count, (at) => `import a${at} from 'content-space:asset/a/b${at}'\n`).join(''), 'a.ts'),
  'dynamic imports of a script': (count) => () =>
    usesOf("await import('content-space:asset/a/b').then(({ a }) => a)\n".repeat(count), 'a.ts'),
  'members of a kit in a script': (count) => () =>
    usesOf(`import * as kit from 'content-space:kit/a'\n${many(count, (at) => `kit.a${at}\n`).join('')}`, 'a.ts'),
  'members of tokens in a script': (count) => () =>
    usesOf(
      `import { colors } from 'content-space:tokens/a'\n${many(count, (at) => `colors.a${at}\n`).join('')}`,
      'a.ts',
    ),
  ...Object.fromEntries(
    ['html', 'vue', 'svelte', 'astro', 'md', 'css', 'scss'].map((extension): [string, Reader] => [
      `ids in .${extension}`,
      (count) => {
        const part = extension.endsWith('css')
          ? '.a{b:url(content-space:asset/a/b)}\n'
          : '<img src="content-space:asset/a/b">\n<style>a{b:url(content-space:asset/a/b)}</style>\n'
        return () => usesOf(part.repeat(count), `a.${extension}`)
      },
    ]),
  ),
  'style blocks that are not closed': (count) => () =>
    usesOf('<style>content-space:</style>' + '<style>'.repeat(count), 'a.vue'),
  'style blocks without an end of the tag': (count) => () =>
    usesOf('content-space:' + '<style '.repeat(count) + '</style>', 'a.vue'),
  'a font with a long name': (count) => {
    const font = makeFont({ family: 'a'.repeat(Math.min(count, 30_000)) })
    return () => readFontFile(font)
  },
  'colors in a text': (count) => () => colorsIn(':#fff '.repeat(count), 'a.css'),
  'spaces after a color': (count) => () => colorsIn(`:#fff${' '.repeat(count)}`, 'a.css'),
  'names in a text': (count) => () => fileNamesIn('a'.repeat(count), 'a.js'),
  'folders in a text': (count) => () => fileNamesIn('a/'.repeat(count), 'a.js'),
  'imports without an end': (count) => () => fileNamesIn("from '".repeat(count), 'a.js'),
  'drawings without an end': (count) => () => picturesIn('<svg '.repeat(count)),
  'a word of a search': (letters) => {
    const notes = 'lorem ipsum dolor sit amet consetetur '.repeat(16)
    const index = createIndex(searchedKit(...many(20, (at) => searchedAsset(`Asset ${at}`, { notes }))))
    return () => search(index, 'abcdefgh'.repeat(letters / 8))
  },
  'words of a search': (count) => {
    const index = createIndex(
      searchedKit(...many(20, (at) => searchedAsset(`Asset ${at}`, { notes: 'a-b '.repeat(99) }))),
    )
    return () => search(index, 'ab-cd'.repeat(count))
  },
  'a text that is searched': (count) => {
    const index = createIndex(searchedKit(searchedAsset('Asset', { notes: 'aaaa '.repeat(count) })))
    return () => search(index, 'a'.repeat(32))
  },
  'comments without an end in a drawing': (count) => () => picturesIn(`<svg>${'{/*'.repeat(count)}</svg>`),
}

test.each(Object.entries(texts))('%s', async (_, reader) => {
  expect(await growthOf(reader, 64, 16_384)).toBeLessThanOrEqual(most)
})

test('a folder', async () => {
  const folders: string[] = []
  const growth = await growthOf(
    async (count) => {
      const folder = await mkdtemp(join(tmpdir(), 'content-space-growth-'))
      folders.push(folder)
      await mkdir(join(folder, 'brand', 'Logos'), { recursive: true })
      for (let at = 0; at < count; at++) await writeFile(join(folder, 'brand', 'Logos', `${at}.svg`), svg(''))
      return async () => {
        const space = folderSpace(folder)
        const [kit] = await space.kits()
        if (kit) await loadKit(kit, 0, { space, strict: false, warn: () => {} })
        await space.close()
      }
    },
    64,
    512,
  )
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
  expect(growth).toBeLessThanOrEqual(most)
})

test('usage of an asset that many places import', async () => {
  const root = await mkdtemp(join(tmpdir(), 'content-space-growth-'))
  const space = join(root, 'space')
  await mkdir(join(space, 'brand', 'Logos'), { recursive: true })
  await writeFile(join(space, 'brand', 'Logos', 'logo.svg'), svg(''))
  const growth = await growthOf(
    async (count) => {
      const name = `${count}.js`
      const statements = many(count, (at) => `import a${at} from 'content-space:asset/brand/logo'\n`)
      await writeFile(join(root, name), statements.join(''))
      const options = { space, scan: [name], cacheDir: join(root, 'cache'), lockfile: false as const }
      return async () => {
        const engine = await openEngine(options, { root, mode: 'test', env: {} })
        await usage(engine, { copies: false })
        await engine.close()
      }
    },
    64,
    4096,
  )
  await rm(root, { recursive: true })
  expect(growth).toBeLessThanOrEqual(most)
})

test("statements of a single id that don't import any name", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'content-space-growth-'))
  const error = new ContentSpaceError('unknownExport', 'Kit Brand does not export none.', { export: 'none' })
  const growth = await growthOf(
    async (count) => {
      const specifier = 'content-space:kit/brand'
      const importer = join(folder, `${count}.js`)
      await writeFile(importer, `import {\n  acmeLogo\n} from '${specifier}'\n`.repeat(count))
      return () => withImportSite(error, { specifier, importer })
    },
    64,
    16_384,
  )
  await rm(folder, { recursive: true })
  expect(growth).toBeLessThanOrEqual(most)
})
