import { expect, test } from 'vitest'
import { xmlDecoder } from '../../../src/text/xml-decoder.js'

const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const declaring = (encoding: string) => Buffer.from(`<?xml version="1.0" encoding="${encoding}"?><svg/>`)

test.each<[string, Uint8Array, string | undefined]>([
  ['no declaration', Buffer.from('<svg/>'), 'utf-8'],
  ['an empty file', Buffer.from(''), 'utf-8'],
  ['a byte order mark of UTF-8', Buffer.concat([Buffer.from('\ufeff'), declaring('latin1')]), 'utf-8'],
  ['a declaration', declaring('ISO-8859-1'), 'windows-1252'],
  ['UTF-16, little-endian', utf16('\ufeff<svg/>'), 'utf-16le'],
  ['UTF-16, big-endian', utf16('\ufeff<svg/>').swap16(), 'utf-16be'],
  ['UTF-16 that is declared in ASCII', declaring('UTF-16'), 'utf-8'],
  ['an unknown encoding', declaring('UTF-7'), undefined],
])('%s', (_, bytes, encoding) => {
  expect(xmlDecoder(bytes)?.encoding).toBe(encoding)
})
