import { expect, test } from 'vitest'
import { digestOf } from '../../../../src/space/http/envelope.js'

const digest = (text: string, status = 200): string => digestOf({ status }, Buffer.from(text))

test.each([
  ['at the start', '{"server_clock":1,"success":true,"result":{}}'],
  ['after another field', '{ "success": true, "server_clock": 1, "result": {} }'],
  ['at the end', '{"success":true,"result":{},"server_clock":1}'],
  ['before another field at the end', '{"success":true,"result":{},"server_clock":1,"error":null}\n'],
  ['after a long result', `{"success":true,"result":{"name":"${'x'.repeat(1000)}"},"server_clock":1}`],
])('a digest does not depend on the clock %s', (_, text) => {
  expect(digest(text.replace(/(clock": ?)1/, '$1764500000'))).toBe(digest(text))
  expect(digest(text.replace('true', 'false'))).not.toBe(digest(text))
})

test.each([
  ['inside the result', '{"success":true,"result":{"server_clock":1}}'],
  ['inside the result, before its end', '{"success":true,"result":{"server_clock":1,"name":""}}'],
  ['of a list', '{"result":[{"server_clock":1}]}'],
  ['in a text', String.raw`{"result":{},"message":"\"server_clock\":1"}`],
])('a digest depends on a clock %s', (_, text) => {
  expect(digest(text.replace(/1(?=[^1]*$)/, '2'))).not.toBe(digest(text))
})

test('a digest depends on the status', () => {
  expect(digest('{}', 404)).not.toBe(digest('{}'))
})
