import { describe, expect, test } from 'vitest'
import { hasFilter, parseQuery, toggleFilter } from '../../../src/browser/search/query.js'
import { createIndex, search } from '../../../src/browser/search/search.js'
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

  test('finds everything for nothing, in the order of the kit', () => {
    expect(search(index, '  ', used)).toEqual({ assets, isRanked: false })
    expect(search(index, '#e5', used).assets).toEqual(assets)
  })

  test('ignores filters of usage where nothing is known about it', () => {
    expect(search(index, 'used').assets).toEqual(assets)
  })

  test('suggests a text that finds something', () => {
    expect(search(index, 'navgatoin').suggestion).toBe('navigation')
    expect(search(index, 'qqqqqqqqqq').suggestion).toBeUndefined()
  })
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
      words: 'leaf green',
    })
  })
})
