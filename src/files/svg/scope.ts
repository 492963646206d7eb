import {
  find,
  generate,
  parse,
  tokenize,
  tokenNames,
  walk,
  type Atrule,
  type CssNode,
  type List,
  type Rule,
} from 'css-tree'
import type { CustomPlugin } from 'svgo'
import { referencesOf } from './amounts.js'
import {
  declarationAllowed,
  isSize,
  limitStyle,
  movesRoot,
  rootAttributeAllowed,
  rootNames,
  type RootNames,
} from './page-styles.js'
import { elementsIn, enterAll, rootOf, sheetText, type Element, type Root } from './tree.js'

/**
 * Limits a drawing to its box on a page. Style sheets apply to the drawing only, and keep their specificity. CSS that
 * css-tree doesn't parse is removed, because a browser may parse it and apply it to the whole page. The `<svg>` element
 * loses everything that would draw it elsewhere.
 * @param hasOwnSize whether style sheets must not set the size of the `<svg>` element, as in a component
 */
export const limitToBox = (onLoss: OnLoss, hasOwnSize: boolean): CustomPlugin => ({
  name: 'limitToBox',
  fn(root) {
    const svg = rootOf(root)
    if (!svg) return null
    const styles = elementsIn(root).filter(({ name }) => name === 'style')
    // Without a style sheet, classes refer to the page's style sheets, which can move the drawing.
    if (styles.length === 0) delete svg.attributes['class']
    keepOverflow(svg)
    for (const name of Object.keys(svg.attributes)) if (!rootAttributeAllowed(name)) delete svg.attributes[name]
    const names = rootNames(svg)
    enterAll(root, (element) => {
      const { attributes, children } = element
      if (attributes['style'] !== undefined) attributes['style'] = limitStyle(attributes['style'], element === svg)
      element.children = children.filter(
        (child) => child.type !== 'element' || !movesRoot(child, element === svg, names),
      )
    })
    if (styles.length === 0) return null
    const scope = unusedName(root)
    const used = usedElements(root).filter((element) => element !== svg)
    for (const element of used) addClass(element, usedClass(scope))
    const place = { scope, root: names, hasUsed: used.length > 0, hasOwnSize, onLoss }
    for (const style of styles) style.children = [{ type: 'text', value: scoped(sheetText(style), place) }]
    addClass(svg, scope)
    return null
  },
})

/** Called for each rule that concerns the whole page, so that the drawing loses it. @param rule such as `@font-face` */
export type OnLoss = (rule: string) => void

/** Writes the overflow that elements inherit from the `<svg>` element, which hides its own in a page. */
function keepOverflow(svg: Element): void {
  for (const child of svg.children) {
    if (child.type === 'element' && child.attributes['overflow'] === 'inherit')
      child.attributes['overflow'] = svg.attributes['overflow'] ?? 'visible'
  }
}

/**
 * Returns a class for the `<svg>` element that the drawing doesn't mention, and that style sheets are limited to.
 * `prefixPlugins` makes it the drawing's own.
 */
function unusedName(root: Root): string {
  const texts = elementsIn(root).map((element) => `${element.attributes['class'] ?? ''} ${sheetText(element)}`)
  const used = new Set(texts.flatMap((text) => text.toLowerCase().match(/\bscope\d*/g) ?? []))
  let name = 'scope'
  for (let number = 2; used.has(name); number++) name = `scope${number}`
  return name
}

/** Returns the elements that `<use>` shows. */
function usedElements(root: Root): Element[] {
  const elements = elementsIn(root)
  const uses = elements.filter(({ name }) => name === 'use')
  const ids = new Set(uses.flatMap(referencesOf))
  return elements.filter(({ attributes: { id } }) => id !== undefined && ids.has(id))
}

/** Returns the class of elements that `<use>` shows: selectors match their copies, which are outside of the root. */
function usedClass(scope: string): string {
  return `${scope}-use`
}

function addClass({ attributes }: Element, name: string): void {
  attributes['class'] = `${attributes['class'] ?? ''} ${name}`.trim()
}

