import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { openValueCounter } from '../../../src/remote/engines/resp.js'

type Value = string | number | null | Value[]

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.string(), fc.integer(), fc.constant(null), fc.array(tie('value'))),
}))

function encode(one: Value): string {
  if (Array.isArray(one)) return `*${one.length}\r\n${one.map(encode).join('')}`
  if (one === null) return '$-1\r\n'
  if (typeof one === 'number') return `:${one}\r\n`
  return `$${Buffer.byteLength(one)}\r\n${one}\r\n`
}

test('counts values, wherever chunks end', () => {
  fc.assert(
    fc.property(fc.array(value), fc.array(fc.nat()), (values, ends) => {
      const bytes = Buffer.from(`+OK\r\n${values.map(encode).join('')}-ERR no\r\n`)
      const cuts = [0, ...ends.map((end) => end % bytes.length).toSorted((a, b) => a - b), bytes.length]
      const count = openValueCounter(bytes.length * 10)
      const counted = cuts.map((from, at) => count(bytes.subarray(from, cuts[at + 1])))
      expect(counted.reduce((sum, one) => sum + one, 0)).toBe(values.length + 2)
    }),
  )
})

test.each([
  ['a text above the limit', '$1001\r\n'],
  ['an array of such texts', `*2\r\n$900\r\n${'a'.repeat(900)}\r\n$900\r\n`],
  ['a long array', '*300\r\n'],
  ['a line above the limit', `+${'a'.repeat(1001)}`],
  ['deep arrays', '*1\r\n'.repeat(6)],
  ['a line with another line end', '+\rX$9000\r\n'],
  ['a wrong length', '$1e9\r\n'],
  ['a negative length', '*-2\r\n'],
  ['a push', '>1\r\n:1\r\n'],
  ['a wrong number', ':1a\r\n'],
])('rejects %s', (_, text) => {
  expect(() => openValueCounter(1000)(Buffer.from(text))).toThrow(RangeError)
})

test('the limit is one of each value', () => {
  const count = openValueCounter(1000)
  expect(count(Buffer.from(`$900\r\n${'a'.repeat(900)}\r\n`.repeat(3)))).toBe(3)
})
