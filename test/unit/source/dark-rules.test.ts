import { expect, test } from 'vitest'
import { darkRules } from '../../../src/source/dark-rules.js'

/** Returns a style sheet in which `LIGHT` becomes `DARK` in dark mode. */
function written(code: string, darkMode = 'media'): string {
  const ids = [...code.matchAll(/LIGHT/g)].map(({ index }) => ({ start: index, end: index + 5, dark: 'DARK' }))
  let text = code
  for (const rule of darkRules(code, ids, darkMode).toReversed()) {
    text = text.slice(0, rule.at) + rule.text + text.slice(rule.at)
  }
  return text
}

const media = (rule: string): string => ` @media (prefers-color-scheme: dark) { ${rule} }`

test.each([
  ['a picture of a short form alone', 'background: url(LIGHT) no-repeat', 'background-image: url(DARK)'],
  ['a mask', '-webkit-mask: url("LIGHT") center', '-webkit-mask-image: url("DARK")'],
  ['all layers', 'background: url(LIGHT) center, red', 'background: url(DARK) center, red'],
  [
    'all sizes',
    'background-image: image-set("LIGHT" 1x, "LIGHT" 2x)',
    'background-image: image-set("DARK" 1x, "DARK" 2x)',
  ],
  ['a property that is a picture', 'cursor: url(LIGHT), auto', 'cursor: url(DARK), auto'],
  ['a variable', '--logo: url(LIGHT)', '--logo: url(DARK)'],
  ['importance', 'content: url(LIGHT) !important', 'content: url(DARK) !important'],
])('repeats %s', (_, light, dark) => {
  expect(written(`.a, .b::before { ${light}; color: red }`)).toBe(
    `.a, .b::before { ${light}; color: red }${media(`.a, .b::before { ${dark} }`)}`,
  )
})

test('adds a rule after each rule, inside of what it is in', () => {
  const code =
    '@media print { .a { mask-image: url(LIGHT); cursor: url(LIGHT), auto } } .b { .c { content: url(LIGHT) } }'
  expect(written(code)).toBe(
    '@media print { .a { mask-image: url(LIGHT); cursor: url(LIGHT), auto }' +
      `${media('.a { mask-image: url(DARK); cursor: url(DARK), auto }')} }` +
      ` .b { .c { content: url(LIGHT) }${media('.c { content: url(DARK) }')} }`,
  )
})

test.each([
  ['.dark', ':where([class~="dark"], [class~="dark"] *)'],
  ['[data-theme=dark]', ':where([data-theme=dark], [data-theme=dark] *)'],
])('follows %s of the element or one around it', (mode, condition) => {
  const code = ':root, .a > b::before, .c:hover:after { content: url(LIGHT) }'
  const selectors = `:root${condition}, .a > b${condition}::before, .c:hover${condition}:after`
  expect(written(code, mode)).toBe(`${code} ${selectors} { content: url(DARK) }`)
})

test.each([
  '@font-face { font-family: brand; src: url(LIGHT) }',
  '@keyframes turn { from { background: url(LIGHT) } }',
  '.a { @media print { background: url(LIGHT) } }',
  '@import "LIGHT";',
])('adds nothing to %s', (code) => {
  expect(written(code)).toBe(code)
})