/** Where a rule is. */
interface RulePlace {
  scope: string
  root: RootNames
  /** Whether `<use>` shows elements of the drawing. */
  hasUsed: boolean
  /** Whether the size of the `<svg>` element is not a matter of its rules. */
  hasOwnSize: boolean
  onLoss: OnLoss
  /** Whether its declarations may apply to the `<svg>` element. */
  isRoot?: boolean
  /** Whether it is in another rule. */
  isNested?: true
  /** Whether `:scope` has a meaning of its own. */
  isInScope?: true
}

function scoped(css: string, place: RulePlace): string {
  const sheet = parse(css)
  if (sheet.type === 'StyleSheet') sheet.children.fromArray(limitAll(sheet.children, place))
  return generate(sheet)
}

/**
 * Whether `limitToBox` has limited a style sheet.
 * @param prefix the beginning of the class that limits style sheets
 */
export function isScoped(css: string, root: RootNames, prefix: string): boolean {
  const name = new RegExp(`^${prefix}[-_]scope\\d*$`)
  const scope = [...root.classes].find((one) => name.test(one))
  if (scope === undefined) return false
  const text = generate(parse(css))
  return [false, true].some(
    (hasUsed) => scoped(css, { scope, root, hasUsed, hasOwnSize: false, onLoss: () => {} }) === text,
  )
}

/** Returns the rules and declarations that concern only the drawing. */
function limitAll(nodes: List<CssNode>, place: RulePlace): CssNode[] {
  return nodes.toArray().flatMap((node) => {
    if (node.type === 'Rule') return limitRule(node, place) ? [node] : []
    if (node.type === 'Atrule') return limitAtrule(node, place)
    if (!place.isNested || !isPlain(node, place.isRoot === true)) return []
    return place.hasOwnSize && place.isRoot && isSize(node) ? [exceptRoot(node, place)] : [node]
  })
}

/** Returns a rule within a rule whose declaration doesn't apply to the `<svg>` element. */
function exceptRoot(declaration: CssNode, place: RulePlace): CssNode {
  const rule = parse(`&:where(:not(.${place.scope})){${generate(declaration)}}`, { context: 'rule' })
  if (rule.type === 'Rule') limitSelectors(rule.prelude, { ...place, isNested: true })
  return rule
}

function limitRule({ prelude, block }: Rule, place: RulePlace): boolean {
  if (prelude.type !== 'SelectorList' || !isUnderstood(prelude)) return false
  limitSelectors(prelude, place)
  const isRoot = prelude.children.some((selector) => maySelectRoot(selector, place))
  block.children.fromArray(limitAll(block.children, { ...place, isNested: true, isRoot }))
  return !block.children.isEmpty
}

/** Rules whose content applies under a condition. Other rules, such as `@font-face`, concern the whole page. */
const conditional = /^(?:media|supports|container|starting-style|scope)$/i

function limitAtrule(rule: Atrule, place: RulePlace): CssNode[] {
  const { name, prelude, block } = rule
  if (/^(?:font-face|property|counter-style)$/i.test(name)) place.onLoss(`@${name}`)
  if (!block || (prelude && !isUnderstood(prelude))) return []
  if (/^(?:-\w+-)?keyframes$/i.test(name)) return limitFrames(rule) ? [rule] : []
  // A layer would be one of the page.
  const isLayer = /^layer$/i.test(name)
  if (!isLayer && !conditional.test(name)) return []
  const isScope = /^scope$/i.test(name)
  if (isScope && prelude) limitScope(prelude, place)
  // Declarations without a rule would apply to the element of `@scope`.
  const { isNested: _, ...outside } = place
  const content = limitAll(block.children, isScope ? { ...outside, isInScope: true } : place)
  if (content.length === 0 || isLayer) return content
  block.children.fromArray(content)
  return [rule]
}

/** Limits the elements that the rules in `@scope` are limited to. */
function limitScope(prelude: CssNode, place: RulePlace): void {
  walk(prelude, (node) => {
    if (node.type === 'Scope' && node.root) limitSelectors(node.root, place)
  })
}

/** @returns whether it is an animation. Its name gets a prefix later. */
function limitFrames({ prelude, block }: Atrule): boolean {
  const names = prelude?.type === 'AtrulePrelude' ? prelude.children.toArray() : []
  if (!block || names.length !== 1 || !/^(?:Identifier|String)$/.test(names[0]?.type ?? '')) return false
  const frames = block.children.toArray().filter((node): node is Rule => node.type === 'Rule' && isFrame(node))
  for (const { block: frame } of frames) {
    frame.children.fromArray(frame.children.toArray().filter((node) => isPlain(node, false)))
  }
  block.children.fromArray(frames)
  return true
}

