import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { usedNames } from '../../src/engine/sync/declared.js'
import { declarationsText } from '../../src/modules/declarations.js'
import { scanSource } from '../../src/source/uses.js'
import type { AssetRecord } from '../../src/space/space.js'
import { assetRecord, meaning, namedKit } from '../support/declared.js'
import { uuid } from '../support/lock.js'
import { hovers5, hovers7 } from './hovers.js'
import { messagesOf, project } from './tsc.js'

const hostile = `*/ export const owned = 1 /* @deprecated \u2028 '"\`\${1}\\`

/**
 * How many assets a module may contain before its types are no longer spelled out. The same kit is declared in both
 * ways.
 */
const limits = [30, 10]

function assetAt(number: number): AssetRecord {
  if (number % 7 === 1) return assetRecord(number, `Photo ${number}`, { type: 'JPG', width: 1600, height: number })
  if (number % 7 === 2)
    return assetRecord(number, `Color ${number}`, {
      type: 'COLOR',
      size: 0,
      width: undefined,
      height: undefined,
      meta: { hex: '#f00' },
    })
  if (number === 3) return assetRecord(number, `Named ${hostile}`, { notes: hostile })
  return assetRecord(number, `Icon ${number}`)
}

const named = namedKit(
  Array.from({ length: 30 }, (_, index) => assetAt(index + 1)),
  {
    assets: { [uuid(4)]: { name: 'oldIcon', slug: 'old-icon' } },
  },
)

function declarations(longest: number): string {
  const imports = [
    meaning('content-space:kit/brand', named),
    meaning('content-space:kit/brand?as=url', named, {}, { as: 'url' }),
    meaning('content-space:kit/brand?as=picture', named, {}, { as: 'picture' }),
    meaning('content-space:section/brand/more?metadata=full', named, { section: 'more' }, { full: true }),
    meaning('content-space:section/brand/logos?metadata=full', named, { section: 'logos' }, { full: true }),
    meaning('content-space:section/brand/logos', named, { section: 'logos' }),
    meaning('content-space:asset/brand/icon-5', named, { asset: uuid(5) }),
  ]
  return declarationsText(imports, { longest })
}

const source = `
import { icon5, icon6, photo8, color2, oldIcon } from 'content-space:kit/brand'
import * as all from 'content-space:kit/brand'
import { icon5 as url } from 'content-space:kit/brand?as=url'
import pictures, { photo8 as picture, icon5 as plain } from 'content-space:kit/brand?as=picture'
import { photo1 } from 'content-space:section/brand/more?metadata=full'
import section, { photo8 as full } from 'content-space:section/brand/logos?metadata=full'
import { icon6 as same } from 'content-space:section/brand/logos'
import single from 'content-space:asset/brand/icon-5'
import kit from 'content-space:kit/brand'
const item = kit.sections[0].items[5]
const first = kit.sections[1].items[0]
const used = [icon5.width, icon6.name, photo8.height, photo8.srcset, photo8.sources[0].type, photo8.placeholder, oldIcon]
const more = [color2.meta.hex, all.icon5, all.photo8.uuid, url.length, picture.sources, plain.src, single.format]
const deep = [item.asset.name, item.uuid, item.displaySize, first.asset.height, section.items[8].asset, full.fileHash]
const rest = [pictures.sections[0].items[5].asset, same, photo1.raw, section.name]
export const exported = { used, more, deep, rest }
`

/** The language server reads this file. */
const config = JSON.stringify({
  compilerOptions: { strict: true, module: 'esnext', moduleResolution: 'bundler', target: 'es2022', types: [] },
  include: ['*.ts'],
})

const wrong = [
  `import { icon5 } from 'content-space:kit/brand'; icon5.width satisfies 121`,
  `import { icon5 } from 'content-space:kit/brand'; icon5.widht`,
  `import { icon05 } from 'content-space:kit/brand'`,
  `import { $1 } from 'content-space:kit/brand'`,
  `import { icon5, photo8 } from 'content-space:kit/brand'; const swapped: typeof icon5 = photo8`,
  `import { photo8 } from 'content-space:kit/brand'; const text: string = photo8`,
  `import kit from 'content-space:kit/brand'; kit.sections[0].items[1].asset.name satisfies 'Nothing'`,
  `import kit from 'content-space:kit/brand'; const item: { uuid: number } = kit.sections[0].items[1]`,
  `import kit from 'content-space:kit/brand'; kit.sections[0].items[1].uuid = 'other'`,
  `import kit from 'content-space:kit/brand'; kit.sections[0].items[1000]`,
  `import { icon5 } from 'content-space:kit/brand?as=url'; icon5.src`,
  `import { photo8 } from 'content-space:section/brand/logos?metadata=full'; photo8.fileHash satisfies number`,
  `import { color2 } from 'content-space:kit/brand'; color2.src`,
]

