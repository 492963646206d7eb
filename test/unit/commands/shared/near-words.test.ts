import { expect, test } from 'vitest'
import { createIndex, search } from '../../../../src/commands/shared/kit-page/search/search.js'
import { nearNames, synonymsOf } from '../../../../src/commands/shared/near-words.js'
import { asset, kit } from '../browse/page/kit.js'

const color = (name: string, css: string) =>
  asset(name, { type: 'COLOR', kind: 'color', color: { css, hex: css, alpha: 1, rgb: [0, 0, 0], hsb: [0, 0, 0] } })

const icon = (name: string) => asset(name, { synonyms: synonymsOf(name) })

const assets = [
  color('Primary', '#01796f'),
  color('Accent', '#f4ab33'),
  asset('Forest Photo', { type: 'JPG', colors: ['#2b5d34'] }),
  icon('gear'),
  icon('SettingsOutline'),
  icon('icon/cog-24'),
  icon('trash'),
  icon('Home'),
  icon('User'),
]
const index = createIndex({ ...kit(...assets), colorNames: nearNames(assets) })
const names = (text: string): string[] => search(index, text).assets.map(({ name }) => name)

test.each([
  ['pine', ['Primary']],
  ['Pine', ['Primary']],
  ['color:pine', ['Forest Photo', 'Primary']],
  ['pine type:svg', []],
  ['constructor', []],
  ['gear', ['gear', 'SettingsOutline', 'icon/cog-24']],
  ['settings', ['SettingsOutline', 'gear', 'icon/cog-24']],
  ['cog', ['icon/cog-24', 'gear', 'SettingsOutline']],
  ['delete', ['trash']],
  ['house', ['Home']],
  ['account', ['User']],
])('finds for %s by near meaning', (text, found) => {
  expect(names(text)).toEqual(found)
})

test('a kit gets only names that are close to its own colors', () => {
  expect(nearNames([asset('Photo')])).toEqual({})
  const near = nearNames(assets.slice(0, 1))
  expect(near).toHaveProperty('pine', '#2b5d34')
  expect(near).not.toHaveProperty('sand')
  expect(near).not.toHaveProperty('teal')
})
