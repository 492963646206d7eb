import { expect, test } from 'vitest'
import { groundFor, lookAt } from '../../../../../src/commands/browse/page/preview/look.js'

const pixels = (...colors: number[][]) => new Uint8ClampedArray(colors.flat())
const white = [255, 255, 255, 255]
const black = [0, 0, 0, 255]
const red = [229, 96, 63, 255]
const none = [0, 0, 0, 0]

test.each([
  ['white', [white, none], 'dark', 'dark'],
  ['black', [black, none], 'light', 'light'],
  ['a color', [red, none], 'light', 'dark'],
  ['mostly white', [white, white, white, red, none], 'dark', 'dark'],
  ['nothing', [none], 'light', 'dark'],
])('chooses a ground for %s', (_, colors, onLightPage, onDarkPage) => {
  const look = lookAt(pixels(...colors))
  expect(look.isOpaque).toBe(false)
  expect([groundFor(look, false), groundFor(look, true)]).toEqual([onLightPage, onDarkPage])
})

test('sees that a picture has no transparent part', () => {
  expect(lookAt(pixels(white, red)).isOpaque).toBe(true)
})
