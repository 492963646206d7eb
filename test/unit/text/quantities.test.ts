import { expect, test } from 'vitest'
import { countText, durationText, sizeText } from '../../../src/text/quantities.js'
import { isReservedOnWindows } from '../../../src/text/windows-names.js'

test('counts, sizes and durations are readable', () => {
  expect([countText(1, 'file'), countText(0, 'entry', 'entries')]).toEqual(['1 file', '0 entries'])
  expect([sizeText(0), sizeText(22_100), sizeText(38e6)]).toEqual(['0 B', '22.1 kB', '38 MB'])
  expect([0.2, 119, 300, 99_999].map(durationText)).toEqual(['1 s', '119 s', '5 min', '28 h'])
})

test('device names are reserved on Windows', () => {
  expect(['con', 'NUL', 'com1', 'lpt²'].every(isReservedOnWindows)).toBe(true)
  expect(['console', 'com', 'com10', 'icon'].some(isReservedOnWindows)).toBe(false)
})
