import { fc } from '../../support/random.js'
import { describe, expect, test } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import { fits, pictureFormats, importForms } from '../../../src/request/parameters.js'
import { formatQuery, parseQuery, type Query, type QueryContext } from '../../../src/request/query.js'

const plain: Query = { as: 'asset', full: false }

describe('parseQuery', () => {
  test.each<[text: string, query: Partial<Query>]>([
    ['', {}],
    ['as=url', { as: 'url' }],
    ['url', { as: 'url' }],
    ['raw', { as: 'raw' }],
    ['inline', { as: 'inline' }],
    ['metadata=full', { full: true }],
    ['cut=jpeg', { cut: { type: 'JPG', orOriginal: false } }],
    ['cut=PNG;original', { cut: { type: 'PNG', orOriginal: true } }],
    ['cut=sketch', { cut: { type: 'Sketch', orOriginal: false } }],
    ['w=640;320;640', { w: [320, 640] }],
    ['h=100', { h: [100] }],
    ['w=100&h=50&dpr=2;1', { w: [100], h: [50], dpr: [1, 2] }],
    ['format=webp;avif;JPEG', { format: ['webp', 'avif', 'jpg'] }],
    ['quality=80', { quality: 80 }],
    ['effort=9&lossless', { effort: 9, lossless: true }],
    ['fit=inside', { fit: 'inside' }],
    ['position=right+top', { position: 'right-top' }],
    ['position=center', { position: 'centre' }],
    ['background=%23FFF', { background: '#fff' }],
    ['background=white', { background: 'white' }],
    ['background=RebeccaPurple', { background: 'rebeccapurple' }],
    ['blur=0.5', { blur: 0.5 }],
    ['rotate=-90', { rotate: -90 }],
    ['greyscale&enlarge&svgo&lazy', { greyscale: true, enlarge: true, svgo: true, lazy: true }],
    ['placeholder=color', { placeholder: 'color' }],
  ])('reads %s', (text, query) => {
    expect(parseQuery(text)).toEqual({ ...plain, ...query })
  })

  test('merges a preset with the other parameters, which take precedence', () => {
    const presets = { hero: 'w=640;1280&format=avif;webp' }
    expect(parseQuery('format=png&preset=hero', { presets })).toEqual({ ...plain, w: [640, 1280], format: ['png'] })
  })

  test('replaces as=component with the framework', () => {
    const query = parseQuery('as=component&currentcolor', { framework: () => 'vue' })
    expect(query).toEqual({ as: 'vue', full: false, currentcolor: true })
    expect(formatQuery(query)).toBe('as=vue&currentcolor')
    expect(parseQuery('as=solid', { framework: () => 'vue' }).as).toBe('solid')
  })

  test.each<[text: string, says: RegExp, context?: QueryContext]>([
    ['width=640', /Unknown query key width\..*Did you mean w\? The keys are w, /s],
    ['height=640', /Did you mean h\?/],
    // Transposed letters are a closer match than `night`, a synonym of dark.
    ['widht=640', /Did you mean w\?/],
    ['grayscale', /Did you mean greyscale\?/],
    ['forma=png', /Did you mean format\?/],
    ['format=wepb', /format has the invalid value wepb\..*Did you mean webp\? The values are webp, /s],
    ['placeholder=colour', /Did you mean color\?/],
    ['as=raws', /Did you mean raw\?/],
    ['w=', /w has no value.*w takes a whole number of pixels from 1 to 16383/s],
    ['w=0', /w has the invalid value 0\./],
    ['w=1.5', /w has the invalid value 1\.5\./],
    ['w=100px', /w has the invalid value 100px\./],
    ['w=1e3', /w has the invalid value 1e3\./],
    ['quality=101', /from 1 to 100/],
    ['effort=10', /from 0 to 9/],
    ['quality=1;2', /quality has the invalid value/],
    ['background=whit', /Did you mean white\?/],
    ['greyscale=no', /greyscale has the invalid value no/],
    ['w=640,1280', /w has the invalid value 640,1280\..*Separate values with semicolons: w=640;1280\./s],
    ['format=avif, webp', /Separate values with semicolons: format=avif;webp\./],
    ['format=tiff', /format has the invalid value tiff\.\nThe values are /],
    ['url=1', /url does not take a value/],
    ['w=1&w=2', /given twice/],
    ['w=1;2&h=3', /one value each/],
    ['dpr=1;2', /needs one w or h/],
    ['dpr=2&w=1;2', /needs one w or h/],
    ['cut=png;jpg', /cut has the invalid value/],
    ['as=recat', /Did you mean react\?/],
    ['as=component', /framework of as=component is unknown.*as=react/s],
    ['currentcolour&as=react', /Did you mean currentcolor\?/],
    ['currentcolor', /no effect with as=asset.*as=react/s],
    ['currentcolor&url', /no effect with as=url/],
    ['currentcolor&inline', /no effect with as=inline/],
    ['currentcolor&as=react&w=24', /currentcolor and w cannot be combined/],
    ['currentcolor&raw&cut=png', /currentcolor and cut cannot be combined/],
    [
      'preset=heros',
      /no preset heros.*Did you mean hero\? The presets are hero, logo\./s,
      { presets: { hero: 'w=1', logo: 'w=2' } },
    ],
    ['react', /Unknown query key react\.\nDid you mean as=react\? The keys are /],
    ['component', /Did you mean as=component\?/],
    ['w=9&picture', /Did you mean as=picture\?/],
    ['preset=a', /refers to another preset/, { presets: { a: 'preset=b' } }],
    ['preset=toString', /no preset toString/],
  ])('refuses %s', (text, says, context) => {
    const attempt = () => parseQuery(text, context)
    expect(attempt).toThrow(ContentSpaceError)
    expect(attempt).toThrow(says)
    expect(attempt).toThrow(expect.objectContaining({ code: 'invalidQuery' }))
  })
})

const numbers = (most: number) =>
  fc.uniqueArray(fc.integer({ min: 1, max: most }), { minLength: 1 }).map((list) => list.toSorted((a, b) => a - b))
const queries: fc.Arbitrary<Query> = fc.record(
  {
    as: fc.constantFrom(...importForms).filter((form) => form !== 'component'),
    full: fc.boolean(),
    w: numbers(16_383),
    format: fc.uniqueArray(fc.constantFrom(...pictureFormats), { minLength: 1 }),
    fit: fc.constantFrom(...fits),
    quality: fc.integer({ min: 1, max: 100 }),
    blur: fc.integer({ min: 1, max: 99 }),
    background: fc.constantFrom('#fff', '#ffffff80', 'white'),
    position: fc.constantFrom('right-top', 'entropy'),
    rotate: fc.integer({ min: -360, max: 360 }),
    greyscale: fc.constant(true),
    cut: fc.record({ type: fc.constantFrom('PNG', 'JPG', 'Sketch', 'heic'), orOriginal: fc.boolean() }),
    placeholder: fc.constantFrom('blur', 'color'),
  },
  { requiredKeys: ['as', 'full'] },
)

describe('formatQuery', () => {
  test('writes what parseQuery reads back', () => {
    fc.assert(
      fc.property(queries, (query) => {
        expect(parseQuery(formatQuery(query))).toEqual(query)
      }),
    )
  })

  test('writes equal queries in the same way', () => {
    expect(formatQuery(parseQuery('raw&h=2&background=%23FFF&metadata=full&greyscale'))).toBe(
      'as=raw&background=fff&greyscale&h=2&metadata=full',
    )
    expect(formatQuery(parseQuery('as=asset'))).toBe('')
  })
})
