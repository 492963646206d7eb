import { readFile, rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { declarationsText } from '../../src/modules/declarations.js'
import { describeTokens } from '../../src/tokens/declarations.js'
import { assetRecord, meaning, namedKit } from '../support/declared.js'
import { uuid } from '../support/lock.js'
import { check, project } from './tsc.js'

const hostile = `*/ export const owned = 1 /* @deprecated \u2028 '"\`\${1}\\`
const named = namedKit(
  [
    assetRecord(1, 'Acme Logo', { notes: hostile }),
    assetRecord(2, 'Hero Photo', { type: 'JPG', width: 1600, height: 900 }),
    assetRecord(3, hostile),
    assetRecord(4, 'Red', {
      type: 'COLOR',
      size: 0,
      width: undefined,
      height: undefined,
      colors: [{ name: 'Red', hue: 0, saturation: 100, brightness: 100, alpha: 100, coverage: 100 }],
      meta: { hex: '#f00', pantone: null, tags: ['a', 1, { b: true }], [hostile]: {} },
    }),
    assetRecord(6, 'Inter Light', { type: 'TEXT_STYLE' }),
    assetRecord(5, 'Größe', {}),
  ],
  { assets: { [uuid(1)]: { name: 'oldLogo', slug: 'old-logo' } } },
)

const declarations = declarationsText([
  meaning('content-space:section/brand/logos', named, { section: 'logos' }),
  meaning('content-space:asset/brand/acme-logo', named, { asset: uuid(1) }),
  meaning('content-space:kit/brand', named),
  meaning(`content-space:kit/${uuid(9000)}`, named),
  meaning('content-space:kit/brand?as=url', named, {}, { as: 'url' }),
  meaning('content-space:section/brand/more?metadata=full', named, { section: 'more' }, { full: true }),
  meaning(
    'content-space:asset/brand/hero-photo?w=640',
    named,
    { asset: uuid(2) },
    { cut: { type: 'PNG', orOriginal: false } },
  ),
  {
    kind: 'outline',
    specifier: 'content-space:outline/brand',
    outline: { uuid: uuid(9000), name: 'Brand', sections: [{ uuid: uuid(9001), name: 'Logos', headings: [] }] },
  },
  { kind: 'kits', specifier: 'content-space:kits' },
  { specifier: 'content-space:tokens/brand', ...(await describeTokens(named, () => {})) },
  { kind: 'refused', specifier: 'content-space:asset/brand/none', reason: `There is no asset none in kit "Brand".` },
])

const right = `
import kit, { acmeLogo, heroPhoto, oldLogo, größe, red } from 'content-space:kit/brand'
import byUuid, { acmeLogo as sameLogo } from 'content-space:kit/${uuid(9000)}'
import urls, { acmeLogo as url } from 'content-space:kit/brand?as=url'
import section, { acmeLogo as ofSection } from 'content-space:section/brand/logos'
import full, { acmeLogo as whole } from 'content-space:section/brand/more?metadata=full'
import logo from 'content-space:asset/brand/acme-logo'
import hero from 'content-space:asset/brand/hero-photo?w=640'
import outline from 'content-space:outline/brand'
import kits from 'content-space:kits'
import anyUrl from 'content-space:asset/other/thing?as=url'
import anyShort from 'content-space:asset/other/thing?url'
import anyShortLast from 'content-space:asset/other/thing?w=100&url'
import anyRaw from 'content-space:asset/other/thing?svgo&as=raw'
import anyAsset from 'content-space:asset/other/thing'
import anyFull from 'content-space:asset/other/thing?w=5&metadata=full'
import anyKit from 'content-space:kit/other@3'
import anyKitOfUrls from 'content-space:kit/other?as=url'
import anySection from 'content-space:section/other/a/b'
import anyLazy from 'content-space:section/other/a?lazy'
import anyLazyText from 'content-space:section/other/a?svgo&as=raw&lazy'
import anyOutline from 'content-space:outline/other'
import tokens, { colors, fonts } from 'content-space:tokens/brand'
import anyTokens, { colors as anyColors } from 'content-space:tokens/other@2'
import type { Asset, ColorToken, DataAsset, Kit } from 'unplugin-content-space/asset'

const exact: [120, 80, 'Acme Logo', 'SVG', '${uuid(1)}', 'svg'] = [acmeLogo.width, acmeLogo.height, acmeLogo.name, acmeLogo.type, acmeLogo.uuid, acmeLogo.format]
const assets: Asset[] = [acmeLogo, heroPhoto, oldLogo, sameLogo, ofSection, logo, whole, größe, anyAsset]
const texts: string[] = [url, logo.src, hero.srcset, hero.placeholder, hero.sources[0].srcset, anyUrl, anyShort, anyShortLast, anyRaw, kits[0]?.name ?? '']
const ordered: 'Primary' = kit.sections[0].items[0].content
const second: 'Hero Photo' = kit.sections[0].items[2].asset.name
const kinds: Kit<Asset | DataAsset>[] = [kit, byUuid, anyKit]
const address: string = urls.sections[0].items[1].asset
const sha: string | undefined = whole.fileHash
const more: 'Logos' = outline.sections[0].name
const meta: [string, null, (string | number | { b: boolean })[]] = [red.meta.hex, red.meta.pantone, red.meta.tags]
const hue: number | undefined = red.colors[0]?.hue
const token: ColorToken = colors.red
const tokenTexts: (string | undefined)[] = [tokens.colors.red.css, fonts.interLight.src, tokens.fonts.interLight.family, anyColors['any']?.hex, anyTokens.fonts['any']?.stylesheet]
const loaded: (Promise<Asset> | Promise<string> | undefined)[] = [anyLazy['any']?.(), anyLazyText['any']?.()]
const lazy: Promise<'Acme Logo'> = import('content-space:kit/brand').then((module) => module.acmeLogo.name)
export const all = [loaded, hue, token, tokenTexts, exact, assets, texts, ordered, second, kinds, address, sha, more, meta, lazy, section.name, full.uuid,
  anyFull.raw, anyKitOfUrls.sections[0]?.name, anySection.items, anyOutline.sections]
`

const wrong = [
  `import { nothing } from 'content-space:kit/brand'`,
  `import { owned } from 'content-space:kit/brand'`,
  `import { $default } from 'content-space:kit/brand'`,
  `import { largo } from 'content-space:kit/undeclared'`,
  `import { heroPhoto } from 'content-space:section/brand/more?metadata=full'`,
  `import nowhere from 'content-space:elsewhere/brand'`,
  `import refused from 'content-space:asset/brand/none'; refused.src`,
  `import logo from 'content-space:asset/brand/acme-logo'; logo.width satisfies 121`,
  `import plain from 'content-space:asset/brand/acme-logo'; plain.srcset`,
  `import { red } from 'content-space:kit/brand'; red.src`,
  `import kit from 'content-space:kit/brand'; kit.sections[2]`,
  `import { acmeLogo } from 'content-space:kit/brand?as=url'; acmeLogo.src`,
  `import { red as hue } from 'content-space:kit/brand'; hue.meta.cmyk`,
  `import { colors } from 'content-space:tokens/brand'; colors.rad`,
  `import { red as token } from 'content-space:tokens/brand'`,
  `import { fonts } from 'content-space:tokens/brand'; fonts.interLight.weight satisfies string`,
]

describe.each(['TypeScript 5.9', 'TypeScript 7'] as const)('%s', (compiler) => {
  let folder: string
  beforeAll(async () => {
    folder = await project({ 'content-space.d.ts': declarations, 'right.ts': right, 'wrong.ts': wrong.join('\n') })
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test.each(['bundler', 'node16', 'nodenext'])(
    'accepts correct lines and rejects each wrong line with %s resolution',
    async (resolution) => {
      const errors = await check(folder, compiler, resolution)
      expect(errors.map((error) => error.split(' ')[0])).toEqual(
        wrong.map((_, index) => `wrong.ts:${index + 1}`).toSorted(),
      )
    },
  )
})

describe('the declarations text', () => {
  test('does not depend on the order of the specifiers', () => {
    const parts = ['content-space:kit/brand', 'content-space:section/brand/logos']
    const [kit, section] = [meaning(parts[0] ?? '', named), meaning(parts[1] ?? '', named, { section: 'logos' })]
    expect(declarationsText([kit, section])).toBe(declarationsText([section, kit]))
  })

  test('declares each asset once', () => {
    expect(declarations.split(`name: 'Größe'`).length - 1).toBe(1)
  })

  test('documents the type, size and section of an asset', () => {
    expect(declarations).toContain(
      "/** Hero Photo (JPG, 1600 × 900, in Logos) · names: { 'hero-photo': 'heroPhoto' } */",
    )
    expect(declarations).toContain('/** @deprecated Renamed: import acmeLogo. */ export const oldLogo: typeof acmeLogo')
  })
})

test('an error for a wildcard module mentions the command that declares names', async () => {
  const text = await readFile(new URL('../../dist/client.d.ts', import.meta.url), 'utf8')
  const wildcards = [
    ...text.matchAll(/'content-space:(?:kit|section)\/[^']*' \{\n {2}\/\*\* (.*) \*\/\n {2}const content: (.*)/g),
  ]
  const whole = wildcards.filter(([, , type = '']) => !type.startsWith('Record'))
  expect(whole.length).toBeGreaterThan(10)
  expect(whole.filter(([, comment = '']) => !comment.includes('run `npx content-space sync`'))).toEqual([])
})
