import { expect, test } from 'vitest'
import { picturesIn } from '../../../../src/commands/shared/findings/pictures-in.js'

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path fill="#e5603f" d="M2 2h20v6H8z"/></svg>'
const single = drawing.replaceAll('"', "'")
/** Encodes only as much as browsers require. */
const partly = single.replace(/[#<>%]/g, encodeURIComponent)
const entities = drawing.replaceAll('"', '&quot;')

test.each([
  ['an element', drawing],
  ['JSX', `const a = <b>${drawing}</b>`],
  [';utf8 in CSS', `a { background: url("data:image/svg+xml;utf8,${single}") }`],
  [';charset in CSS', `a { background: url('data:image/svg+xml;charset=utf-8,${drawing}') }`],
  ['upper case', `a { background: url("DATA:IMAGE/SVG+XML;UTF8,${single}") }`],
  ['CSS without quotes', `a { background: url(data:image/svg+xml,${single.replace('#', '%23')}) }`],
  ['CSS with escaped quotes', `a { background: url("data:image/svg+xml;utf8,${drawing.replaceAll('"', '\\"')}") }`],
  ['CSS on several lines', `a { background: url("data:image/svg+xml,${single.replace('><', '>\\\n<')}") }`],
  ['a part encoded', `a { background: url("data:image/svg+xml,${partly}") }`],
  ['a part encoded, without quotes', `a { background: url(data:image/svg+xml,${partly}) }`],
  ['all encoded', `a { background: url(data:image/svg+xml,${encodeURIComponent(drawing)}) }`],
  ['Base64', `a { background: url(data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}) }`],
  ['an attribute', `<img src="data:image/svg+xml;utf8,${single}">`],
  ['an attribute in single quotes', `<img src='data:image/svg+xml,${drawing}'>`],
  [
    'an attribute with entities',
    `<img src="data:image/svg+xml,${entities.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}">`,
  ],
  ['a style attribute', `<i style="background: url('data:image/svg+xml;utf8,${entities}')">`],
  [
    'a style attribute with quotes as entities',
    `<i style="background: url(&quot;data:image/svg+xml,${single}&quot;)">`,
  ],
  ['a string', `const a = "data:image/svg+xml;utf8,${single}"`],
  ['a string with escaped quotes', `const a = 'data:image/svg+xml,${single.replaceAll("'", "\\'")}'`],
  ['a template', `const a = \`data:image/svg+xml,${drawing}\``],
  ['JSON', JSON.stringify({ a: `data:image/svg+xml,${drawing}` })],
  ['JSON for scripts', `{"a":"data:image/svg+xml,${single.replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')}"}`],
])('finds a drawing once: %s', (_, text) => {
  const found = picturesIn(text).map(({ bytes }) => Buffer.from(bytes).toString().replaceAll("'", '"'))
  expect(found).toEqual([drawing])
})

test('keeps the styles of a drawing in a data URI', () => {
  const styled = `<svg viewBox='0 0 9 9'><style>.a { fill: red }</style></svg>`
  const [found] = picturesIn(`a { background: url("data:image/svg+xml;utf8,${styled}") }`)
  expect(Buffer.from(found?.bytes ?? []).toString()).toBe(styled)
})

test('reads data of many megabytes, and addresses without an end', () => {
  const data = 'A'.repeat(12_000_000)
  expect(picturesIn(`<img src="data:image/png;base64,${data}">`).map(({ bytes }) => bytes.length)).toEqual([9_000_000])
  expect(picturesIn('url(data:image/svg+xml,<svg'.repeat(100_000))).toEqual([])
})
