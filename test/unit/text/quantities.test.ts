import { expect, test } from 'vitest'
import { countText, durationText, sizeText } from '../../../src/text/quantities.js'
import { isReservedOnWindows } from '../../../src/text/windows-names.js'

test('counts, sizes and durations are readable', () => {
  expect([countText(1, 'file'), countText(0, 'entry', 'entries')]).toEqual(['1 file', '0 entries'])
  expect([sizeText(0), sizeText(22_100), sizeText(38e6)]).toEqual(['0 B', '22.1 kB', '38 MB'])
  expect([durationText(0.2), durationText(119), durationText(300)]).toEqual(['1 s', '119 s', '5 min'])
})

test('device names are reserved on Windows', () => {
  expect(['con', 'NUL', 'com1', 'lpt²'].every(isReservedOnWindows)).toBe(true)
  expect(['console', 'com', 'com10', 'icon'].some(isReservedOnWindows)).toBe(false)
})
