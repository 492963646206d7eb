import { isIdentifierName } from '@babel/helper-validator-identifier'
import { fc } from '../../support/random.js'
import { describe, expect, test } from 'vitest'
import { createHash } from 'node:crypto'
import { nameAssets, nameSlugs } from '../../../src/kit/names.js'
import { identifierOf, isExportName, isSlug, slugOf } from '../../../src/kit/identifiers.js'
import { foldName } from '../../../src/text/letters.js'

const a = '3BD9A1C2-0B1E-4F6D-8A77-0123456789AB'
const b = '237C0000-0B1E-4F6D-8A77-0123456789AB'
const c = '3BD9A1C2-FFFF-4F6D-8A77-0123456789AB'
const one = (name: string, type = 'SVG') => nameAssets([{ uuid: a, name, type }]).get(a)
const named = (uuid: string, name: string, type = 'SVG') => ({ uuid, name, type })

describe('names of assets', () => {
  test.each([
    ['Acme Logo', 'acmeLogo', 'acme-logo'],
    ['arrow-left', 'arrowLeft', 'arrow-left'],
    ['iOS App', 'iOSApp', 'ios-app'],
    ['for iOS', 'forIOS', 'for-ios'],
    ['HTML5 badge', 'HTML5Badge', 'html5-badge'],
    ['ACME', 'ACME', 'acme'],
    ['2x logo', '_2xLogo', '2x-logo'],
    ['Asset 00001', 'asset00001', 'asset-00001'],
    ['default', '_default', 'default'],
    ['Class', '_class', 'class'],
    ['then', '_then', 'then'],
    ['await', '_await', 'await'],
    ['arguments', '_arguments', 'arguments'],
    ['__proto__', 'proto', 'proto'],
    ['Größe & Form', 'größeForm', 'größe-form'],
    ['Gro\u0308ße', 'größe', 'größe'],
    ['ロゴ 東京', 'ロゴ東京', 'ロゴ-東京'],
    ['हिन्दी लोगो', 'हिन्दीलोगो', 'हिन्दी-लोगो'],
    ['1\uFE0F\u20E3 one', '_1One', '1-one'],
    ['a\u200Bb', 'ab', 'ab'],
    ['logo.svg', 'logo', 'logo'],
    ['logo.png', 'logoPng', 'logo-png'],
    ['v1.2', 'v12', 'v1-2'],
    ['🙂', 'asset_3BD9A1C2', 'asset-3bd9a1c2'],
    ['.svg', 'asset_3BD9A1C2', 'asset-3bd9a1c2'],
    ['', 'asset_3BD9A1C2', 'asset-3bd9a1c2'],
  ])('%j is %s and %s', (text, name, slug) => {
    expect(one(text)).toEqual({ name, slug, aliases: [] })
  })

  test('drop an extension that repeats the type, in any spelling', () => {
    expect(one('hero.JPEG', 'JPG')?.name).toBe('hero')
    expect(one('scan.tif', 'TIFF')?.name).toBe('scan')
    expect(one('home.sketch', 'Sketch')?.name).toBe('home')
    expect(one('clip.webm', 'WebM')?.name).toBe('clip')
  })

  test('that collide, even only when case is ignored, all get the start of their uuid', () => {
    const names = nameAssets([
      named(a, 'Acme Logo'),
      named(b, 'ACME LOGO'),
      named('00000000-0000-4000-8000-000000000000', 'Icon'),
    ])
    expect([...names.values()].map(({ name }) => name)).toEqual(['acmeLogo_3BD9A1C2', 'ACMELOGO_237C0000', 'icon'])
    expect(names.get(a)?.slug).toBe('acme-logo-3bd9a1c2')
  })

  test('get the whole uuid when the starts of the uuids are equal', () => {
    expect(nameAssets([named(a, 'Logo'), named(c, 'logo')]).get(c)?.name).toBe('logo_3BD9A1C2FFFF4F6D8A770123456789AB')
  })
})

