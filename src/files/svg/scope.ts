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
import { referencesOf } from './mask-values.js'
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
 * Confines an inline SVG to its box on a page. Style sheets apply only to the SVG and keep their specificity. We remove
 * CSS that css-tree can't parse, because a browser may be able to parse it and apply it to the whole page. The `<svg>`
 * element loses everything that would move it out of its box.
 * @param hasOwnSize whether the `<svg>` element's size comes from its attributes, as in a component, so style sheets
 *   must not set it
 */
export const limitToBox = (onLoss: OnLoss, hasOwnSize: boolean): CustomPlugin => ({
  name: 'limitToBox',
  fn(root) {
    const svg = rootOf(root)
    if (!svg) return null
    const styles = elementsIn(root).filter(({ name }) => name === 'style')
    // Without a style sheet in the SVG, its class refers to the page's style sheets, which could move it.
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
    const context = { scope, root: names, hasUsed: used.length > 0, hasOwnSize, onLoss }
    for (const style of styles) style.children = [{ type: 'text', value: scoped(sheetText(style), context) }]
    addClass(svg, scope)
    return null
  },
})

/**
 * Called for each rule that is removed because it would affect the whole page.
 * @param rule such as `@font-face`
 */
export type OnLoss = (rule: string) => void

/**
 * Writes out the overflow that children inherit from the `<svg>` element, because its own overflow becomes hidden on a
 * page.
 */
function keepOverflow(svg: Element): void {
  for (const child of svg.children) {
    if (child.type === 'element' && child.attributes['overflow'] === 'inherit')
      child.attributes['overflow'] = svg.attributes['overflow'] ?? 'visible'
  }
}

/**
 * Returns an unused class name for the `<svg>` element, to limit style sheets to it. `prefixPlugins` later makes the
 * name unique to this SVG.
 */
function unusedName(root: Root): string {
  const texts = elementsIn(root).map((element) => `${element.attributes['class'] ?? ''} ${sheetText(element)}`)
  const used = new Set(texts.flatMap((text) => text.toLowerCase().match(/\bscope\d*/g) ?? []))
  let name = 'scope'
  for (let number = 2; used.has(name); number++) name = `scope${number}`
  return name
}

/** Returns the elements that `<use>` elements refer to. */
function usedElements(root: Root): Element[] {
  const elements = elementsIn(root)
  const uses = elements.filter(({ name }) => name === 'use')
  const ids = new Set(uses.flatMap(referencesOf))
  return elements.filter(({ attributes: { id } }) => id !== undefined && ids.has(id))
}

/**
 * Returns the class of elements that `<use>` elements refer to. Selectors must also match their copies, which are
 * rendered outside the root.
 */
function usedClass(scope: string): string {
  return `${scope}-use`
}

function addClass({ attributes }: Element, name: string): void {
  attributes['class'] = `${attributes['class'] ?? ''} ${name}`.trim()
}

interface RuleContext {
  scope: string
  root: RootNames
  /** Whether any element is referenced by `<use>`. */
  hasUsed: boolean
  /** Whether the size of the `<svg>` element comes from its attributes, not from rules. */
  hasOwnSize: boolean
  onLoss: OnLoss
  /** Whether the rule's declarations may apply to the `<svg>` element. */
  isRoot?: boolean
  /** Whether the rule is nested in another rule. */
  isNested?: true
  /** Whether the rule is inside `@scope`, which gives `:scope` a different meaning. */
  isInScope?: true
}

function scoped(css: string, context: RuleContext): string {
  const sheet = parse(css)
  if (sheet.type === 'StyleSheet') sheet.children.fromArray(limitAll(sheet.children, context))
  return generate(sheet)
}

/**
 * Checks whether `limitToBox` has limited a style sheet.
 * @param prefix the prefix of the class that style sheets are limited to
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

/** Limits rules and declarations to the SVG and drops any that could affect more than the SVG. */
function limitAll(nodes: List<CssNode>, context: RuleContext): CssNode[] {
  return nodes.toArray().flatMap((node) => {
    if (node.type === 'Rule') return limitRule(node, context) ? [node] : []
    if (node.type === 'Atrule') return limitAtrule(node, context)
    if (!context.isNested || !isPlain(node, context.isRoot === true)) return []
    return context.hasOwnSize && context.isRoot && isSize(node) ? [exceptRoot(node, context)] : [node]
  })
}

/** Wraps a declaration in a nested rule that excludes the `<svg>` element. */
function exceptRoot(declaration: CssNode, context: RuleContext): CssNode {
  const rule = parse(`&:where(:not(.${context.scope})){${generate(declaration)}}`, { context: 'rule' })
  if (rule.type === 'Rule') limitSelectors(rule.prelude, { ...context, isNested: true })
  return rule
}

