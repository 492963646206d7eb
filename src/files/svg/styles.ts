import { parse, walk } from 'css-tree'
import type { CustomPlugin } from 'svgo'
import { appliesAlways, builtin, elementsIn, enterAll, inLinearTime, sheetsIn, type Parent } from './tree.js'

/** Moves styles into attributes, where that changes nothing: style sheets, if all their rules can be moved. */
export const moveStyles: CustomPlugin = {
  name: 'moveStyles',
  fn(root, _, info) {
    const sheets = sheetsIn(root)
    const styles = elementsIn(root).filter(({ name }) => name === 'style')
    if (sheets.length > 0 && styles.every(appliesAlways) && sheets.every(({ value }) => isMovable(value))) {
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

/**
 * Writes a space between `<` and a letter, as in `(400px < width)`. css-tree writes none, and the check of the result
 * takes both for markup.
 */
export const spaceComparisons: CustomPlugin = {
  name: 'spaceComparisons',
  fn(root) {
    for (const sheet of sheetsIn(root)) sheet.value = sheet.value.replaceAll(comparisons, spaced)
    return null
  },
}

/** `<` before a letter, and texts and addresses, which stay. An end that is missing takes no time to search. */
const comparisons = /"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|url\((?:[^)\\]|\\.)*\)?|<(?=[a-z])/gis

function spaced(part: string): string {
  return part === '<' ? '< ' : part
}
