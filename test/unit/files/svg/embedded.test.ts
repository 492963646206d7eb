import { expect, test } from 'vitest'
import { findActive } from '../../../../src/files/svg/check.js'
import { sanitizeSvg } from '../../../../src/files/svg/sanitize.js'
import { svg } from '../../../support/svg-corpus.js'

const png = 'iVBORw0KGgo='
const image = (href: string) => svg(`<image href="${href}" width="9" height="9"/>`)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const hrefIn = (text: string | undefined) => /<image href="([^"]*)"/.exec(text ?? '')?.[1]

test.each([
  ['data:;base64,', png],
  ['data:img/png;base64,', png],
  ['data:image/svg+xml;base64,', png],
  ['data:image/png;charset=utf-8;base64,', png],
  ['data:image/png;base64,', png.replace('=', '%3D')],
  [' DATA:image/png ; BASE64,', `iVBO\nRw0KGgo=`],
  ['data:image/png,', '%89PNG%0D%0A%1A%0A'],
])('a picture keeps its bytes and gets its own type: %s', (start, data) => {
  const clean = sanitizeSvg(image(start + data))
  expect(hrefIn(clean)).toBe(`data:image/png;base64,${png}`)
  expect(findActive(Buffer.from(clean ?? ''))).toEqual([])
})

test.each([
  ['JPEG', '/9j/4AAQSkY=', 'image/jpeg'],
  ['GIF', 'R0lGODlhAQA=', 'image/gif'],
  ['WebP', 'UklGRgAAAABXRUJQVlA4', 'image/webp'],
  ['AVIF', 'AAAAHGZ0eXBhdmlm', 'image/avif'],
  ['BMP', 'Qk0AAAAAAAAAAA==', 'image/bmp'],
])('the type of %s is known by its bytes', (_, data, type) =>
  expect(hrefIn(sanitizeSvg(image(`data:;base64,${data}`)))).toBe(`data:${type};base64,${data}`),
)

const inner = svg('<script>hit()</script><circle r="9"/>')

test.each([
  ['in base64', `data:image/svg+xml;base64,${base64(inner)}`],
  ['in percent', `data:image/svg+xml,${encodeURIComponent(inner)}`],
  ['in UTF-8', `data:image/svg+xml;utf8,${encodeURIComponent(inner)}`],
])('a drawing in a drawing is sanitized: %s', (_, address) => {
  expect(findActive(Buffer.from(image(address)))).not.toEqual([])
  const clean = sanitizeSvg(image(address)) ?? ''
  expect(findActive(Buffer.from(clean))).toEqual([])
  const drawing = Buffer.from(hrefIn(clean)?.split(',')[1] ?? '', 'base64').toString()
  expect(drawing).toContain('<circle r="9"/>')
  expect(drawing).not.toContain('script')
})

test('nested drawings are kept up to a maximum depth', () => {
  const nested = (depth: number): string =>
    depth === 0 ? svg('<circle r="9"/>') : image(`data:image/svg+xml;base64,${base64(nested(depth - 1))}`)
  expect(findActive(Buffer.from(nested(4)))).toEqual([])
  expect(findActive(Buffer.from(nested(5)))).toEqual(['more than 4 drawings in each other'])
  expect(findActive(Buffer.from(sanitizeSvg(nested(6)) ?? ''))).toEqual([])
})

test.each(['a', 'use', 'textPath', 'linearGradient', 'mpath'])(
  "<%s> can't refer to a drawing in a data URI",
  (name) => {
    const text = svg(`<${name} href="data:image/svg+xml;base64,${base64(svg(''))}"/>`)
    expect(findActive(Buffer.from(text))).toEqual([`href= of <${name}>`])
    expect(sanitizeSvg(text)).not.toContain('data:')
  },
)

test("anything that isn't a picture is removed", () => {
  for (const data of ['text/html,<b>', 'image/png;base64,PGI+', ';base64,H4sIAAAA', 'image/svg+xml,<b/>'])
    expect([data, hrefIn(sanitizeSvg(image(`data:${data.replaceAll('<', '&lt;')}`)))]).toEqual([
      data,
      data.startsWith('image/png') ? `data:${data}` : undefined,
    ])
})
