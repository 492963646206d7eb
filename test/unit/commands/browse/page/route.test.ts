import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRoute, parseRoute } from '../../../../../src/commands/browse/page/route.js'

const none = { view: 'assets', search: '' }

test.each([
  ['', none],
  ['#/', none],
  ['#/brand', { ...none, kit: 'brand' }],
  ['#/brand/2/asset/hero-photo', { ...none, kit: 'brand', version: 2, asset: 'hero-photo' }],
  ['#/brand/draft/usage', { ...none, kit: 'brand', version: 0, view: 'usage' }],
  ['#/brand/changes', { ...none, kit: 'brand', view: 'changes' }],
  ['#/brand/section/icons', { ...none, kit: 'brand', section: 'icons' }],
  ['#/brand/section/icons/weather', { ...none, kit: 'brand', section: 'icons', heading: 'weather' }],
  ['#/brand?q=type%3Asvg+leaf', { ...none, kit: 'brand', search: 'type:svg leaf' }],
  ['#/brand/asset', { ...none, kit: 'brand' }],
  ['#/100%/asset/%E0%A4%A', { ...none, kit: '100%', asset: '%E0%A4%A' }],
])('reads %s', (hash, route) => {
  expect(parseRoute(hash)).toEqual(route)
})

test('writes what it reads, whatever the names are', () => {
  const name = fc.string({ minLength: 1, unit: 'grapheme' })
  fc.assert(
    fc.property(
      name,
      fc.option(fc.nat({ max: 999 }), { nil: undefined }),
      name,
      name,
      (kit, version, asset, search) => {
        const route = { ...none, kit, asset, search, ...(version !== undefined && { version }) }
        expect(parseRoute(formatRoute({ ...route, view: 'assets' }))).toEqual(route)
      },
    ),
  )
})
