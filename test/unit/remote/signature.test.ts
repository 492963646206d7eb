import { expect, test } from 'vitest'
import { integrityOf } from '../../../src/disk/content.js'
import { createSigner, maxLineLength, type Subject } from '../../../src/remote/signature.js'

const subject: Subject = { kind: 'made', key: 'source\nrecipe\nsharp@1' }
const content = { size: 7, integrity: integrityOf('content') }
const { sign, open } = createSigner('secret')
const line = Buffer.from(sign(subject, content) ?? '')
  .toString()
  .replace(/\n$/, '')

test('returns the content that was signed', () => {
  expect(open(subject, line)).toEqual(content)
  expect(sign(subject, { ...content, size: 10 ** 15 - 1 })?.length).toBeLessThan(maxLineLength)
})

test.each<[string, Subject, string]>([
  ['another key of the entry', { ...subject, key: 'source\nrecipe\nsharp@2' }, line],
  ['another kind', { ...subject, kind: 'file' }, line],
  ['another size', subject, line.replace(' 7 ', ' 8 ')],
  ['another hash', subject, line.replace(content.integrity, integrityOf('other'))],
  ['another signature', subject, line.replace(/[\da-f]{64}$/, '0'.repeat(64))],
  [
    'another secret',
    subject,
    Buffer.from(createSigner('other').sign(subject, content) ?? '')
      .toString()
      .trim(),
  ],
  ['no signature', subject, 'content-space 1 7'],
  ['no text', subject, ''],
])('does not believe %s', (_, one, text) => {
  expect(open(one, text)).toBe(undefined)
})
