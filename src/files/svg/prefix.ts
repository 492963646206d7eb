import { type CssNode, generate, parse, walk } from 'css-tree'
import type { CustomPlugin } from 'svgo'
import { builtin } from './builtin.js'
import { elementsIn, sheetsIn, visit } from './tree.js'

/**
 * Returns plugins that prefix all ids in an SVG and all references to them.
 * @param text the SVG
 */
export function prefixPlugins(prefix: string, text: string): CustomPlugin[] {
  // Prefix class names only if the file has a style sheet. Otherwise, they refer to the page's style sheets.
  const prefixClassNames = /<([\w-]+:)?style[\s>]/.test(text)
  // Chromium reads a hyphen in `begin="id.end"` as a minus sign.
  const delim = /\s(?:begin|end)\s*=\s*["'][^"']*\.[a-z]/i.test(text) ? '_' : '-'
  const prefixIds = builtin('prefixIds', { prefix, delim, prefixClassNames })
  return [prefixReferences(prefixIds, prefix + delim), prefixAnimations(prefix + delim)]
}

/** Removes spaces and quotation marks from `url( '#id' )`, because svgo doesn't recognize it as a reference. */
export const trimAddresses: CustomPlugin = {
  name: 'trimAddresses',
  fn(root) {
    for (const { attributes } of elementsIn(root)) {
      for (const [name, value] of Object.entries(attributes)) {
        if (/url\(/i.test(value)) attributes[name] = value.replaceAll(/\burl\(([^()]*)\)/gi, trimmed)
      }
    }
    return null
  },
}

function trimmed(whole: string, address: string): string {
  if (!/\s/.test(address)) return whole
  const [, , id = ''] = /^(["']?)(#[^"']*)\1$/.exec(address.trim()) ?? []
  if (id === '') return whole
  return /\s/.test(id.trim()) ? `url('${id}')` : `url(${id.trim()})`
}

/** ARIA attributes whose value is a list of ids. */
export const ariaReferences = [
  'aria-labelledby',
  'aria-describedby',
  'aria-controls',
  'aria-owns',
  'aria-details',
  'aria-flowto',
  'aria-activedescendant',
]

/**
 * Prefixes ids with svgo's `prefixIds` and the references that svgo doesn't recognize: ARIA attributes,
 * `begin="id.click"`, the values of animations, and custom properties in style sheets.
 */
function prefixReferences(prefixIds: CustomPlugin, prefix: string): CustomPlugin {
  const prefixed = (id: string) => (id.startsWith(prefix) ? id : prefix + id)
  const prefixIn = (text: string, pattern: RegExp) => text.replaceAll(pattern, (_, start, id) => start + prefixed(id))
  return {
    name: 'prefixReferences',
    fn(root, _, info) {
      // svgo reads `0s;id` as an id and drops everything after a second dot, so prefix the original values.
      const elements = elementsIn(root).map(({ attributes }) => ({ attributes, before: Object.entries(attributes) }))
      const visitor = prefixIds.fn(root, undefined, info)
      if (visitor) visit(root, visitor)
      for (const sheet of sheetsIn(root)) sheet.value = prefixIn(sheet.value, address)
      for (const { attributes, before } of elements) {
        for (const [name, value] of before) {
          const reference = references(name, attributes)
          if (ariaReferences.includes(name)) attributes[name] = value.trim().split(/\s+/).map(prefixed).join(' ')
          else if (reference) attributes[name] = prefixIn(value, reference)
          // svgo drops the quotes, so the URL would end at the space.
          else if (spacedAddress.test(value)) attributes[name] = prefixIn(value, address)
        }
      }
      return null
    },
  }
}

const spacedAddress = /\burl\(\s*["']#[^"']*\s/i

const address = /(\burl\(\s*["']?#)([^"')]+)/gi

/** Returns a pattern for references in an animation's attribute. `#abc` is a color, except in an animated `href`. */
function references(name: string, { attributeName = '' }: Record<string, string>): RegExp | undefined {
  // An id may contain dots, so we can't tell where it ends, but to add the prefix we only need its start.
  if (/^(begin|end)$/.test(name)) return /((?:^|;)\s*)([^\s;(]+?)(?=\.[a-z])/gi
  if (!/^(values|from|to|by)$/.test(name)) return undefined
  const animatesHref = /(^|:)href$/.test(attributeName.trim())
  return animatesHref ? /((?:^|;)\s*#)([^;]+)/g : address
}

/**
 * Prefixes the names of `@keyframes`, which all style sheets of a document share, and their uses in `animation` and
 * `animation-name`. svgo's `prefixIds` handles only ids and classes.
 */
function prefixAnimations(prefix: string): CustomPlugin {
  const names = new Set<string>()
  return {
    name: 'prefixAnimations',
    fn: (root) => {
      for (const sheet of sheetsIn(root)) collectNames(parse(sheet.value), names)
      if (names.size === 0) return null
      for (const sheet of sheetsIn(root)) sheet.value = prefixNames(sheet.value, 'stylesheet', names, prefix)
      for (const { attributes } of elementsIn(root)) {
        const { style } = attributes
        if (style !== undefined) attributes['style'] = prefixNames(style, 'declarationList', names, prefix)
      }
      return null
    },
  }
}

function isKeyframes(node: CssNode): node is Extract<CssNode, { type: 'Atrule' }> {
  return node.type === 'Atrule' && /^(-\w+-)?keyframes$/i.test(node.name)
}

function collectNames(css: CssNode, names: Set<string>): void {
  walk(css, (node) => {
    if (!isKeyframes(node) || !node.prelude) return
    walk(node.prelude, (part) => {
      if (part.type === 'Identifier') names.add(part.name)
      if (part.type === 'String') names.add(part.value)
    })
  })
}

function prefixNames(
  text: string,
  context: 'stylesheet' | 'declarationList',
  names: ReadonlySet<string>,
  prefix: string,
): string {
  const css = parse(text, { context })
  walk(css, (node) => {
    const named = isKeyframes(node)
      ? node.prelude
      : node.type === 'Declaration' && /^(-\w+-)?animation(-name)?$/i.test(node.property)
        ? node.value
        : null
    if (!named) return
    walk(named, (part) => {
      if (part.type === 'Identifier' && names.has(part.name)) part.name = prefix + part.name
      if (part.type === 'String' && names.has(part.value)) part.value = prefix + part.value
    })
  })
  return generate(css)
}