function isFrame({ prelude }: Rule): boolean {
  return /^(?:(?:from|to|[\d.]+%)(?:,|$))+$/i.test(generate(prelude))
}

/** Whether css-tree parsed all of the selectors or conditions. It does not check functions without arguments. */
function isUnderstood(node: CssNode): boolean {
  return !find(node, (part) => {
    const isSelector = part.type === 'PseudoClassSelector' || part.type === 'PseudoElementSelector'
    return part.type === 'Raw' || (isSelector && part.children !== null && part.children.isEmpty)
  })
}

/** Whether a node is a declaration that is allowed and complete, and that no browser parses as a rule. */
function isPlain(node: CssNode, isRoot: boolean): boolean {
  if (node.type !== 'Declaration' || !declarationAllowed(node, isRoot)) return false
  const names: string[] = []
  tokenize(`${generate(node)};`, (type) => void names.push(tokenNames[type] ?? ''))
  // A text or comment that does not end contains the semicolon.
  if (names.at(-1) !== 'semicolon-token' || names.some((name) => /^(?:bad-|[{}]-)/.test(name))) return false
  let open = 0
  for (const name of names) {
    if (/^(?:function-|[([]-)/.test(name)) open++
    if (/^[)\]]-/.test(name)) open--
    if (open < 0) return false
  }
  return open === 0
}

/** Limits the elements that selectors select to the `<svg>` element, which `:root` stands for, and those in it. */
function limitSelectors(list: CssNode, { scope, hasUsed, isNested, isInScope }: RulePlace): void {
  if (list.type !== 'SelectorList') return
  const isRoot = (node: CssNode) =>
    node.type === 'PseudoClassSelector'
      ? /^root$/i.test(node.name) || (!isInScope && /^scope$/i.test(node.name))
      : node.type === 'NestingSelector' && !isNested && !isInScope
  walk(list, (node) => {
    if (isRoot(node)) Object.assign(node, { type: 'ClassSelector', name: scope })
  })
  for (const selector of list.children)
    if (selector.type === 'Selector') limit(selector.children, hasUsed ? [scope, usedClass(scope)] : [scope])
}

/** Whether a selector may select the `<svg>` element. This is assumed for pseudo-classes and attributes. */
function maySelectRoot(selector: CssNode, { scope, root: { id, classes }, isRoot = true }: RulePlace): boolean {
  if (selector.type !== 'Selector') return true
  const items = selector.children.toArray()
  return items.slice(subjectOf(items)).every((part) => {
    const name = 'name' in part && typeof part.name === 'string' ? part.name.toLowerCase() : ''
    // Its escapes may spell any name.
    if (name.includes('\\')) return true
    if (part.type === 'TypeSelector') return /(?:^|\|)(?:svg|\*)$/.test(name)
    if (part.type === 'ClassSelector') return name === scope || classes.has(name)
    if (part.type === 'IdSelector') return id === name
    return part.type === 'NestingSelector' ? isRoot : true
  })
}

/** Returns the index of the first part of a selector that concerns the selected element. */
function subjectOf(items: readonly CssNode[]): number {
  return items.findLastIndex(({ type }) => type === 'Combinator') + 1
}

/** @param classes of the elements whose content is selected, and which are selected themselves */
function limit(selector: List<CssNode>, classes: readonly string[]): void {
  const items = selector.toArray()
  const subject = subjectOf(items)
  const pseudo = items.findIndex(({ type }, at) => at >= subject && type === 'PseudoElementSelector')
  const at = pseudo === -1 ? items.length : pseudo
  const text = `:where(${classes.map((name) => `.${name},.${name} *`).join(',')})`
  const last = items[at - 1]
  if (last && generate(last) === text) return
  const inDrawing = parse(text, { context: 'selector' })
  if (inDrawing.type !== 'Selector') return
  selector.fromArray([...items.slice(0, at), ...inDrawing.children, ...items.slice(at)])
}
