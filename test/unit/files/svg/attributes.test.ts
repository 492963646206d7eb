import { svgElementAttributes } from 'svg-element-attributes'
import { expect, test } from 'vitest'
import { readRecipe } from '../../../../src/files/recipe.js'
import { findActive } from '../../../../src/files/svg/check.js'
import { attributeAllowed } from '../../../../src/files/svg/rules.js'
import { sanitizeSvg } from '../../../../src/files/svg/sanitize.js'
import { makeSvg } from '../../../../src/files/svg/svg.js'
import { planned } from '../../../support/files.js'
import { attributeNames, elementNames } from '../../../support/svg-names.js'
import { harmless, svg } from '../../../support/svg-corpus.js'
import { ofLibraries } from '../../../support/svg-gadgets.js'

/** Attributes for scripts, requests, focus, and RDF, and attributes of SVG Tiny 1.2 that browsers don't support. */
const left =
  /^(?:about|content|datatype|property|rel|resource|rev|typeof|ping|referrerpolicy|crossorigin|download|tabindex|editable|event|handler|observer|phase|propagate|defaultAction|focusHighlight|nav-.*|media(?:CharacterEncoding|ContentEncodings|Size|Time)|overlay|bandwidth|initialVisibility|snapshotTime|sync.*|playbackOrder|timelineBegin)$/

test('the attributes of SVG are allowed', () => {
  const names = new Set(Object.values(svgElementAttributes).flat())
  const values: Record<string, string> = { href: '#a', attributeName: 'fill' }
  const refused = [...names].filter(
    (name) => !attributeAllowed({ name, local: name, namespace: '' }, values[name] ?? 'a', 'page'),
  )
  expect(refused.filter((name) => !left.test(name))).toEqual([])
  expect(names.size).toBeGreaterThan(250)
})

test.each(['aria-label', 'aria-hidden', 'role', 'class', 'id', 'lang', 'focusable'])('%s is allowed', (name) => {
  const text = svg(`<g ${name}="a"/>`)
  expect(findActive(Buffer.from(text))).toEqual([])
  expect(sanitizeSvg(text)).toContain(` ${name}="a"`)
})

test('attributes of libraries are found and removed', () => {
  const known = /[\s"](?:x-|v-|hx-|data-|[@:])[\w.:-]+=/
  for (const [name, text] of Object.entries(ofLibraries)) {
    const isOfProgram = name.endsWith('Inkscape') || /^data-hx-(?!on)/.test(name)
    if (!isOfProgram) expect([name, findActive(Buffer.from(text)).length]).not.toEqual([name, 0])
    expect([name, known.exec(sanitizeSvg(text) ?? '')]).toEqual([name, null])
  }
})

test('in a page, data of drawing programs is removed, and `strict` rejects no file for it', () => {
  const drawings = { ...harmless, illustrator: svg('<g data-name="Layer 1" id="a"><path d="M0 0h9"/></g>') }
  for (const query of ['raw', 'as=vue']) {
    const { value } = planned({ type: 'SVG' }, query, 'strict')
    const recipe = readRecipe(value?.file.recipe ?? '')
    if (recipe.kind !== 'svg') throw new Error('no drawing')
    for (const [name, text] of Object.entries(drawings)) {
      const made = Buffer.from(makeSvg(Buffer.from(text), recipe)).toString()
      expect([name, /(?:inkscape|sodipodi|rdf|cc):|data-name/.exec(made)]).toEqual([name, null])
    }
    expect(() => makeSvg(Buffer.from(svg('<g x-init="hit()"/>')), recipe)).toThrow('x-init=')
  }
})

test("the root's properties are SVG's properties", () => {
  const text = svg('<path d="M0 0h9v9z" style="overflow:visible;position:fixed"/>').replace(
    '<svg',
    '<svg overflow="visible" transform="scale(9)" class="fixed" style="fill:red;position:fixed;inset:0;background:#fff"',
  )
  const made = Buffer.from(makeSvg(Buffer.from(text), { kind: 'svg', policy: 'sanitize', prefix: 'p' })).toString()
  expect(made).toMatch(/^<svg [^>]*style="fill:red;background:#fff"/)
  expect(made).not.toMatch(/fixed|transform|inset|<svg[^>]*(?:overflow|class)/)
  expect(made).toContain('<path d="M0 0h9v9z" style="overflow:visible"/>')
})

/** Elements that run scripts or contain HTML. */
const activeElements = ['script', 'foreignObject']

test('each element of the specifications is read in the same way as XML and as HTML', () => {
  const allowed = elementNames.filter((name) => !activeElements.includes(name))
  for (const name of allowed) {
    const text = svg(`<${name} id="a"/>`)
    expect([name, findActive(Buffer.from(text))]).toEqual([name, []])
    expect(sanitizeSvg(text)).toContain(`<${name} id="a"/>`)
    // Malformed XML is parsed as HTML.
    expect(sanitizeSvg(text.replace('id="a"/>', 'id=a />'))).toContain(`<${name} id="a"`)
  }
  for (const name of activeElements) expect(findActive(Buffer.from(svg(`<${name} id="a"/>`)))).not.toEqual([])
})

test('each attribute of the specifications is read in the same way as XML and as HTML', () => {
  const values: Record<string, string> = { href: '#a', 'xlink:href': '#a', attributeName: 'fill' }
  for (const name of attributeNames.filter((one) => one !== 'autofocus' && one !== 'xml:base' && !left.test(one))) {
    const written = `<path ${name}="${values[name] ?? 'a'}"/>`
    expect([name, findActive(Buffer.from(svg(written)))]).toEqual([name, []])
    expect(sanitizeSvg(svg(written))).toContain(written)
  }
})
