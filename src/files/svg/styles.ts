import { findAll, generate, ident, parse, type CssNode, type Declaration, type Rule, type Selector } from 'css-tree'
import { querySelectorAll, type CustomPlugin } from 'svgo'
import { attempt } from '../../async/attempt.js'
import { addTo } from '../../text/group-by.js'
import { builtin } from './builtin.js'
import { spacedComparisons } from './clean-css.js'
import { isSize } from './page-styles.js'
import { appliesAlways, elementsIn, enterAll, sheetsIn, sheetText, type Element, type Root } from './tree.js'

/** Moves styles into presentation attributes where that doesn't change the rendering. */
export const moveStyles: CustomPlugin = {
  name: 'moveStyles',
  fn(root, _, info) {
    moveSheets(root)
    // The rules of a remaining style sheet would override attributes.
    if (sheetsIn(root).length > 0) return null
    const toAttributes = builtin('convertStyleToAttrs', {}).fn(root, undefined, info)
    enterAll(root, (element, parent) => {
      // The attribute `transform` has a different syntax, and not every program supports variables in attributes.
      if (/transform|var\(/i.test(element.attributes['style'] ?? '')) return
      void (toAttributes && toAttributes.element?.enter?.(element, parent))
    })
    return null
  },
}

/** Moves style sheets into `style` attributes if all their rules always apply and can be moved. */
export function moveSheets(root: Root): void {
  const styles = elementsIn(root).filter(({ name }) => name === 'style')
  const isMovable = styles.length > 0 && styles.every((style) => appliesAlways(style) && isCss(style))
  const rules = isMovable ? readRules(styles.map(sheetText).join('\n')) : undefined
  const matches = rules && matchesOf(root, rules)
  if (!rules || !matches) return
  moveInto(matches, rules)
  const removed = new Set(styles)
  enterAll(root, (element) => {
    element.children = element.children.filter((child) => child.type !== 'element' || !removed.has(child))
  })
}

function isCss({ attributes: { type = '' } }: Element): boolean {
  return /^(?:text\/css)?$/i.test(type)
}

/** Returns the size declarations that always apply to the `<svg>` element, lowest specificity first. */
export function sizesInSheets(root: Root, svg: Element): Declaration[] {
  const styles = elementsIn(root).filter((one) => one.name === 'style' && appliesAlways(one) && isCss(one))
  const sheet = parse(styles.map(sheetText).join('\n'))
  if (sheet.type !== 'StyleSheet') return []
  const rules = sheet.children.toArray().flatMap((node) => (node.type === 'Rule' ? rulesOf(node) : []))
  const found = rules.filter(({ selector, declarations }) => declarations.some(isSize) && selects(selector, svg))
  return byStrength(found).flatMap(({ declarations }) => declarations.filter(isSize))
}

/** Checks whether a selector always matches the `<svg>` element. */
function selects({ children }: Selector, svg: Element): boolean {
  const parts = children.toArray().filter((part) => part.type !== 'PseudoClassSelector' || !/^root$/i.test(part.name))
  if (parts.some((part) => part.type === 'Combinator' || isUnmovable(part))) return false
  const text = parts.map((part) => generate(part)).join('') || '*'
  return select({ type: 'root', children: [{ ...svg, children: [] }] }, text)?.length === 1
}

interface StyleRule {
  selector: Selector
  /** The numbers of ids, classes, and types. */
  specificity: readonly [number, number, number]
  declarations: Declaration[]
}

/** @returns undefined if some rules don't always apply to the same elements */
function readRules(css: string): StyleRule[] | undefined {
  const sheet = parse(css)
  const rules: StyleRule[] = []
  for (const node of sheet.type === 'StyleSheet' ? sheet.children : []) {
    if (node.type === 'Comment' || node.type === 'CDO' || node.type === 'CDC') continue
    if (node.type !== 'Rule' || findAll(node.prelude, isUnmovable).length > 0) return undefined
    if (node.block.children.some(({ type }) => type !== 'Declaration' && type !== 'Comment')) return undefined
    rules.push(...rulesOf(node))
  }
  return rules
}

function rulesOf({ prelude, block }: Rule): StyleRule[] {
  const selectors = prelude.type === 'SelectorList' ? prelude.children.toArray() : []
  const declarations = block.children.toArray().filter((one): one is Declaration => one.type === 'Declaration')
  return selectors.flatMap((selector) =>
    selector.type === 'Selector' ? [{ selector, specificity: specificityOf(selector), declarations }] : [],
  )
}

function byStrength(rules: readonly StyleRule[]): StyleRule[] {
  return rules.toSorted(({ specificity: a }, { specificity: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
}

function isUnmovable({ type }: CssNode): boolean {
  return /^(?:Pseudo|Nesting|Raw)/.test(type)
}

function specificityOf(selector: Selector): [number, number, number] {
  const count = (test: RegExp) => selector.children.toArray().filter(({ type }) => test.test(type)).length
  const universal = selector.children.toArray().filter((part) => part.type === 'TypeSelector' && part.name === '*')
  return [count(/^Id/), count(/^(?:Class|Attribute|PseudoClass)/), count(/^Type/) - universal.length]
}

/** The maximum product of rules and the elements that they are compared with. Beyond it, we keep the style sheets. */
const mostMatches = 200_000

/**
 * Returns the rules for each element, lowest specificity first.
 * @returns undefined if matching would take too long
 */
function matchesOf(root: Root, rules: readonly StyleRule[]): Map<Element, StyleRule[]> | undefined {
  const elements = elementsIn(root)
  const find = openIndex(elements)
  const matches = new Map<Element, StyleRule[]>()
  let count = 0
  for (const rule of byStrength(rules)) {
    const parts = rule.selector.children.toArray()
    const simple = parts.length === 1 && parts[0] ? find(parts[0]) : undefined
    count += simple?.length ?? elements.length
    if (count > mostMatches) return undefined
    for (const element of simple ?? select(root, generate(rule.selector)) ?? []) addTo(matches, element, rule)
  }
  return matches
}

/** @returns undefined if svgo doesn't support the selector */
export function select(root: Root, selector: string): Element[] | undefined {
  const nodes = attempt(() => querySelectorAll(root, selector))
  return nodes?.filter((node): node is Element => node.type === 'element')
}

/**
 * Returns a function that finds elements by a single type, class or id selector, and returns undefined for other parts.
 */
function openIndex(elements: readonly Element[]): (part: CssNode) => readonly Element[] | undefined {
  const index = new Map<string, Element[]>()
  for (const element of elements) {
    const { id, class: names = '' } = element.attributes
    addTo(index, element.name, element)
    if (id !== undefined) addTo(index, `#${id}`, element)
    for (const name of new Set(names.split(/\s+/).filter(Boolean))) addTo(index, `.${name}`, element)
  }
  return (part) => {
    if (part.type === 'TypeSelector') return part.name === '*' ? elements : (index.get(ident.decode(part.name)) ?? [])
    if (part.type === 'ClassSelector') return index.get(`.${ident.decode(part.name)}`) ?? []
    return part.type === 'IdSelector' ? (index.get(`#${ident.decode(part.name)}`) ?? []) : undefined
  }
}

/** Adds the declarations of rules to `style` attributes, and removes the classes that the rules mention. */
function moveInto(matches: ReadonlyMap<Element, readonly StyleRule[]>, rules: readonly StyleRule[]): void {
  const texts = new Map<Declaration, string>()
  for (const { declarations } of rules) for (const one of declarations) texts.set(one, generate(one))
  const mentioned = new Set(
    rules.flatMap(({ selector }) =>
      selector.children.toArray().flatMap((part) => (part.type === 'ClassSelector' ? [ident.decode(part.name)] : [])),
    ),
  )
  for (const [element, found] of matches) {
    const { attributes } = element
    const own = parse(attributes['style'] ?? '', { context: 'declarationList', parseValue: false })
    const ownDeclarations = findAll(own, ({ type }) => type === 'Declaration')
    const all = [...found.flatMap(({ declarations }) => declarations), ...ownDeclarations]
    const merged = new Map<string, Declaration>()
    for (const one of all) {
      if (one.type !== 'Declaration') continue
      const name = one.property.startsWith('--') ? one.property : one.property.toLowerCase()
      const before = merged.get(name)
      if (before?.important && !one.important) continue
      // Reinsert a later declaration at the end, so that it follows shorthands that include it.
      merged.delete(name)
      merged.set(name, one)
    }
    attributes['style'] = [...merged.values()].map((one) => texts.get(one) ?? generate(one)).join(';')
    const names = (attributes['class'] ?? '').split(/\s+/).filter((name) => name !== '' && !mentioned.has(name))
    if (names.length > 0) attributes['class'] = names.join(' ')
    else delete attributes['class']
  }
}

/** Adds a space after each `<` in style sheets that could be mistaken for markup. */
export const spaceComparisons: CustomPlugin = {
  name: 'spaceComparisons',
  fn(root) {
    for (const sheet of sheetsIn(root)) sheet.value = spacedComparisons(sheet.value)
    return null
  },
}
