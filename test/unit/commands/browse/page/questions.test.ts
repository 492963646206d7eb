import { expect, test } from 'vitest'
import type { AssetData } from '../../../../../src/commands/shared/kit-page/data.js'
import { createIndex, search } from '../../../../../src/commands/shared/kit-page/search/search.js'
import { asset, kit } from './kit.js'

const things = 'anchor bell cart door envelope flag gear hammer island jacket'.split(' ')
const ways = 'left right open closed small large outline filled double crossed'.split(' ')
const places = 'kitchen harbor station forest office market garden bridge desert tower'.split(' ')

/** 5,000 assets with similar names, keywords and notes. */
function manyAssets(): AssetData[] {
  return Array.from({ length: 4970 }, (_, at) => {
    const [thing = '', way = '', place = ''] = [things[at % 10], ways[Math.floor(at / 10) % 10], places[at % 7]]
    return asset(`${thing} ${way} ${at}`, {
      keywords: [thing, place],
      notes: at % 3 === 0 ? `For use in the ${place}, on any background.` : '',
    })
  })
}

/** Each question with the only asset that answers it. */
const questions: [question: string, name: string, more?: Partial<AssetData>][] = [
  ['acme logo', 'Acme Logo'],
  ['the logo for dark backgrounds', 'Acme Logo Reversed', { notes: 'On dark ground only.' }],
  ['logo one color', 'Acme Logo Mono', { keywords: ['one color'] }],
  ['where is the wordmark', 'Acme Wordmark'],
  ['favicon', 'App Symbol', { keywords: ['favicon', 'home screen'] }],
  ['payment methods icon', 'Credit Card', { keywords: ['payment', 'checkout'] }],
  ['hart', 'Heart'],
  ['magnifying glass', 'Search', { keywords: ['magnifying glass', 'find'] }],
  ['trash can', 'Delete', { keywords: ['trash', 'bin'] }],
  ['shield with a check mark', 'Security', { notes: 'A shield with a check mark.' }],
  ['hero photograph of the coast', 'Coast At Dawn', { type: 'JPG', keywords: ['hero', 'sea'] }],
  ['picture of a team in a workshop', 'Workshop', { type: 'JPG', notes: 'Our team at work.' }],
  ['mountians', 'Mountains', { type: 'JPG' }],
  ['winter campaign banner', 'Banner Winter', { type: 'PNG', keywords: ['campaign'] }],
  ['primary brand color', 'Coral', { type: 'COLOR', kind: 'color', notes: 'Our primary color.' }],
  [
    '#1f7a78',
    'Tide',
    {
      type: 'COLOR',
      kind: 'color',
      color: { css: '#1f7a78', hex: '#1f7a78', alpha: 1, rgb: [31, 122, 120], hsb: [179, 75, 48] },
    },
  ],
  ['font of headings', 'Outfit Semibold', { type: 'WOFF2', kind: 'font', notes: 'Headings.' }],
  ['press kit pdf', 'Press Kit', { type: 'PDF', kind: 'file' }],
  ['business card', 'Business Card Front'],
  ['letter paper', 'Letterhead', { keywords: ['letter', 'paper', 'stationery'] }],
  ['social media preview image', 'Open Graph Card', { keywords: ['social', 'preview'] }],
  ['loading animation', 'Spinner', { type: 'GIF', notes: 'An animation for loading.' }],
  ['empty state illustration for the inbox', 'Inbox Zero', { keywords: ['empty', 'illustration'] }],
  ['rights=exclusive', 'Portrait Of The Founder', { type: 'JPG', fields: { rights: 'Exclusive' } }],
  ['expires next year 2027-01-31', 'Fair Poster', { fields: { expires: '2027-01-31' } }],
  ['globus', 'Globe', { keywords: ['globus', 'welt', 'world'] }],
  ['Большой логотип', 'Большой Логотип'],
  ['cafe menu', 'Café Menu', { type: 'PDF', kind: 'file' }],
  ['iosBadge', 'Badge For iOS', { export: 'iosBadge' }],
  ['video thumbnail type:tiff', 'Film Still', { type: 'TIFF', keywords: ['video', 'thumbnail'] }],
]

test('finds the answer to each of 30 questions among the first three of 5,000 assets', () => {
  const answers = questions.map(([, name, more]) => asset(name, more))
  const others = manyAssets()
  const index = createIndex(kit(...others.slice(0, 2500), ...answers, ...others.slice(2500)))
  expect([index.assets.length, questions.length]).toEqual([5000, 30])
  const missed = questions.flatMap(([question, name]) => {
    const first = search(index, question)
      .assets.slice(0, 3)
      .map((found) => found.name)
    return first.includes(name) ? [] : [{ question, name, first }]
  })
  expect(missed).toEqual([])
})

test('ranks what has more of the words, and rarer ones, first', () => {
  const index = createIndex(kit(asset('Left Arrow'), asset('Left Door'), asset('Right Door'), asset('Wide Door')))
  const found = (text: string) => search(index, text).assets.map(({ name }) => name)
  expect(found('a red door to the left')).toEqual(['Left Door', 'Left Arrow'])
  expect(found('doors of brass')).toEqual(['Left Door', 'Right Door', 'Wide Door'])
  expect(found('brass key')).toEqual([])
})
