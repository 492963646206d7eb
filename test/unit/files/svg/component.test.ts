import { generate, parse, walk } from 'css-tree'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { findActive } from '../../../../src/files/svg/check.js'
import { componentText } from '../../../../src/files/svg/component-text.js'
import { makeSvg } from '../../../../src/files/svg/svg.js'
import { readRecipe } from '../../../../src/files/recipe.js'
import { frameworks } from '../../../../src/request/frameworks.js'
import { planned } from '../../../support/files.js'
import { harmless, hostile, puzzling, svg, untidy } from '../../../support/svg-corpus.js'

const asset = { type: 'SVG', width: 90, height: 60, name: 'Logo', uuid: '20000000-0000-4000-8000-000000000001' }

interface Component {
  attributes: Record<string, unknown>
  prefix: string
  markup: string
  /** The drawing as it is on a page. */
  whole: string
}

function component(text: string | Buffer, query = 'as=vue'): Component {
  const { value } = planned(asset, query)
  const recipe = readRecipe(value?.file.recipe ?? '')
  if (value?.as !== 'component' || recipe.kind !== 'svg') throw new Error('no component')
  const drawing = Buffer.from(makeSvg(Buffer.from(text), recipe)).toString()
  const written = componentText(drawing, recipe.prefix ?? '', value.framework) ?? ''
  const end = written.indexOf('\n')
  const [attributes, prefix] = JSON.parse(written.slice(0, end))
  const markup = written.slice(end + 1)
  const tag = Object.entries(attributes).map(([name, one]) => ` ${name}="${String(one).replaceAll('"', '&quot;')}"`)
  const whole = `<svg xmlns="http://www.w3.org/2000/svg"${tag.join('')}>${markup}</svg>`
  return { attributes, prefix, markup, whole }
}

const draw = (drawing: string | Buffer) => sharp(Buffer.from(drawing)).ensureAlpha().raw().toBuffer()

