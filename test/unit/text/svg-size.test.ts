import sharp from 'sharp'
import { expect, test } from 'vitest'
import { withSizeInPixels } from '../../../src/text/svg-size.js'

const sized = (attributes: string) =>
  withSizeInPixels(
    Buffer.from(
      `<?xml version="1.0"?><!-- é --><svg xmlns="http://www.w3.org/2000/svg"${attributes}><g width="1mm"/></svg>`,
    ),
  ).toString()

test.each([
  [' width="25.4mm" height="1in"', ' width="96" height="96" '],
  [" width='2.54cm' height='72pt'", " width='96' height='96' "],
  [' width="6pc" height="101.6q"', ' width="96" height="96" '],
  [' width="5em" height="2rem"', ' width="80" height="32" '],
  [' font-size="10" width="5em" height="2em"', ' font-size="10" width="50" height="20" '],
  [' width="3in" viewBox="0 0 210 297"', ' width="288" viewBox="0 0 210 297" '],
  [' viewBox="0 0 210 297"', ' viewBox="0 0 210 297" '],
  [' width="100%" height="7.5" viewBox="0 0 1 1"', ' width="100%" height="7.5" viewBox="0 0 1 1" '],
  ['', ' width="300" height="150" '],
  [' height="7"', ' height="7" width="300" '],
])('the size%s is in pixels', (attributes, expected) => {
  const text = sized(attributes)
  expect(text.replace('><g', ' ><g')).toContain(`2000/svg"${expected}><g width="1mm"/>`)
  expect(text).toContain('<!-- é -->')
})

test('a density enlarges a drawing in millimetres once', async () => {
  const svg = withSizeInPixels(
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="210mm" height="297mm" viewBox="0 0 210 297"/>'),
  )
  const { width, height } = await sharp(svg, { density: 144 }).metadata()
  expect([width, height]).toEqual([1587, 2245])
})

test('other files stay as they are', () => {
  const png = Buffer.from([0x89, 0x50, 0xff, 0x00])
  expect(withSizeInPixels(png).equals(png)).toBe(true)
})
