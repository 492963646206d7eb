import { fc } from '../../support/random.js'
import { parseSync } from 'oxc-parser'
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { code, contentLiteral, literal } from '../../../src/modules/literal.js'

const evaluate = (text: string): unknown => runInThisContext(`(${text})`)

/** Any JSON value, with keys and texts that break careless code generators. */
const value = fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' })
const nasty = fc.dictionary(
  fc.constantFrom('__proto__', 'constructor', '</script>', '\u2028', "'", '"', '`${1}`', '*/', 'a-b', '0'),
  fc.constantFrom<unknown>(
    '</script>',
    '\u2028\u2029',
    '`${process.exit()}`',
    '*/',
    '\'"\\',
    '\0',
    null,
    -1e-7,
    1e21,
    [],
    {},
  ),
  { noNullPrototype: true },
)

test('evaluates to the original value', () => {
  fc.assert(
    fc.property(fc.oneof(value, nasty), (made) => {
      const text = literal(made)
      expect(evaluate(text)).toEqual(made)
      expect(text).not.toMatch(/[<\u2028\u2029]/)
    }),
  )
})

test('is a single expression, so that bundlers can drop it', () => {
  fc.assert(
    fc.property(nasty, (made) => {
      const { program, errors } = parseSync('a.js', `export default ${literal(made)}`)
      expect(errors).toEqual([])
      expect(program.body).toHaveLength(1)
    }),
  )
})

test('treats __proto__ as an ordinary property', () => {
  const made = evaluate(literal(JSON.parse('{ "__proto__": { "polluted": true } }')))
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
  expect(Object.keys(Object(made))).toEqual(['__proto__'])
})

test('drops undefined values, and writes code unchanged', () => {
  expect(literal({ a: undefined, b: [undefined, code('x + 1')], 'c d': code('y') })).toBe('{b:[null,x + 1],"c d":y}')
  expect(literal(undefined)).toBe('undefined')
})

/** Texts that are composed of halves of placeholders. */
const piecewise = fc.array(
  fc.constantFrom('_', '__', '!', '~', '!~{001}~', '__VITE_ASSET__', 'a', '"', '\\', '<', '\n'),
  { maxLength: 8 },
)

test('a content literal evaluates to the original value, and never contains both halves of a placeholder', () => {
  fc.assert(
    fc.property(piecewise, value, nasty, (pieces, ...others) => {
      const text = pieces.join('')
      const made = { text, [`k${text}`]: [text], others }
      const written = contentLiteral(made)
      expect(evaluate(written)).toEqual(made)
      const strings = written.replaceAll('/* @__PURE__ */', '')
      if (!JSON.stringify(others).includes('__')) expect(strings).not.toMatch(/__|!~/)
    }),
  )
})

test('content literals of strings never form a placeholder when they are joined', () => {
  fc.assert(
    fc.property(
      fc.array(
        piecewise.map((pieces) => pieces.join('')),
        { maxLength: 5 },
      ),
      (texts) => {
        const folded = texts.filter((text) => contentLiteral(text).startsWith('"')).join('')
        expect(folded).not.toMatch(/__|!~/)
      },
    ),
  )
})

test('content that cannot form a placeholder is a plain literal', () => {
  expect(contentLiteral({ name: 'a_b! ~c', a_b: 1 })).toBe('{name:"a_b! ~c",a_b:1}')
  expect(contentLiteral('__')).toBe(String.raw`/* @__PURE__ */ JSON.parse("\"_\\u005f\"")`)
})