function limitRule({ prelude, block }: Rule, context: RuleContext): boolean {
  if (prelude.type !== 'SelectorList' || !isUnderstood(prelude)) return false
  limitSelectors(prelude, context)
  const isRoot = prelude.children.some((selector) => maySelectRoot(selector, context))
  block.children.fromArray(limitAll(block.children, { ...context, isNested: true, isRoot }))
  return !block.children.isEmpty
}

/** At-rules that apply their content under a condition. Others, such as `@font-face`, affect the whole page. */
const conditional = /^(?:media|supports|container|starting-style|scope)$/i

function limitAtrule(rule: Atrule, context: RuleContext): CssNode[] {
  const { name, prelude, block } = rule
  if (/^(?:font-face|property|counter-style)$/i.test(name)) context.onLoss(`@${name}`)
  if (!block || (prelude && !isUnderstood(prelude))) return []
  if (/^(?:-\w+-)?keyframes$/i.test(name)) return limitFrames(rule) ? [rule] : []
  // A layer would join the page's cascade layers, so we keep only its content.
  const isLayer = /^layer$/i.test(name)
  if (!isLayer && !conditional.test(name)) return []
  const isScope = /^scope$/i.test(name)
  if (isScope && prelude) limitScope(prelude, context)
  // Bare declarations would apply to the scope root, so they aren't allowed here.
  const { isNested: _, ...outside } = context
  const content = limitAll(block.children, isScope ? { ...outside, isInScope: true } : context)
  if (content.length === 0 || isLayer) return content
  block.children.fromArray(content)
  return [rule]
}

/** Limits the root selectors of an `@scope` rule. */
function limitScope(prelude: CssNode, context: RuleContext): void {
  walk(prelude, (node) => {
    if (node.type === 'Scope' && node.root) limitSelectors(node.root, context)
  })
}

/**
 * Removes disallowed declarations from `@keyframes`, whose name is prefixed later.
 * @returns whether the rule is valid
 */
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

/**
 * Checks whether css-tree parsed all selectors or conditions. css-tree accepts functions with empty arguments, so we
 * reject those here.
 */
function isUnderstood(node: CssNode): boolean {
  return !find(node, (part) => {
    const isSelector = part.type === 'PseudoClassSelector' || part.type === 'PseudoElementSelector'
    return part.type === 'Raw' || (isSelector && part.children !== null && part.children.isEmpty)
  })
}

/** Checks whether a node is a complete and allowed declaration that browsers can't parse as a rule. */
function isPlain(node: CssNode, isRoot: boolean): boolean {
  if (node.type !== 'Declaration' || !declarationAllowed(node, isRoot)) return false
  const names: string[] = []
  tokenize(`${generate(node)};`, (type) => void names.push(tokenNames[type] ?? ''))
  // An unterminated string or comment includes the semicolon.
  if (names.at(-1) !== 'semicolon-token' || names.some((name) => /^(?:bad-|[{}]-)/.test(name))) return false
  let open = 0
  for (const name of names) {
    if (/^(?:function-|[([]-)/.test(name)) open++
    if (/^[)\]]-/.test(name)) open--
    if (open < 0) return false
  }
  return open === 0
}

/**
 * Limits selectors to the `<svg>` element and its descendants, and replaces `:root` with the `<svg>` element's class.
 */
function limitSelectors(list: CssNode, { scope, hasUsed, isNested, isInScope }: RuleContext): void {
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

/** Checks whether a selector may match the `<svg>` element. Assumes that pseudo-classes and attributes match. */
function maySelectRoot(selector: CssNode, { scope, root: { id, classes }, isRoot = true }: RuleContext): boolean {
  if (selector.type !== 'Selector') return true
  const items = selector.children.toArray()
  return items.slice(subjectOf(items)).every((part) => {
    const name = 'name' in part && typeof part.name === 'string' ? part.name.toLowerCase() : ''
    // Escapes may spell any name.
    if (name.includes('\\')) return true
    if (part.type === 'TypeSelector') return /(?:^|\|)(?:svg|\*)$/.test(name)
    if (part.type === 'ClassSelector') return name === scope || classes.has(name)
    if (part.type === 'IdSelector') return id === name
    return part.type === 'NestingSelector' ? isRoot : true
  })
}

/** Returns the index where a selector's last compound begins, which describes the matched element. */
function subjectOf(items: readonly CssNode[]): number {
  return items.findLastIndex(({ type }) => type === 'Combinator') + 1
}

/** Limits a selector to elements with one of the classes and to their descendants. */
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
