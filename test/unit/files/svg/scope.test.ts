import { find, generate, parse, walk, type Rule } from 'css-tree'
import { describe, expect, test } from 'vitest'
import { makeSvg } from '../../../../src/files/svg/svg.js'
import { fc } from '../../../support/random.js'
import { svg } from '../../../support/svg-corpus.js'

/** Returns the style sheet of a component. */
function scoped(
  css: string,
  policy: 'sanitize' | 'trust' = 'sanitize',
  content = '<path class="a" d="M0 0h9v9z"/>',
): string {
  const text = svg(`<style>${css.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</style>${content}`)
  const made = makeSvg(Buffer.from(text), { kind: 'svg', policy, prefix: 'p', component: true })
  const [, sheet = ''] = /<style[^>]*>(.*)<\/style>/s.exec(Buffer.from(made).toString()) ?? []
  return sheet
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}

/** Rules that prevent a style sheet from being moved into attributes. */
const kept = '.a:hover{fill:red}'
const limit = ':where(.p-scope,.p-scope *)'

/** Lists everything that applies outside the drawing. */
function leaks(css: string): string[] {
  const found: string[] = []
  walk(parse(css), (node) => {
    if (node.type === 'Atrule') {
      if (!/^(?:media|supports|container|starting-style|scope|keyframes)$/.test(node.name)) found.push(`@${node.name}`)
      if (node.name === 'keyframes' && !/^"?p-/.test(node.prelude ? generate(node.prelude) : '')) found.push('a name')
    }
    if (node.type === 'Declaration' && /[{}]/.test(generate(node))) found.push(generate(node))
  })
  walk(parse(css), {
    visit: 'Rule',
    enter(rule) {
      if (this.atrule?.name !== 'keyframes') found.push(...leaksOf(rule))
    },
  })
  return found
}

function leaksOf({ prelude, block }: Rule): string[] {
  const raw = block.children.toArray().filter(({ type }) => type === 'Raw')
  const selectors = prelude.type === 'SelectorList' ? prelude.children.toArray() : [prelude]
  const wrong = selectors.filter(
    (selector) =>
      !/:where\(\.(p-scope\d*),\.\1 \*\)/.test(generate(selector)) || find(selector, ({ type }) => type === 'Raw'),
  )
  return [...raw, ...wrong].map((node) => generate(node))
}

const hostile = [
  ':is(1a, body){display:none}',
  'svg{body:has(&){display:none}}',
  'svg{body{display:none}}',
  ':not(:has(1a)){display:none}',
  ':where(!!,body){display:none}',
  'body:where(), body{display:none}',
  ':nth-child(1 of 1a,body){display:none}',
  'body::unknown(1a){display:none}',
  '@unknown{body{display:none}}',
  '@unknown x{body{display:none}}',
  '@media !!{body{display:none}}',
  '@media print{svg{fill:red};;body:is(1a,body){display:none}}',
  '@scope (body){display:none}',
  '@keyframes a{from{body{display:none}}body{display:none}}',
  '@xkeyframes a{body{display:none}}',
  'svg{--b:"x\n}c[d="}body{display:none}"]{e:f}',
  '}body{display:none}',
  ',body{display:none}',
  'a||body{display:none}',
  'svg{@media print{body &{display:none}}}',
  'svg{a:url(x"y}body{display:none}',
  'svg{--a:(}body{display:none}',
]

describe("CSS that css-tree can't parse", () => {
  test.each(hostile)('applies nowhere: %s', (css) => {
    for (const policy of ['sanitize', 'trust'] as const) {
      const sheet = scoped(kept + css, policy)
      // The sanitizer removes style sheets that may load resources.
      if (policy === 'trust' || sheet !== '') expect(sheet).toMatch(/^\.p-a:hover:where\([^{]*\{fill:red\}/)
      expect(leaks(sheet)).toEqual([])
      expect(sheet.replaceAll(/"[^"]*"/g, '')).not.toMatch(/(?:^|[{},(;\s])body(?!:where\(\.p-scope)[^{}]*\{/)
    }
  })

  test('applies nowhere, if texts are put together', () => {
    const parts = [
      'body',
      '{',
      '}',
      ':is(',
      ')',
      '1a',
      ',',
      '&',
      ';',
      'display:none',
      '@media',
      '@scope',
      '"',
      "'",
      ' ',
    ]
    const more = [
      '@x',
      ':not(',
      '!!',
      '(',
      '[',
      ']',
      'a',
      '--a:',
      ':has(',
      '\n',
      'print',
      '/*',
      '*/',
      '.scope',
      '@layer',
      '>',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...parts, ...more), { maxLength: 30 }), (texts) => {
        expect(leaks(scoped(kept + texts.join(''), 'trust'))).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  test('applies nowhere, if a rule is in two texts', () => {
    const text = svg(`<style>${kept} bo<![CDATA[dy{display:none}]]></style><path class="a" d="M0 0"/>`)
    const made = makeSvg(Buffer.from(text), { kind: 'svg', policy: 'trust', prefix: 'p', component: true })
    expect(Buffer.from(made).toString()).toContain(`body${limit}{display:none}`)
  })
})

describe('rules of style sheets', () => {
  test.each([
    '@font-face{font-family:a}',
    '@property --a{syntax:"*";inherits:false}',
    '@page{margin:0}',
    '@charset "utf-8";',
  ])('that concern the page are removed: %s', (css) =>
    expect(scoped(css + kept, 'trust')).toBe(`.p-a:hover${limit}{fill:red}`),
  )

  test.each([
    '@counter-style a{system:cyclic}',
    '@view-transition{navigation:auto}',
    '@import "a.css";',
    '@namespace svg "http://www.w3.org/2000/svg";',
    '@layer a,b;',
  ])('that concern the page are removed under `trust`: %s', (css) =>
    expect(scoped(css + kept, 'trust')).toBe(`.p-a:hover${limit}{fill:red}`),
  )

  test.each([
    ['@layer a{.a{fill:red}}', `.p-a${limit}{fill:red}`],
    ['@media print{.a{fill:red}}', `@media print{.p-a${limit}{fill:red}}`],
    ['@supports (color:red){@layer{.a{fill:red}}}', `@supports (color:red){.p-a${limit}{fill:red}}`],
    ['@starting-style{.a{fill:red}}', `@starting-style{.p-a${limit}{fill:red}}`],
    [
      '@scope (.b) to (.c){:scope{fill:red}}',
      `@scope (.p-b:where(.p-scope2,.p-scope2 *)) to (.p-c){:scope:where(.p-scope2,.p-scope2 *){fill:red}}`,
    ],
    [
      '@keyframes "spin"{to{fill:red}}.a{animation:"spin" 1s}',
      `@keyframes "p-spin"{to{fill:red}}.p-a${limit}{animation:"p-spin"1s}`,
    ],
    [
      '@keyframes "spin"{to{fill:red}}.a{animation:spin 1s}',
      `@keyframes "p-spin"{to{fill:red}}.p-a${limit}{animation:p-spin 1s}`,
    ],
    ['svg:not(:root){fill:red}', `svg:not(.p-scope)${limit}{fill:red}`],
    ['svg:is(:scope,g){fill:red}', `svg:is(.p-scope2,g):where(.p-scope2,.p-scope2 *){fill:red}`],
    ['.a{fill:red;&:hover{fill:blue}}', `.p-a${limit}{fill:red;&:hover${limit}{fill:blue}}`],
    ['.scope:hover{fill:red}', `.p-scope:hover:where(.p-scope2,.p-scope2 *){fill:red}`],
    ['@media (400px < width){.a{fill:red}}', `@media (400px< width){.p-a${limit}{fill:red}}`],
  ])('are limited to the drawing: %s', (css, expected) => expect(scoped(css)).toBe(expected))
})

test.each([':root', 'svg', ':scope', '.r'])('rules for the root keep only what stays in its box: %s', (selector) => {
  for (const component of [{}, { component: true }] as const) {
    const text = svg(`<style>${selector}{overflow:visible;color:red;transform:scale(2)}${kept}</style>`)
    const rooted = Buffer.from(text.replace('<svg', '<svg class="r"'))
    const made = Buffer.from(makeSvg(rooted, { kind: 'svg', policy: 'sanitize', prefix: 'p', ...component })).toString()
    expect(made).toMatch(/:where\(\.p-scope\d*,\.p-scope\d* \*\)\{color:red\}/)
    expect(made).not.toMatch(/overflow|scale\(/)
  }
})

test('style sheets for some media stay', () => {
  const text = svg(
    '<style media="print">.a{fill:red}</style><style>.a{stroke:red}</style><path class="a" d="M0 0h9v9z"/>',
  )
  const made = makeSvg(Buffer.from(text), { kind: 'svg', policy: 'sanitize', prefix: 'p', component: true })
  expect(Buffer.from(made).toString()).toContain(
    `<style media="print">.p-a${limit}{fill:red}</style><style>.p-a${limit}{stroke:red}</style><path class="p-a" d="M0 0h9v9z"/>`,
  )
})

test('references with spaces keep their meaning', () => {
  const text = svg(
    `<linearGradient id="a"><stop/><stop offset="1" stop-color="red"/></linearGradient><path fill="url( '#a' )" stroke="url(#a )" style="fill:url( #a )" d="M0 0h9v9z"/>`,
  )
  for (const svgo of [{}, { svgo: true }] as const) {
    const made = makeSvg(Buffer.from(text), { kind: 'svg', policy: 'trust', prefix: 'p', ...svgo })
    expect(
      Buffer.from(made)
        .toString()
        .match(/url\([^)]*\)/g),
    ).toEqual(['url(#p-a)', 'url(#p-a)', 'url(#p-a)'])
  }
})

test("labels of a component don't refer to a removed title", () => {
  const text = svg(
    '<g aria-labelledby="t d" aria-describedby="t"><title id="t">T</title><desc id="d">D</desc><path d="M0 0"/></g>',
  )
  const made = makeSvg(Buffer.from(text), { kind: 'svg', policy: 'sanitize', prefix: 'p', component: true })
  expect(Buffer.from(made).toString()).toContain('<g aria-labelledby="p-d"><desc id="p-d">D</desc>')
})
