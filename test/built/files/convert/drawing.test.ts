import { expect, test } from 'vitest'
import { makeDrawing } from '../../../../src/files/convert/drawing.js'
import { svg } from '../../../support/svg-corpus.js'

const optimize = (text: string) =>
  makeDrawing(Buffer.from(text), { kind: 'svg', policy: 'sanitize', svgo: true }, () => {})

test('an optimized drawing that renders the same is used', async () => {
  const text = svg('<g><path fill="#ff0000" d="M 10.00000 10 L 20.00000 20"/></g>')
  const { svg: made, notes } = await optimize(text)
  expect(made.length).toBeLessThan(text.length)
  expect(notes).toEqual([])
})

test.each([
  ['svgo would change it', svg('<polygon points="9 9 50 9 50 50 9" fill="#00f"/>'), 'svgo would change how it renders'],
  [
    'it draws nothing',
    '<svg xmlns="http://www.w3.org/2000/svg"><symbol id="a"><path d="M0 0h9v9z"/></symbol></svg>',
    'it draws nothing on its own, so the result of svgo cannot be checked',
  ],
  ['svgo fails on it', svg('<path style="transform:none;illegal" d="M0 0h9v9z"/>'), 'svgo fails on it'],
])('a drawing stays as it is if %s', async (_, text, reason) => {
  const { svg: made, notes } = await optimize(text)
  expect([Buffer.from(made).toString(), notes]).toEqual([text, [`is not optimized: ${reason}`]])
})

test('the rules that an inline drawing loses are reported', async () => {
  const text = svg('<style>@font-face{font-family:x;src:url(data:font/woff2;base64,d09GMg==)}.a{fill:red}</style>')
  const { notes } = await makeDrawing(Buffer.from(text), { kind: 'svg', policy: 'sanitize', prefix: 'p' }, () => {})
  expect(notes).toEqual(['loses @font-face of its style sheet, which would apply to the whole page'])
})
