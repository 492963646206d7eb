import { generate, List, parse, walk, type CssNode } from 'css-tree'
import type { CustomPlugin } from 'svgo'
import { builtin, enterAll, inLinearTime, rootOf, sheetsIn, type Parent } from './tree.js'

/** Moves styles into attributes, where that changes nothing: style sheets, if all their rules can be moved. */
export const moveStyles: CustomPlugin = {
  name: 'moveStyles',
  fn(root, _, info) {
    const sheets = sheetsIn(root)
    if (sheets.length > 0 && sheets.every(({ value }) => isMovable(value))) {
      const inlined = inLinearTime(builtin('inlineStyles', { onlyMatchedOnce: false }))
      void inlined.fn(root, undefined, info)
      removeEmptySheets(root)
    }
    // The rules of a remaining style sheet would override attributes.
    if (sheetsIn(root).length > 0) return null
    const toAttributes = builtin('convertStyleToAttrs', {}).fn(root, undefined, info)
    enterAll(root, (element, parent) => {
      // As an attribute, `transform` has another syntax, and variables are not known everywhere.
      if (/transform|var\(/i.test(element.attributes['style'] ?? '')) return
      void (toAttributes && toAttributes.element?.enter?.(element, parent))
    })
    return null
  },
}

/** Whether a style sheet has only rules that apply to the same elements at all times. */
function isMovable(css: string): boolean {
  let movable = true
  walk(parse(css), (node) => {
    const moving = ['Atrule', 'PseudoClassSelector', 'PseudoElementSelector', 'NestingSelector', 'Raw']
    if (moving.includes(node.type)) movable = false
  })
  return movable
}

/** Removes style sheets of which only empty rules, or rules that match no element, are left. */
function removeEmptySheets(parent: Parent): void {
  parent.children = parent.children.filter((child) => child.type !== 'element' || child.name !== 'style')
  for (const child of parent.children) if (child.type === 'element') removeEmptySheets(child)
}

/** The class of the `<svg>` element to which a style sheet applies. `prefixPlugins` makes it the drawing's own. */
const SCOPE = 'scope'

/** Limits the rules of style sheets to the drawing, without a change of their specificity. */
export const scopeStyles: CustomPlugin = {
  name: 'scopeStyles',
  fn(root) {
    const svg = rootOf(root)
    const sheets = sheetsIn(root)
    if (!svg || sheets.length === 0) return null
    for (const sheet of sheets) sheet.value = scoped(sheet.value)
    const { class: names = '' } = svg.attributes
    svg.attributes['class'] = [...names.split(/\s+/), SCOPE].filter(Boolean).join(' ')
    return null
  },
}

function scoped(css: string): string {
  const sheet = parse(css)
  walk(sheet, {
    visit: 'Rule',
    enter(rule) {
      const isFrame = this.atrule !== null && /keyframes$/i.test(this.atrule.name)
      if (isFrame || rule.prelude.type !== 'SelectorList') return
      for (const selector of rule.prelude.children) if (selector.type === 'Selector') limit(selector.children)
    },
  })
  return generate(sheet)
}

/** Limits the element that a selector selects to the `<svg>` element, which `:root` stands for, and those in it. */
function limit(selector: List<CssNode>): void {
  for (const part of selector) {
    if (part.type === 'PseudoClassSelector' && part.name === 'root')
      Object.assign(part, { type: 'ClassSelector', name: SCOPE })
  }
  const items = selector.toArray()
  const subject = items.findLastIndex(({ type }) => type === 'Combinator') + 1
  const pseudo = items.findIndex(({ type }, at) => at >= subject && type === 'PseudoElementSelector')
  const at = pseudo === -1 ? items.length : pseudo
  const inDrawing = parse(`:where(.${SCOPE},.${SCOPE} *)`, { context: 'selector' })
  if (inDrawing.type !== 'Selector') return
  const limited = [...items.slice(0, at), ...inDrawing.children, ...items.slice(at)]
  selector.fromArray(limited)
}
