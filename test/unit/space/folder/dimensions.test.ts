import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { readDimensions } from '../../../../src/space/folder/dimensions.js'

const sizes: [string, string, string | undefined][] = [
  ['pixels', '<svg width="10" height="20px"/>', '10x20'],
  ['other units', '<svg width="1in" height="2.54cm"/>', '96x96'],
  ['the view box alone', '<svg viewBox="0 0 30.5 10"/>', '30.5x10'],
  ['percentages', '<svg width="100%" height="100%" viewBox="0,0,30,10"/>', '30x10'],
  ['one side and a view box', '<svg width="60" viewBox="0 0 30 10"/>', '60x20'],
  ['neither', '<svg/>', undefined],
  ['nothing to see', '<svg width="0" height="0"/>', undefined],
  [
    'comments and entities in front',
    '<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY ns "x">]><!-- <svg width="1" height="1"> --><svg xmlns:a="&ns;" width="7" height="8"/>',
    '7x8',
  ],
  ['a prefix', "<s:svg xmlns:s=\"http://www.w3.org/2000/svg\" width='7' height='8'/>", '7x8'],
]

describe('dimensions', () => {
  test.each(sizes)('of an SVG: %s', async (_name, text, expected) => {
    expect(await readDimensions('SVG', Buffer.from(text))).toBe(expected)
  })

  test('of an SVG in UTF-16', async () => {
    expect(await readDimensions('SVG', Buffer.from('\uFEFF<svg width="7" height="8"/>', 'utf16le'))).toBe('7x8')
  })

  test('of a photograph respect its orientation', async () => {
    const photo = sharp({ create: { width: 30, height: 10, channels: 3, background: '#fff' } })
    expect(await readDimensions('JPG', await photo.clone().jpeg().toBuffer())).toBe('30x10')
    expect(await readDimensions('JPG', await photo.withMetadata({ orientation: 6 }).jpeg().toBuffer())).toBe('10x30')
  })

  test.each([
    ['PNG', 'no picture'],
    ['GIF', ''],
    ['PDF', '%PDF-1.4'],
    ['SVG', 'no < markup'],
    ['SVG', ''],
  ])('of a %s of %j are unknown', async (type, text) => {
    expect(await readDimensions(type, Buffer.from(text))).toBeUndefined()
  })
})
