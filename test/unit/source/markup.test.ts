import { expect, test } from 'vitest'
import { readPage, splitCandidates } from '../../../src/source/html.js'
import { scanMarkup } from '../../../src/source/uses.js'
import { idsInStyleSheet } from '../../../src/source/style-sheet.js'

const id = 'content-space:asset/brand/logo'
const idsIn = (code: string, preprocessor = false) =>
  idsInStyleSheet(code, { preprocessor }).map(({ id: found, fragment }) => found + fragment)

test.each([
  ['an address without quotes', `a { b: url(${id}) }`, [id]],
  ['quotes and spaces', `a { b: url( "${id}?w=640;1280&format=webp" ) }`, [`${id}?w=640;1280&format=webp`]],
  ['an escaped character', `a { b: url(content-space:asset/brand/logo\\?w=1) }`, [`${id}?w=1`]],
  ['functions with strings', `a { b: image-set("${id}" 1x, url('${id}?w=2') 2x) }`, [id, `${id}?w=2`]],
  ['a fragment', `a { b: url(${id}#icon) }`, [`${id}#icon`]],
  ['a color in the query', `a { b: url("${id}?background=#fff") }`, [`${id}?background=#fff`]],
  ['an address that a compiler has changed', `a { b: url("../parts/${id}") }`, [id]],
  ['a custom property', `a { --logo: url(${id}) }`, [id]],
  ['text, comments and other addresses', `/* url(${id}) */ a { content: "${id}"; b: url(x.svg) }`, []],
  ['a selector', `a[href="${id}"] { color: red }`, []],
])('finds ids in a style sheet: %s', (_, code, expected) => {
  expect(idsIn(code)).toEqual(expected)
})

test('finds strings in languages that compile to CSS, but not line comments', () => {
  const code = `// url(${id}) don't\n$logo: '${id}'; a { b: url(http://x/y.svg); c: url("${id}?w=1") } // "${id}"`
  expect(idsIn(code, true)).toEqual([id, `${id}?w=1`])
})

test('gives the range that a URL replaces', () => {
  for (const code of [`a{b:url(${id}?w=1)}`, `a{b:url( '${id}?w=1' )}`, `a{b:image-set("${id}?w=1" 1x)}`]) {
    const [found] = idsInStyleSheet(code)
    expect(code.slice(found?.start, found?.end)).toBe(`${id}?w=1`)
  }
})

test('reads the attributes of a page that begin with an id', () => {
  const { attributes, styles, scripts } = readPage(
    [
      `<!doctype html><meta name="description" content="${id}"><meta property="og:image" content="${id}?w=1&amp;h=2">`,
      `<!-- ${id} --><img alt="${id}" src=${id} srcset="a.png 1x, ${id} 2x"><noscript><img src="${id}"></noscript>`,
      `<template><svg><use xlink:href="${id}#x"/></svg></template><p data-logo="${id}">${id}</p>`,
      `<style>a { b: url(${id}) }</style><div style="b: url(${id})"></div><script>import '${id}'</script>`,
    ].join('\n'),
  )
  expect(attributes.map(({ element, name, value, form, line }) => [element, name, value, form, line])).toEqual([
    ['meta', 'content', `${id}?w=1&h=2`, 'image', 1],
    ['img', 'src', id, 'address', 2],
    ['img', 'srcset', `a.png 1x, ${id} 2x`, 'candidates', 2],
    ['img', 'src', id, 'address', 2],
    ['use', 'xlink:href', `${id}#x`, 'address', 3],
    ['p', 'data-logo', id, 'other', 3],
  ])
  expect(styles.map(({ text, attribute, line }) => [text, attribute, line])).toEqual([
    [`a { b: url(${id}) }`, undefined, 4],
    [`b: url(${id})`, 'style', 4],
  ])
  expect(scripts.map(({ text }) => text)).toEqual([`import '${id}'`])
})

test('splits the candidates of a srcset', () => {
  expect(splitCandidates(`${id}?w=1;2,  b.png 2x,\n c.png 640w,${id}?w=1,2 ,data:image/png;base64,AA== 3x,`)).toEqual([
    { address: `${id}?w=1;2`, descriptor: '' },
    { address: 'b.png', descriptor: '2x' },
    { address: 'c.png', descriptor: '640w' },
    { address: `${id}?w=1,2`, descriptor: '' },
    { address: 'data:image/png;base64,AA==', descriptor: '3x' },
  ])
})

test.each([
  ['a.css', `\n@import './b.css';\na { b: url(${id}) }`, [3]],
  ['a.scss', `// '${id}'\n$a: '${id}';`, [2]],
  [
    'App.vue',
    `<template><img src="${id}"></template>\n<style lang="scss">\n// '${id}'\na { b: url(${id}) }</style>`,
    [4],
  ],
  ['page.html', `<img\n  src="${id}">\n<style>\na { b: url(${id}) }</style>`, [2, 4]],
  ['page.html', `<script type="application/ld+json">\n{ "logo": "${id}", "name": "id" }</script>`, [2]],
  ['main.ts', `import logo from '${id}'`, []],
])('scans %s for places that take an address', async (file, code, lines) => {
  const uses = await scanMarkup(code, file)
  expect(uses).toEqual(lines.map((line) => ({ specifier: id, file, line, names: ['default'], isAddress: true })))
})
