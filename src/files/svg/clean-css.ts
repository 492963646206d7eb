import { generate, parse, walk, type Atrule, type CssNode, type List, type Rule } from 'css-tree'
import { attempt } from '../../async/attempt.js'
import { fontIn, pictureIn } from './embedded.js'
import { isLocalAddress, styleAllowed, svgNamespace } from './rules.js'

/**
 * Removes the rules and declarations of a style sheet that load resources or run code. Keeps the order of the others.
 * Returns a sheet that doesn't need cleaning unchanged.
 */
export function cleanSheet(css: string): string {
  return cleaned(css, 'stylesheet')
}

/** Removes the declarations that load resources or run code from the value of a `style` attribute. */
export function cleanStyle(css: string): string {
  return cleaned(css, 'declarationList')
}

/** Checks the whole text at the end, because browsers may parse it differently from css-tree. */
function cleaned(css: string, context: 'stylesheet' | 'declarationList'): string {
  if (styleAllowed(css)) return css
  // Deep nesting would overflow the stack.
  const result = attempt(() => {
    const tree = parse(css, { context })
    if (tree.type !== 'StyleSheet' && tree.type !== 'DeclarationList') return ''
    cleanNodes(tree.children, namespacesIn(tree))
    return spacedComparisons(generate(tree))
  })
  return result !== undefined && styleAllowed(result) ? result : ''
}

function cleanNodes(nodes: List<CssNode>, namespaces: ReadonlyMap<string, string>): void {
  nodes.fromArray(nodes.toArray().filter((node) => isKept(node, namespaces)))
}

function isKept(node: CssNode, namespaces: ReadonlyMap<string, string>): boolean {
  if (node.type === 'Rule') return cleanRule(node, namespaces)
  if (node.type === 'Atrule') return cleanAtrule(node, namespaces)
  if (node.type === 'Comment' || node.type === 'CDO' || node.type === 'CDC') return false
  embedIn(node)
  return styleAllowed(generate(node))
}

/** @returns whether any of the rule remains */
function cleanRule({ prelude, block }: Rule, namespaces: ReadonlyMap<string, string>): boolean {
  if (prelude.type === 'SelectorList') {
    const selectors = prelude.children.toArray().filter((selector) => selectsInSvg(selector, namespaces))
    prelude.children.fromArray(selectors)
    if (selectors.length === 0) return false
  }
  cleanNodes(block.children, namespaces)
  return styleAllowed(generate(prelude)) && !block.children.isEmpty
}

function cleanAtrule({ name, prelude, block }: Atrule, namespaces: ReadonlyMap<string, string>): boolean {
  if (!styleAllowed(`@${name} ${prelude ? generate(prelude) : ''}`)) return false
  if (!block) return true
  cleanNodes(block.children, namespaces)
  if (!/^font-face$/i.test(name)) return true
  return block.children.some((node) => node.type === 'Declaration' && /^src$/i.test(node.property))
}

/** Corrects the types in data URIs of images and fonts, based on their bytes. */
function embedIn(node: CssNode): void {
  walk(node, (part) => {
    if (part.type === 'Url' && !isLocalAddress(part.value))
      part.value = pictureIn(part.value) ?? fontIn(part.value) ?? part.value
  })
}

/** Returns the prefixes that `@namespace` declares, with their namespaces. */
function namespacesIn(tree: CssNode): Map<string, string> {
  const namespaces = new Map<string, string>()
  walk(tree, {
    visit: 'Atrule',
    enter({ name, prelude }) {
      if (!/^namespace$/i.test(name) || prelude?.type !== 'AtrulePrelude') return
      const parts = prelude.children.toArray()
      const prefix = parts.find((part) => part.type === 'Identifier')?.name
      const address = parts.find((part) => part.type === 'Url' || part.type === 'String')?.value
      if (prefix !== undefined && address !== undefined) namespaces.set(prefix, address)
    },
  })
  return namespaces
}

/**
 * Rewrites `svg|rect` as `rect`.
 * @returns false if the selector can't match in an SVG
 */
function selectsInSvg(selector: CssNode, namespaces: ReadonlyMap<string, string>): boolean {
  let matches = true
  walk(selector, (part) => {
    if (part.type !== 'TypeSelector') return
    const [, prefix, local] = /^([^|]+)\|(.*)$/.exec(part.name) ?? []
    if (prefix === undefined || local === undefined || prefix === '*') return
    if (namespaces.get(prefix) === svgNamespace) part.name = local
    else matches = false
  })
  return matches
}

/**
 * Adds a space between `<` and a letter, as in `(400px < width)`. css-tree omits it, and the final check would mistake
 * the two characters for markup.
 */
export function spacedComparisons(css: string): string {
  return css.replaceAll(comparisons, (part) => (part === '<' ? '< ' : part))
}

/**
 * Matches `<` before a letter, but also whole strings and URLs, so that a `<` in them is skipped. Closing quotes are
 * optional, so that unterminated strings don't cause backtracking.
 */
const comparisons = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|url\((?:[^)\\]|\\.)*\)?|<(?=[a-z])/gis
