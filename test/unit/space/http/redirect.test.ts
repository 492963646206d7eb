import { expect, test } from 'vitest'
import { resolveRedirect } from '../../../../src/space/http/redirect.js'

const resolve = (from: string, to: string, insecure = false) =>
  resolveRedirect(new URL(from), to, {}, { insecure, holdsSecret: () => false }).href

test.each([
  ['https://files.example/a', 'https://other.example/b'],
  ['http://127.0.0.1:1/a', 'http://localhost:2/b'],
  ['http://127.0.0.1:1/a', 'https://files.example/b'],
])('a redirect from %s to %s is followed', (from, to) => {
  expect(resolve(from, to)).toBe(to)
})

test.each([
  ['https://files.example/a', 'http://files.example/a'],
  ['https://files.example/a', 'http://127.0.0.1:2/b'],
  ['http://10.0.0.1/a', 'http://127.0.0.1:2/b'],
  ['http://127.0.0.1:1/a', 'http://10.0.0.1/b'],
  ['https://files.example/a', 'file:///etc/passwd'],
])('a redirect from %s to %s is rejected', (from, to) => {
  expect(() => resolve(from, to)).toThrow(expect.objectContaining({ code: 'badRedirect' }))
})

test('plain http leads to plain http of other hosts only if the space is insecure', () => {
  expect(resolve('http://10.0.0.1/a', 'http://10.0.0.2/b', true)).toBe('http://10.0.0.2/b')
  expect(() => resolve('https://10.0.0.1/a', 'http://10.0.0.2/b', true)).toThrow('is not safe')
})
