import { describe, expect, test } from 'vitest'
import { checkComponent, exportedCollection } from '../../../src/components/collection.js'
import { planAsset } from '../../../src/files/plan.js'
import { kitCollection } from '../../../src/kit/named-kit.js'
import { declarationsText } from '../../../src/modules/declarations.js'
import { unknownExport } from '../../../src/modules/exports.js'
import { parseQuery } from '../../../src/request/query.js'
import { assetRecord, meaning, namedKit } from '../../support/declared.js'
import { uuid } from '../../support/lock.js'

const guide = assetRecord(3, 'Brand guide', { type: 'PDF' })
const font = assetRecord(5, 'Inter Light', { type: 'TEXT_STYLE', cuts: [] })
const named = namedKit(
  [
    assetRecord(1, 'arrow-left'),
    assetRecord(2, '2x logo', { type: 'JPG' }),
    guide,
    assetRecord(4, 'Red', { type: 'COLOR', size: 0 }),
    font,
    assetRecord(6, 'ärger', { type: 'TIFF' }),
  ],
  { assets: { [uuid(1)]: { name: 'oldArrow', slug: 'old-arrow' } } },
)

const collectionOf = (text: string) => exportedCollection(kitCollection(named), parseQuery(text), 'sanitize')

function check(asset: typeof guide, text: string): () => void {
  const query = parseQuery(text)
  return () => checkComponent(asset, query, planAsset(asset, query, 'sanitize'))
}

describe('the exports of a kit of components', () => {
  test('have names that begin with a capital, and are pictures that browsers render', () => {
    expect([...collectionOf('as=react').exports.keys()].toSorted()).toEqual(['ArrowLeft', 'OldArrow', '_2xLogo'])
    expect([...kitCollection(named).exports.keys()]).toContain('brandGuide')
  })

  test('are different for names that differ in letters with one capital', () => {
    const turkish = kitCollection(namedKit([assetRecord(1, 'ılık'), assetRecord(2, 'ilik')]))
    const { exports } = exportedCollection(turkish, parseQuery('as=react'), 'sanitize')
    expect([...exports.keys()]).toEqual(['Ilik', 'ılık'])
  })

  test('are also what the query makes a picture of', () => {
    const names = [...collectionOf('as=vue&cut=png;original').exports.keys()]
    expect(names).toEqual(expect.arrayContaining(['ArrowLeft', 'BrandGuide', 'Ärger']))
    expect(names).not.toContain('Red')
    expect([...collectionOf('as=vue&format=webp').exports.keys()]).toEqual(expect.arrayContaining(['Ärger']))
  })

  test('are in the default export in place of their assets', () => {
    const tree = collectionOf('as=react').tree((asset) => `component ${asset}`)
    const items = 'sections' in tree ? tree.sections.flatMap((section) => section.items) : []
    expect(items.map((item) => ('asset' in item ? item.asset : item.type))).toEqual([
      'heading',
      `component ${uuid(1)}`,
      `component ${uuid(2)}`,
      `component ${uuid(1)}`,
    ])
  })

  test.each([
    ['ArowLeft', /does not export ArowLeft\..*Did you mean ArrowLeft/s],
    ['arrowLeft', /does not export arrowLeft\..*ArrowLeft/s],
    ['BrandGuide', /^Brand guide \(PDF\) is not a picture that browsers can display.*Add cut=png/s],
    ['InterLight', /^Inter Light \(TEXT_STYLE\) is not a picture.*without as=react/s],
    ['Red', /^Red \(COLOR\) is not a picture/],
  ])('do not include %s', (name, says) => {
    const query = parseQuery('as=react')
    expect(unknownExport(name, collectionOf('as=react'), named, query).message).toMatch(says)
  })
})

describe('the import of an asset as a component', () => {
  test('needs a picture', () => {
    expect(check(guide, 'as=react')).toThrow(
      expect.objectContaining({ code: 'invalidQuery', hint: expect.stringContaining('cut=png') }),
    )
    expect(check(guide, 'as=react&cut=png')).not.toThrow()
    expect(check(font, 'as=react')).toThrow(/Import it without as=react/)
    expect(check(guide, '')).not.toThrow()
  })

  test('names the cut that is not a picture', () => {
    const icon = assetRecord(1, 'Icon')
    expect(check(icon, 'as=react&cut=eps')).toThrow(
      /^The EPS cut of Icon \(SVG\) is not a picture .*\.\sRemove cut from the query, or choose a cut that browsers can display\.$/s,
    )
    expect(check(icon, 'as=react&cut=png')).not.toThrow()
    expect(check(assetRecord(1, 'Art', { type: 'Sketch' }), 'as=react&cut=pdf')).toThrow(
      /^The PDF cut of Art \(Sketch\)/,
    )
    const query = parseQuery('as=react&cut=eps')
    const exported = exportedCollection(kitCollection(named), query, 'sanitize')
    const refused = (name: string): string => unknownExport(name, exported, named, query).message
    expect(refused('ArrowLeft')).toMatch(/^The EPS cut of arrow-left \(SVG\) is not a picture/)
    expect(refused('_2xLogo')).toMatch(/^2x logo \(JPG\) has no EPS cut/)
  })

  test('takes the color of the text only if it is an SVG', () => {
    expect(check(assetRecord(2, 'Photo', { type: 'JPG' }), 'as=react&currentcolor')).toThrow(
      /Photo \(JPG\) is not an SVG/,
    )
    expect(check(assetRecord(1, 'Icon'), 'as=react&currentcolor')).not.toThrow()
  })
})

describe('the declarations', () => {
  const text = declarationsText([
    meaning('content-space:kit/brand?as=react', named, {}, { as: 'react' }),
    meaning('content-space:asset/brand/arrow-left?as=vue', named, { asset: uuid(1) }, { as: 'vue' }),
  ])

  test('refer to the types of the frameworks in the source before the types of all ids', () => {
    expect(text.match(/<reference types="([^"]+)"/g)).toEqual([
      '<reference types="unplugin-content-space/client/react"',
      '<reference types="unplugin-content-space/client/vue"',
      '<reference types="unplugin-content-space/client"',
    ])
  })

  test('give each component the type of its framework', () => {
    expect(text).toContain("export const ArrowLeft: import('unplugin-content-space/react').SvgComponent\n")
    expect(text).toContain("export const _2xLogo: import('unplugin-content-space/react').ImageComponent\n")
    expect(text).toContain('/** @deprecated Renamed: import ArrowLeft. */ export const OldArrow: typeof ArrowLeft\n')
    expect(text).toContain("const $default: import('unplugin-content-space/vue').SvgComponent\n")
    expect(text).not.toContain('BrandGuide')
  })

  test('of 1,000 components are smaller than declarations of 1,000 assets', () => {
    const large = namedKit(Array.from({ length: 1000 }, (_, at) => assetRecord(at + 1, `icon ${at}`)))
    const [components = 0, assets = 0] = (['react', 'asset'] as const).map(
      (as) => declarationsText([meaning('content-space:kit/brand', large, {}, { as })]).length,
    )
    expect(components).toBeGreaterThan(50_000)
    expect(components).toBeLessThan(0.8 * assets)
  })
})
