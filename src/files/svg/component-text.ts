import { parse, walk, generate } from 'css-tree'
import { SaxesParser } from 'saxes'
import type { Framework } from '../../request/frameworks.js'
import { cssPixels } from '../../text/css-length.js'

/**
 * Attributes of the `<svg>` element that a component keeps. We drop all others because they mean nothing on a page,
 * belong to the component, or have a special meaning in a framework, such as `ref` and `innerHTML`.
 */
const kept = new RegExp(
  '^(?:viewBox|width|height|preserveAspectRatio|id|class|style|lang|xml:(?:space|lang)|' +
    'opacity|display|visibility|cursor|direction|mask|clip|clip-path|clip-rule|' +
    '(?:fill|stroke|color|stop|flood|lighting|font|text|marker|shape|image|paint|pointer|letter|word|writing|unicode|' +
    'dominant|alignment|baseline|vector)(?:-[a-z]+)*)$',
)

/** The opening tag as svgo writes it, and the element's content. */
const parts = /^\s*(<svg(?:\s+[^\s=<>/]+="[^"]*")*\s*)(?:\/>|>(.*)<\/svg>)\s*$/s

/**
 * Serializes an SVG for a framework's runtime: the attributes of the `<svg>` element and the id prefix as JSON, a line
 * break, and the element's content.
 * @param svg made with `component`
 * @param prefix the prefix of all ids, classes, and animations in the SVG
 * @returns undefined if the text doesn't begin with `<svg>`, for example because of a namespace prefix
 */
export function componentText(svg: string, prefix: string, framework: Framework): string | undefined {
  const [, tag, markup = ''] = parts.exec(svg) ?? []
  if (tag === undefined) return undefined
  const attributes = withViewBox(readAttributes(`${tag}/>`))
  const refersTo = (id: string) => markup.includes(`#${id}`) || markup.includes(`${id}.`)
  const own = Object.entries(attributes)
    // Drops an id that nothing refers to, because it would only clutter the page.
    .filter(([name, value]) => kept.test(name) && (name !== 'id' || refersTo(value)))
    .map(([name, value]) => writeAttribute(name, value, framework))
  const written = Object.fromEntries(own)
  const isUsed = `${JSON.stringify(written)}${markup}`.includes(prefix)
  return `${JSON.stringify([written, isUsed ? prefix : ''])}\n${markup}`
}

function readAttributes(tag: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  const parser = new SaxesParser({ position: false })
  parser.on('opentag', (element) => void Object.assign(attributes, element.attributes))
  parser.write(tag).close()
  return attributes
}

/** Adds a `viewBox` to an SVG that has only a size, so that it can be scaled. */
function withViewBox(attributes: Record<string, string>): Record<string, string> {
  const [width, height] = [cssPixels(attributes['width']), cssPixels(attributes['height'])]
  if (attributes['viewBox'] !== undefined || width === undefined || height === undefined) return attributes
  return { ...attributes, viewBox: `0 0 ${rounded(width)} ${rounded(height)}` }
}

function rounded(pixels: number): number {
  return Math.round(pixels * 1000) / 1000
}

function writeAttribute(name: string, value: string, framework: Framework): [name: string, value: unknown] {
  // React and Preact treat the numbers in an application's styles as pixels only if the styles are an object.
  if (name === 'style' && (framework === 'react' || framework === 'preact')) return [name, styleObject(value)]
  return [framework === 'react' ? reactName(name) : name, value]
}

function reactName(name: string): string {
  if (name === 'class') return 'className'
  if (/^(?:data|aria)-/.test(name)) return name
  return camelCase(name)
}

function camelCase(name: string): string {
  return name.replace(/[-:]([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function styleObject(css: string): Record<string, string> {
  const style: Record<string, string> = {}
  walk(parse(css, { context: 'declarationList' }), (node) => {
    if (node.type !== 'Declaration') return
    const name = node.property.startsWith('--') ? node.property : camelCase(node.property)
    style[name] = generate(node.value)
  })
  return style
}
