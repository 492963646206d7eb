import { generate, parse, walk, type CssNode } from 'css-tree'
import type { CustomPlugin } from 'svgo'
import { elementsIn, sheetsIn } from './tree.js'

/**
 * Prefixes the names of `@keyframes`, which all style sheets of a document share, and their uses in `animation` and
 * `animation-name`. svgo's `prefixIds` handles only ids and classes.
 */
export function prefixAnimations(prefix: string): CustomPlugin {
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
