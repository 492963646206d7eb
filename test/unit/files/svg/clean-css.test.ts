import { expect, test } from 'vitest'
import { cleanSheet, cleanStyle } from '../../../../src/files/svg/clean-css.js'
import { styleAllowed } from '../../../../src/files/svg/rules.js'
import { fc } from '../../../support/random.js'

const kept = '.a{fill:red}'

test.each([
  ['@import url("https://e.example/a.css");', kept],
  ['@charset "utf-8";', kept],
  ['@namespace svg url(http://www.w3.org/2000/svg);svg|rect{fill:red}', `rect{fill:red}${kept}`],
  ['@namespace h url(http://www.w3.org/1999/xhtml);h|p,b{fill:red}', `b{fill:red}${kept}`],
  ['@font-face{font-family:x;src:url(https://e.example/a)}', kept],
  [
    '@font-face{font-family:x;src:url(data:application/font;base64,d09GMgABAAAAAA==)}',
    `@font-face{font-family:x;src:url(data:font/woff2;base64,d09GMgABAAAAAA==)}${kept}`,
  ],
  ['/* <b> */', kept],
  ['<!-- -->', kept],
  ['.b{fill:blue;background:url(https://e.example/a)}', `.b{fill:blue}${kept}`],
  ['.b{fill:blue;cursor:u\\72l(https://e.example/a)}', `.b{fill:blue}${kept}`],
  ['@media print{@import "a";.b{fill:blue}}', `@media print{.b{fill:blue}}${kept}`],
  ['.b{&:hover{mask:url(//e.example/a);fill:blue}}', `.b{&:hover{fill:blue}}${kept}`],
  ['@\\69mport "a";', kept],
  ['.b{behavior:url(#default)}', kept],
  ['.b{--a:url(https://e.example/a)}', kept],
  ['.b{content:"</style>"}', kept],
])('only what is active is removed from a style sheet: %s', (css, expected) => {
  const clean = cleanSheet(css + kept)
  expect(clean).toBe(expected)
  expect(cleanSheet(clean)).toBe(clean)
})

test.each(['.\\37 15ca{fill:red}', '.a\\:b{fill:red}', "text{font-family:'A\\, B'}", '.a{mask:url(#m)}'])(
  'harmless escapes and references stay as they are: %s',
  (css) => expect(cleanSheet(css)).toBe(css),
)

test.each([
  ["fill:red;-inkscape-font-specification:'Font\\, Bold'", "fill:red;-inkscape-font-specification:'Font\\, Bold'"],
  ['fill:red;background:url(https://e.example/a.png);stroke:red', 'fill:red;stroke:red'],
  ['background:url(https://e.example/a.png)', ''],
])('only what is active is removed from a style attribute: %s', (css, expected) =>
  expect(cleanStyle(css)).toBe(expected),
)

/** Returns a letter both with and without an escape. */
const spelled = (letter: string) => {
  const code = letter.charCodeAt(0).toString(16)
  return fc.constantFrom(letter, `\\${code} `, `\\${code.padStart(6, '0')}`, `\\${code}\n`, letter.toUpperCase())
}

test('no escape hides an address', () => {
  const names = fc.constantFrom('url', 'image-set', '@import ', 'expression', 'src')
  const escaped = names.chain((name) => fc.tuple(...name.split('').map(spelled))).map((letters) => letters.join(''))
  fc.assert(
    fc.property(escaped, (name) => {
      const css = `rect{mask:${name}(https://e.example/a)}`
      expect(styleAllowed(css)).toBe(false)
      expect(cleanSheet(css)).not.toContain('e.example')
    }),
  )
})
