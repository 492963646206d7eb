import { fc } from '../../support/random.js'
import { describe, expect, test } from 'vitest'
import { escapeHidden, jsonText, oneLine, safeLines, shortLines } from '../../../src/text/display.js'
import { hostileTexts, meaningful, steered, steering } from '../../support/hostile-texts.js'

const units = fc.constantFrom(
  '#',
  '[',
  ':',
  '::',
  '##',
  '##[',
  '##vso[',
  '##teamcity[',
  ' ',
  '\n',
  '\r',
  '\t',
  '\u001B',
  '\u009B',
  '\u202E',
  '\u200D',
  '\uFEFF',
  '\u{E0041}',
  '\uD800',
  'a',
  'ß',
  '漢',
  '\\',
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(units, { maxLength: 20 }).map((list) => list.join('')),
  fc.constantFrom(...hostileTexts),
)

describe('one line', () => {
  test("is one line without control characters, and doesn't change when it is made safe again", () => {
    fc.assert(
      fc.property(text, (given) => {
        const line = oneLine(given)
        expect(steered(line)).toEqual([])
        expect(line).not.toContain('\n')
        expect(oneLine(line)).toBe(line)
      }),
    )
  })

  test.each([
    ['Acme Logo', 'Acme Logo'],
    ['שלום हिन्दी ロゴ Größe 🙂 a:b C# #1 [x]', 'שלום हिन्दी ロゴ Größe 🙂 a:b C# #1 [x]'],
    ['std::vector', 'std::vector'],
    ['a\u001B[31mb', 'a\\u{1b}[31mb'],
    ['a\r\nb\tc\u2028d', 'a  b c d'],
    ['a\u202Eb\u{E0041}', 'a\\u{202e}b\\u{e0041}'],
    ['::add-mask::x', ': :add-mask::x'],
    ['  :::x', '  : : :x'],
    ['x ##[error] ##vso[a] ##TeamCity[a', 'x # #[error] # #vso[a] # #TeamCity[a'],
  ])('of %j is %j', (given, line) => expect(oneLine(given)).toBe(line))

  test('keeps intended line feeds, and makes each line safe', () => {
    fc.assert(
      fc.property(text, (given) => {
        const lines = safeLines(given)
        expect(steered(lines)).toEqual([])
        expect(lines.split('\n')).toHaveLength(given.split('\n').length)
      }),
    )
  })
})

test('long lines of messages are cut in the middle, between letters', () => {
  const line = `Logo ${'😀'.repeat(5000)} is damaged.`
  expect(shortLines(`${line}\n${'a'.repeat(1000)}`)).toBe(
    `Logo ${'😀'.repeat(595)}…${'😀'.repeat(288)} is damaged.\n${'a'.repeat(1000)}`,
  )
  const emoji = '😀'.repeat(1000)
  expect(shortLines(emoji)).toBe(emoji)
})

describe('JSON', () => {
  test('keeps its value, and contains no control characters', () => {
    fc.assert(
      fc.property(
        fc.oneof(text, fc.jsonValue(), fc.dictionary(text, text, { noNullPrototype: true })),
        fc.constantFrom(0, 2),
        (value, space) => {
          const json = jsonText(value, space)
          expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(value)))
          expect(steered(json)).toEqual([])
          expect(escapeHidden(json)).toBe(json)
        },
      ),
    )
  })

  test('keeps letters of every script readable', () => {
    expect(jsonText({ name: 'שלום हिन्दी ロゴ Größe 🙂' })).toBe('{"name":"שלום हिन्दी ロゴ Größe 🙂"}')
  })
})

test('the hostile texts contain control characters without any treatment', () => {
  expect(Object.entries(steering).filter(([, one]) => steered(one).length === 0)).toEqual([])
  expect(Object.values(meaningful).filter((one) => steered(one).length > 0)).toEqual([meaningful['lone surrogate']])
})