describe('a kit of many assets', () => {
  const folders: string[] = []
  beforeAll(async () => {
    for (const longest of limits) {
      const files = Object.fromEntries(wrong.map((line, at) => [`wrong${at}.ts`, line]))
      folders.push(
        await project({
          'content-space.d.ts': declarations(longest),
          'main.ts': source,
          ...files,
          'tsconfig.json': config,
        }),
      )
    }
  })
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))))

  test('shares types, and a smaller one spells them out', () => {
    expect(limits.map((longest) => declarations(longest).split('type $1').length - 1)).toEqual([0, 5])
    const imports = [500, 501].map((count) => {
      const assets = Array.from({ length: count }, (_, index) => assetAt(index + 1))
      return meaning('content-space:kit/brand', namedKit(assets))
    })
    expect(imports.map((one) => declarationsText([one]).includes('type $1'))).toEqual([false, true])
  })

  /**
   * The compilers display types as written if they don't have parameters: a whole kit no matter how long, and in
   * TypeScript 7 even the quotes of literals. They truncate a whole kit's shared types.
   */
  test.each([
    ['TypeScript 5.9', hovers5, (text: string) => text],
    ['TypeScript 7', hovers7, (text: string) => text.replaceAll(/\\?["']/g, '')],
  ] as const)('has the hovers of a smaller one in %s, but for the end of a whole kit', async (_, hovers, read) => {
    const [expected = [], found = []] = await Promise.all(folders.map((folder) => hovers(folder, 'main.ts')))
    const beginnings = found.map((text) => read(text).split(/\{(?:\n|\\n) *\.\.\.;/)[0] ?? '')
    expect(expected.map((text, at) => read(text).slice(0, beginnings[at]?.length))).toEqual(beginnings)
    const cut = found.filter((text, at) => read(text) !== beginnings[at]).map((text) => text.split(':')[0])
    expect(new Set(cut)).toEqual(new Set(['pictures', 'section', 'kit', 'sections', 'items']))
    expect(beginnings.join('\n')).toContain('asset: typeof icon5')
    expect(beginnings.join('\n')).toContain('Photo 8 (JPG, 1600 × 8, in Logos) · names: ')
  })

  test.each(['TypeScript 5.9', 'TypeScript 7'] as const)('has the errors of a smaller one in %s', async (compiler) => {
    const [expected = [], found] = await Promise.all(folders.map((folder) => messagesOf(folder, compiler, 'bundler')))
    expect(found).toEqual(expected)
    const files = new Set(expected.map((text) => text.slice(0, text.indexOf('('))))
    expect([...files].toSorted()).toEqual(wrong.map((_, at) => `wrong${at}.ts`).toSorted())
  })
})

test.each([
  ["import { a, b as c } from 'content-space:kit/x'; a.src", ['a', 'b']],
  ["import kit from 'content-space:kit/x'", ['default']],
  ["import type { a } from 'content-space:kit/x'\nimport { b } from 'content-space:kit/x'", ['a', 'b']],
  ["type A = import('content-space:kit/x').a.src\nexport { b } from 'content-space:kit/x'", ['a', 'b']],
  ["import * as all from 'content-space:kit/x'; all.a", ['a']],
  ["import { b } from 'content-space:kit/x'\nimport * as all from 'content-space:kit/x'; call(all)", undefined],
  ["import type * as all from 'content-space:kit/x'", undefined],
  ["export * from 'content-space:kit/x'", undefined],
])('%s names %s', (code, names) => {
  const found = usedNames(scanSource(code, 'main.ts'))
  expect(found && [...found].toSorted()).toEqual(names)
})

describe('the size of the declarations', () => {
  const kit = namedKit(Array.from({ length: 10_000 }, (_, index) => assetRecord(index + 1, `Asset ${index + 1}`)))
  const names = ['asset1', 'asset500', 'asset10000']
  const text = declarationsText([{ ...meaning('content-space:kit/brand', kit), used: new Set(names) }])

  test('is less than 150 bytes for each asset of a large kit', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(1_500_000)
  })

  test('keeps the comments of all assets of which another module declares few, or the source may use all', () => {
    const asset = { ...meaning('content-space:asset/brand/asset-7', kit, { asset: uuid(7) }), used: new Set<string>() }
    const whole = { ...meaning('content-space:kit/brand', kit), used: new Set(['default']) }
    const section = meaning('content-space:section/brand/more', kit, { section: 'more' })
    const texts = [[whole], [whole, asset], [whole, section], [{ ...whole, used: undefined }]].map((imports) =>
      declarationsText(imports),
    )
    expect(texts.map((one) => one.split('/**').length - 1)).toEqual([0, 1, 1, 10_000])
  })

  test('is less because only assets that the source uses have comments', () => {
    expect([...text.matchAll(/^ *\/\*\* .*\n *(\w+):/gm)].map(([, name]) => name)).toEqual(names.toSorted())
  })
})
