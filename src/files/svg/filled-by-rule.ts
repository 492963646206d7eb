import { find, generate, parse, walk } from 'css-tree'
import { querySelectorAll } from 'svgo'
import { appliesAlways, elementsIn, sheetsIn, type Element, type Root } from './tree.js'

/** States of a page or an element: rules with these apply only at times. */
const states =
  /^(?:hover|active|focus|focus-within|focus-visible|visited|link|any-link|target|checked|enabled|disabled|lang|dir|has)$/i

/** Rules of a style sheet times elements. Beyond it, all elements count as filled. */
const most = 1_000_000

/** Returns the elements that rules of style sheets fill in all media and all states. */
export function filledByRule(root: Root): ReadonlySet<Element> {
  const styles = elementsIn(root).filter((element) => element.name === 'style' && appliesAlways(element))
  const selectors = styles
    .flatMap((style) => sheetsIn({ ...root, children: [style] }))
    .flatMap(({ value }) => fillingIn(value))
  const elements = elementsIn(root)
  if (selectors.length * elements.length > most) return new Set(elements)
  const filled = new Set<Element>()
  for (const selector of selectors) for (const element of matching(root, selector, elements)) filled.add(element)
  return filled
}

/** Returns the selectors of rules that set `fill` at all times. */
function fillingIn(css: string): string[] {
  const selectors: string[] = []
  walk(parse(css), {
    visit: 'Rule',
    enter({ prelude, block }) {
      const fills = block.children.some((node) => node.type === 'Declaration' && /^fill$/i.test(node.property))
      if (!fills || this.atrule !== null || prelude.type !== 'SelectorList') return
      for (const selector of prelude.children) {
        const state = find(
          selector,
          (node) =>
            node.type === 'PseudoElementSelector' || (node.type === 'PseudoClassSelector' && states.test(node.name)),
        )
        if (!state) selectors.push(generate(selector).replaceAll(/:root\b/gi, 'svg'))
      }
    },
  })
  return selectors
}

/** A selector that only browsers know may select any element. */
function matching(root: Root, selector: string, elements: readonly Element[]): readonly Element[] {
  try {
    return querySelectorAll(root, selector).filter((node): node is Element => node.type === 'element')
  } catch {
    return elements
  }
}