describe('letters', () => {
  test.each([
    ['Unicode 15.0', 'a\u{1E4D0}b', 'aB'],
    ['Unicode 15.1', '\u{2EBF0}', 'asset_3BD9A1C2'],
    ['Unicode 16.0', 'logo \u1C89\u{105C0}', 'logo'],
    ['Unicode 17.0', 'a\u088Fb \uA7D2', 'aB'],
  ])('of %s and later are not used in names, because not every tool supports them', (_, text, name) =>
    expect(one(text)?.name).toBe(name),
  )

  test("don't use capitals from newer Unicode versions, so names are the same on every version of Node", () => {
    expect(one('a \u0264x \u019Bx \uA7D3x')?.name).toBe('a\u0264x\u019Bx\uA7D3x')
  })

  test('give the same names on every version of Node', () => {
    const hash = createHash('sha256')
    for (let code = 0; code < 0x35000; code++)
      hash.update(`${slugOf(String.fromCodePoint(code))} ${identifierOf(`x ${String.fromCodePoint(code)}`)}\n`)
    expect(hash.digest('hex')).toBe('3f9d308bff8d2b25de123d0e5cd5b8f55456e3d10d75a0d776f9d4767193a4fc')
  })

  test.each([
    ['ß', 'ss'],
    ['ẞ', 'ss'],
    ['ﬁx', 'fix'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['\u212A', 'k'],
    ['\u0130x', 'i\u0307x'],
    ['é', 'e\u0301'],
    ['ᾳ', 'αι'],
    ['ſ', 's'],
    ['µ', 'μ'],
    ['Ꭰ', 'ꭰ'],
  ])('%s and %s are the same name on some disks, and get their uuids', (first, second) => {
    expect(foldName(first)).toBe(foldName(second))
    const names = nameAssets([named(a, first), named(b, second)])
    for (const key of ['name', 'slug'] as const) {
      expect([...names.values()].map((entry) => entry[key].toLowerCase().slice(-8))).toEqual(['3bd9a1c2', '237c0000'])
    }
  })

  test.each([
    ['ı', 'i'],
    ['ø', 'o'],
    ['é', 'e'],
    ['Ａ', 'A'],
  ])('%s and %s are different names on every disk', (first, second) => {
    expect(foldName(first)).not.toBe(foldName(second))
  })
})

describe('names given before', () => {
  const given = { [a]: { name: 'acmeLogo', slug: 'acme-logo' } }

  test('stay when an asset with the same name arrives, and only the new one gets its uuid', () => {
    const names = nameAssets([named(b, 'Acme logo'), named(a, 'Acme Logo')], given)
    expect(names.get(a)).toEqual({ name: 'acmeLogo', slug: 'acme-logo', aliases: [] })
    expect(names.get(b)).toEqual({ name: 'acmeLogo_237C0000', slug: 'acme-logo-237c0000', aliases: [] })
  })

  test('become aliases when upstream renames, and are restored when it renames back', () => {
    const renamed = nameAssets([named(a, 'Acme Mark')], given).get(a)
    expect(renamed).toEqual({ name: 'acmeMark', slug: 'acme-mark', aliases: [{ name: 'acmeLogo', slug: 'acme-logo' }] })
    const back = nameAssets([named(a, 'Acme Logo')], { [a]: renamed ?? given[a] }).get(a)
    expect(back).toEqual({ name: 'acmeLogo', slug: 'acme-logo', aliases: [{ name: 'acmeMark', slug: 'acme-mark' }] })
  })

  test('stay reserved when their asset is gone', () => {
    expect(nameAssets([named(b, 'Acme Logo')], given).get(b)?.name).toBe('acmeLogo_237C0000')
  })

  test('keep their suffix when the other asset with the same name is gone', () => {
    const suffixed = { [a]: { name: 'acmeLogo_3BD9A1C2', slug: 'acme-logo-3bd9a1c2' } }
    expect(nameAssets([named(a, 'Acme Logo')], suffixed).get(a)).toEqual({ ...suffixed[a], aliases: [] })
  })

  test('slugs of sections follow the same rules', () => {
    const slugs = nameSlugs(
      [
        { uuid: a, name: 'Marks' },
        { uuid: b, name: 'Logos' },
        { uuid: c, name: '—' },
      ],
      'section',
      {
        [a]: { slug: 'logos' },
      },
    )
    expect(Object.fromEntries(slugs)).toEqual({
      [a]: { slug: 'marks', aliases: ['logos'] },
      [b]: { slug: 'logos-237c0000', aliases: [] },
      [c]: { slug: 'section-3bd9a1c2', aliases: [] },
    })
  })
})

describe('properties', () => {
  const uuid = fc.uuid().map((text) => text.toUpperCase())
  // Uuids with equal beginnings, and few words in many spellings, cause the most collisions.
  const closeUuid = fc.constantFrom('0', '1').chain((first) => uuid.map((text) => first.repeat(8) + text.slice(8)))
  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.constantFrom('logo', 'Logo', 'LOGO', 'asset', '00000000', '_', ' ', '.svg', 'then', '2'), {
        maxLength: 4,
      })
      .map((words) => words.join('')),
  )
  const assets = fc.uniqueArray(
    fc.record({ uuid: fc.oneof(uuid, closeUuid), name, type: fc.constantFrom('SVG', 'JPG') }),
    {
      selector: (asset) => asset.uuid,
      maxLength: 30,
    },
  )

  test('every name is an export name, every slug is a slug, and all are distinct on every disk', () => {
    const spelling = fc.array(
      fc.constantFrom(
        'ß',
        'ss',
        'ﬁ',
        'fi',
        'Σ',
        'ς',
        'σ',
        'İ',
        'i\u0307',
        'ı',
        'K',
        'é',
        'e\u0301',
        '\u{1E4D0}',
        '\uA7D3',
        'ɤ',
        '\u200D',
        ' ',
      ),
      { maxLength: 4 },
    )
    const odd = fc.record({
      uuid: fc.oneof(uuid, closeUuid),
      name: fc.oneof(
        name,
        spelling.map((parts) => parts.join('')),
      ),
      type: fc.constantFrom('SVG', 'JPG'),
    })
    fc.assert(
      fc.property(fc.uniqueArray(odd, { selector: (asset) => asset.uuid, maxLength: 20 }), (list) => {
        const names = [...nameAssets(list).values()]
        for (const key of ['name', 'slug'] as const)
          expect(new Set(names.map((entry) => foldName(entry[key]))).size).toBe(list.length)
        for (const entry of names) expect([isExportName(entry.name), isSlug(entry.slug)]).toEqual([true, true])
      }),
    )
  })

  test('every name is an identifier, and all are distinct when case is ignored', () => {
    fc.assert(
      fc.property(assets, (list) => {
        const names = [...nameAssets(list).values()]
        for (const key of ['name', 'slug'] as const) {
          expect(new Set(names.map((entry) => entry[key].toLowerCase())).size).toBe(list.length)
        }
        for (const entry of names) expect(isIdentifierName(entry.name)).toBe(true)
      }),
    )
  })

  test('the order of the assets does not matter', () => {
    fc.assert(
      fc.property(
        assets.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length }))),
        ([list, shuffled]) => {
          expect(Object.fromEntries(nameAssets(shuffled))).toEqual(Object.fromEntries(nameAssets(list)))
        },
      ),
    )
  })

  test('an assigned name is assigned again, no matter which assets are added or removed', () => {
    fc.assert(
      fc.property(assets, assets, (before, after) => {
        const given = Object.fromEntries(nameAssets(before))
        const known = new Map(before.map((asset) => [asset.uuid, asset]))
        const again = nameAssets(
          after.map((asset) => known.get(asset.uuid) ?? asset),
          given,
        )
        for (const [id, names] of again) if (known.has(id)) expect(names).toEqual(given[id])
        expect(new Set([...again.values()].map((entry) => entry.name.toLowerCase())).size).toBe(after.length)
      }),
    )
  })
})