describe('drawings', () => {
  const drawn = Object.entries({ ...harmless, ...puzzling, ...untidy })

  test.each(drawn)('do not change: %s', async (_, text) => {
    const { whole } = component(text)
    expect(findActive(Buffer.from(whole))).toEqual([])
    const before = await draw(text).catch(() => undefined)
    // librsvg doesn't draw anything for a damaged picture or a drawing without a size.
    if (before) expect((await draw(whole)).equals(before)).toBe(true)
  })

  test("don't have attributes by which frameworks find elements", () => {
    const marked = svg('<g data-hk="s0001" DATA-reactid="1"><path d="M0 0h9"/></g>').replace(
      '<svg',
      '<svg data-hk="evil"',
    )
    expect(component(marked).whole).not.toMatch(/data-/i)
  })

  test('are sanitized, or rejected if nothing remains', () => {
    for (const [name, text] of Object.entries(hostile)) {
      const made = (() => {
        try {
          return component(text).whole
        } catch {
          return ''
        }
      })()
      if (made === '') continue
      expect([name, findActive(Buffer.from(made))]).toEqual([name, []])
      expect(made).not.toMatch(/hit\(|evil\.example/)
    }
  })

  test.each(frameworks)("don't have attributes that are properties of %s", (framework) => {
    const hostileNames = `ref="a" key="a" children="a" innerHTML="a" textContent="a" dangerouslySetInnerHTML="a" is="a" slot="a"
        className="a" __proto__="a" constructor="a" tabindex="1" focusable="true" use="a" v-html="a" set="a" onClick="a"`
    const text = `<svg xmlns="http://www.w3.org/2000/svg" ${hostileNames} fill="none" fill-opacity=".5"><path d="M0 0h9"/></svg>`
    const { attributes } = component(text, `as=${framework}`)
    expect(Object.values(attributes)).toEqual(['none', '.5'])
  })

  test('lose their title, metadata and comments, and keep no label of their own', async () => {
    const text = `<?xml version="1.0"?><!-- a --><svg xmlns="http://www.w3.org/2000/svg" version="1.1" role="img" aria-labelledby="t"
      xmlns:i="http://www.inkscape.org/namespaces/inkscape" i:version="1" width="9" height="9"><title id="t">T</title>
      <metadata>m</metadata><i:grid/><g><title>Layer</title><path d="M0 0h9v9z"/></g></svg>`
    const { attributes, prefix, markup } = component(text)
    expect(attributes).toEqual({ width: '9', height: '9', viewBox: '0 0 9 9' })
    expect([prefix, markup.replaceAll(/\s/g, '')]).toEqual(['', '<g><pathd="M00h9v9z"/></g>'])
  })

  test('keep the id to which a reference refers', () => {
    for (const within of ['<use href="#s"/>', '<set attributeName="x" begin="s.click"/>'])
      expect(component(svg(within).replace('<svg', '<svg id="s"')).attributes['id']).toMatch(/^c[\da-f]{7}[-_]s$/)
  })

  const hover = '.a:hover{fill:red}'
  test.each([
    ['svg{width:40px;height:20px}', '40px', '20px'],
    ['svg{width:40px}#r{width:50px}.r{inline-size:60px}', '50px', '9'],
    [':root{height:20px!important}svg{height:30px}', '9', '20px'],
    ['svg{width:40px}svg:hover{width:50px}@media print{svg{height:20px}}', '40px', '9'],
    ['svg{@media print{height:20px}}[viewBox]{width:40px}', '40px', '9'],
    ['g svg,svg>.a{width:40px}', '9', '9'],
    ['svg{width:50%;height:auto}', '9', '9'],
  ])('get their size from %s, and no rule sets it', (css, width, height) => {
    const text = `<svg xmlns="http://www.w3.org/2000/svg" id="r" class="r" viewBox="0 0 9 9" width="9" height="9"><style>${css}${hover}</style><path class="a" d="M0 0h9"/></svg>`
    const { attributes, markup, prefix } = component(text)
    expect([attributes['width'], attributes['height']]).toEqual([width, height])
    const sheet = parse(
      /<style>(.*)<\/style>/.exec(markup)?.[1]?.replaceAll('&gt;', '>').replaceAll('&amp;', '&') ?? '',
    )
    walk(sheet, {
      visit: 'Declaration',
      enter({ property }) {
        const rule = this.rule ? generate(this.rule.prelude) : ''
        if (property !== 'fill' && !rule.startsWith('svg>')) expect(rule).toContain(`&:where(:not(.${prefix}-scope))`)
      },
    })
  })

  test.each([
    ['width="24" height="12"', '0 0 24 12'],
    ['width="24px" height="1in"', '0 0 24 96'],
    ['width="1pt" height="3mm"', '0 0 1.333 11.339'],
    ['width="24" height="12" viewBox="1 2 3 4"', '1 2 3 4'],
    ['width="100%" height="12"', undefined],
    ['', undefined],
  ])('with %s have the viewBox %s', async (size, viewBox) => {
    const { attributes } = component(`<svg xmlns="http://www.w3.org/2000/svg" ${size}><path d="M0 0h9"/></svg>`)
    expect(attributes['viewBox']).toBe(viewBox)
  })

  test('have attributes as the framework wants them', async () => {
    const text = `<svg xmlns="http://www.w3.org/2000/svg" class="a" stroke-width="2" xml:space="preserve"
      style="mix-blend-mode:multiply;--a-b:1"><style>.a:hover{fill:red}</style><path d="M0 0h9"/></svg>`
    expect(component(text, 'as=react').attributes).toEqual({
      className: expect.stringMatching(/^(c[\da-f]{7})-a \1-scope$/),
      strokeWidth: '2',
      xmlSpace: 'preserve',
      style: { mixBlendMode: 'multiply', '--a-b': '1' },
    })
    expect(component(text, 'as=solid').attributes).toEqual({
      class: expect.stringMatching(/^(c[\da-f]{7})-a \1-scope$/),
      'stroke-width': '2',
      'xml:space': 'preserve',
      style: 'mix-blend-mode:multiply;--a-b:1',
    })
  })
})

describe('style sheets', () => {
  test('move into attributes', async () => {
    const { markup } = component(
      svg(
        '<style>.cls-1{fill:#e30613;stroke:url(#g)}.cls-2,rect{opacity:.5}</style><path class="cls-1 cls-2" d="M0 0h9v9z"/><rect class="cls-2" style="opacity:1"/><linearGradient id="g"/>',
      ),
    )
    expect(markup).not.toMatch(/style|class/)
    expect(markup).toMatch(
      /<path d="M0 0h9v9z" (?=.*fill="#e30613")(?=.*opacity="\.5")[^>]*stroke="url\(#c[\da-f]{7}-g\)"/,
    )
    expect(markup).toMatch(/<rect opacity="1"\/>/)
  })

  test.each([
    '@media (prefers-color-scheme: dark){.a{fill:#fff}}',
    '.a:hover{fill:#fff}',
    '@keyframes spin{to{transform:rotate(1turn)}}.a{animation:spin 1s}',
  ])('apply to the drawing only, if they cannot be moved: %s', async (css) => {
    const text = svg(
      `<style>.a{fill:red}path{stroke:#000}:root{color:red}svg>.a,*{opacity:.9}${css}</style><path class="a" d="M0 0h9v9z"/>`,
    )
    const { attributes, prefix, markup } = component(text)
    expect(prefix).toMatch(/^c[\da-f]{7}$/)
    expect(attributes['class']).toBe(`${prefix}-scope`)
    const limit = `:where(.${prefix}-scope,.${prefix}-scope *)`
    const sheet = /<style>(.*)<\/style>/s.exec(markup)?.[1]?.replaceAll('&gt;', '>') ?? ''
    expect(sheet).toContain(
      `.${prefix}-a${limit}{fill:red}path${limit}{stroke:#000}.${prefix}-scope${limit}{color:red}` +
        `svg>.${prefix}-a${limit},*${limit}{opacity:.9}`,
    )
    if (css.includes('keyframes')) expect(sheet).toContain(`@keyframes ${prefix}-spin{to{transform:rotate(1turn)}}`)
    expect(markup).toContain(`class="${prefix}-a"`)
    expect(sheet.replaceAll(prefix, '')).not.toMatch(/[},]\s*[\w.*]+\{/)
  })
})
