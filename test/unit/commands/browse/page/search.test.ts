import { describe, expect, test } from 'vitest'
import { fieldChoices } from '../../../../../src/commands/shared/kit-page/search/fields.js'
import {
  chooseField,
  hasFilter,
  parseQuery,
  toggleFilter,
  withoutField,
} from '../../../../../src/commands/shared/kit-page/search/query.js'
import { createIndex, search } from '../../../../../src/commands/shared/kit-page/search/search.js'
import { asset, kit } from './kit.js'

const assets = [
  asset('Arrow Left', { keywords: ['navigation'] }),
  asset('Hero Photo', { type: 'JPG', notes: 'An arrow in the sand', colors: ['rgb(20 80 160)'] }),
  asset('Coral', { type: 'COLOR', kind: 'color', color: color('#e5603f') }),
  asset('Sun', { type: 'COLOR', kind: 'color', color: color('#f4ab33') }),
  asset('Café Menu', { type: 'PDF', kind: 'file' }),
  asset('Большой логотип'),
]
const index = createIndex(kit(...assets))
const used = (uuid: string): boolean => uuid === assets[0]?.uuid

function color(hex: string) {
  return {
    css: hex,
    hex,
    alpha: 1,
    rgb: [0, 0, 0] as [number, number, number],
    hsb: [0, 0, 0] as [number, number, number],
  }
}
const names = (text: string): string[] => search(index, text, used).assets.map(({ name }) => name)

describe('the search', () => {
  test.each([
    ['arrow', ['Arrow Left', 'Hero Photo']],
    ['arow', ['Arrow Left', 'Hero Photo']],
    ['left arrow', ['Arrow Left']],
    ['arrowLeft', ['Arrow Left']],
    ['navigation', ['Arrow Left']],
    ['cafe', ['Café Menu']],
    ['логотип', ['Большой логотип']],
    ['jpg', ['Hero Photo']],
    ['#e56040', ['Coral']],
    ['#E64', ['Coral']],
    ['orange', ['Sun']],
    ['color:tomato', ['Coral']],
    ['type:jpg', ['Hero Photo']],
    ['type:color', ['Coral', 'Sun']],
    ['type:jpg,pdf', ['Hero Photo', 'Café Menu']],
    ['used', ['Arrow Left']],
    ['arrow unused', ['Hero Photo']],
    ['type:svg is:unused', ['Большой логотип']],
    ['zzzzzz', []],
  ])('finds for %s', (text, found) => {
    expect(names(text)).toEqual(found)
  })

  test('finds everything for an empty query, in the order of the kit', () => {
    expect(search(index, '  ', used)).toEqual({ assets, isRanked: false })
    expect(search(index, '#e5', used).assets).toEqual(assets)
  })

  test('ignores usage filters if usage is unknown', () => {
    expect(search(index, 'used').assets).toEqual(assets)
  })

  test('suggests a text that finds something', () => {
    expect(search(index, 'navgatoin').suggestion).toBe('navigation')
    expect(search(index, 'color:corl').suggestion).toBe('coral')
    expect(search(index, 'qqqqqqqqqq').suggestion).toBeUndefined()
  })
})

describe('custom fields', () => {
  const content = kit(
    asset('Poster', { fields: { rights: 'Web', Regions: ['EU', 'Asia'], width: 40 } }),
    asset('Banner', { fields: { rights: 'Print  only', Regions: ['EU'] } }),
    asset('Flag', { type: 'PNG', fields: { rights: 'Print  only' } }),
    asset('Sign'),
  )
  content.fields = [
    { key: 'width', name: 'Width', type: 'number' },
    { key: 'rights', name: 'Rights', type: 'select', options: ['Print  only', 'Never', 'Web'] },
    { key: 'Regions', name: 'Regions', type: 'checklist' },
  ]
  const fieldIndex = createIndex(content)
  const find = (text: string) => search(fieldIndex, text).assets
  const choices = (text: string) => fieldChoices(content, text, find(text), find)
  test.each([
    ['rights=web', ['Poster']],
    ['rights="print only"', ['Banner', 'Flag']],
    ['rights=web rights="print only" type:svg', ['Poster', 'Banner']],
    ['regions=EU', ['Poster', 'Banner']],
    ['regions=EU rights=web', ['Poster']],
    ['width=40', ['Poster']],
    ['rights=', ['Poster', 'Banner', 'Flag', 'Sign']],
    ['rights="print only', ['Banner', 'Flag']],
    ['rights=we', []],
    ['nothing=web', []],
    ['asia', ['Poster']],
  ])('filter for %s', (text, found) => {
    expect(find(text).map(({ name }) => name)).toEqual(found)
  })

  test('have choices with counts of what each would find', () => {
    const [rights, regions] = choices('')
    expect(rights).toEqual({
      key: 'rights',
      name: 'Rights',
      values: [
        ['Print  only', 2],
        ['Web', 1],
      ],
    })
    expect(regions?.values).toEqual([
      ['EU', 2],
      ['Asia', 1],
    ])
    expect(choices('rights=web type:svg').map(({ values }) => values.map(([, count]) => count))).toEqual([
      [1, 1],
      [1, 1],
    ])
  })

  test('are part of the text', () => {
    const chosen = chooseField('leaf rights=web', 'rights', 'Print  "only"')
    expect(chosen).toBe('leaf rights="Print  only"')
    expect(parseQuery(chosen).fields).toEqual(new Map([['rights', ['print only']]]))
    expect(toggleFilter(chosen, 'type:svg')).toBe(`${chosen} type:svg`)
    expect([withoutField(chosen, 'rights'), chooseField(chosen, 'rights', '')]).toEqual(['leaf', 'leaf'])
  })
})

test('finds assets by their captions, guides and galleries', () => {
  const [one, two, three] = [asset('One'), asset('Two'), asset('Three')]
  const content = kit(one, two, three)
  const [section] = content.sections
  if (section)
    section.items = [
      { asset: one.uuid, caption: 'On paper' },
      { asset: two.uuid, guide: { title: "Don't", content: 'stretch it' } },
      { gallery: 'Campaign', assets: [three.uuid] },
    ]
  const found = (text: string) => search(createIndex(content), text).assets.map(({ name }) => name)
  expect([found('paper'), found('stretch'), found('campaign')]).toEqual([['One'], ['Two'], ['Three']])
})

describe('filters', () => {
  test('are words of the text', () => {
    expect(toggleFilter('leaf', 'type:svg')).toBe('leaf type:svg')
    expect(toggleFilter('leaf type:svg', 'type:svg')).toBe('leaf')
    expect(toggleFilter('unused leaf', 'used')).toBe('leaf used')
    expect([hasFilter('Type:SVG', 'type:svg'), hasFilter('leaf', 'used')]).toEqual([true, false])
  })

  test('are told from words', () => {
    expect(parseQuery('type:svg,png leaf  #abc is:used green')).toEqual({
      types: ['svg', 'png'],
      usage: 'used',
      colors: ['#abc'],
      fields: new Map(),
      words: 'leaf green',
    })
  })
})
