import { describe, expect, test } from 'vitest'
import { suggestion } from '../../../src/text/nearest.js'

describe('a suggestion', () => {
  test.each([
    ['acmeLgo', ['heroPhoto', 'acmeLogo'], 'Did you mean acmeLogo?'],
    ['sgv', ['PNG', 'SVG'], 'Did you mean SVG?'],
    ['photo', ['photos', 'logos'], 'Did you mean photos?'],
    ['sunn', ['photos', 'sun-0f890115', 'sun-04c679ae'], 'Did you mean sun-04c679ae, sun-0f890115?'],
    ['sunIcon', ['sun_0F890115', 'moon_04C679AE'], 'Did you mean sun_0F890115?'],
    ['sun-0f890116', ['sun-0f890115', 'moon'], 'Did you mean sun-0f890115?'],
    ['zebra', ['logos-04c679ae', 'icons'], 'Available sections: icons, logos-04c679ae.'],
    ['zebra', ['logos', 'icons'], 'Available sections: icons, logos.'],
    ['brand', [], 'There are no sections.'],
  ])('for %s among %j is %s', (name, candidates, expected) => {
    expect(suggestion(name, candidates, 'sections')).toBe(expected)
  })

  test('lists at most ten', () => {
    const names = Array.from({ length: 20 }, (_, index) => `icon-${String(index).padStart(2, '0')}`)
    expect(suggestion('x', names)).toMatch(/^Available values: (icon-\d\d, ){10}…\.$/)
  })
})
