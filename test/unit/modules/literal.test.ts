import * as fc from 'fast-check'
import { parseSync } from 'oxc-parser'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { code, literal } from '../../../src/modules/literal.js'

const evaluate = (text: string): unknown => runInThisContext(`(${text})`)

/** What JSON can say, with keys and texts that break careless emitters. */
const value = fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' })
const nasty = fc.dictionary(
  fc.constantFrom('__proto__', 'constructor', '</script>', '\u2028', "'", '"', '`${1}`', '*/', 'a-b', '0'),
  fc.constantFrom<unknown>('</script>', '\u2028\u2029', '`${process.exit()}`', '*/', "'\"\\", '\0', null, -1e-7, 1e21, [], {}),
  { noNullPrototype: true },
)

test('evaluates to the value it was made of', () => {
  fc.assert(
    fc.property(fc.oneof(value, nasty), (made) => {
      const text = literal(made)
      expect(evaluate(text)).toEqual(made)
      expect(text).not.toMatch(/[<\u2028\u2029]/)
    }),
    { numRuns: 1000 },
  )
})

test('is one expression, so that bundlers can drop it', () => {
  fc.assert(
    fc.property(nasty, (made) => {
      const { program, errors } = parseSync('a.js', `export default ${literal(made)}`)
      expect(errors).toEqual([])
      expect(program.body).toHaveLength(1)
    }),
  )
})

test('__proto__ is a property like any other', () => {
  const made = evaluate(literal(JSON.parse('{ "__proto__": { "polluted": true } }')))
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
  expect(Object.keys(Object(made))).toEqual(['__proto__'])
})

test('drops what is undefined, and puts out code as it is', () => {
  expect(literal({ a: undefined, b: [undefined, code('x + 1')], 'c d': code('y') })).toBe('{b:[null,x + 1],"c d":y}')
  expect(literal(undefined)).toBe('undefined')
})
