import { find, findAll, generate, parse, walk, type CssNode } from 'css-tree'
import { select } from './styles.js'
import { appliesAlways, elementsIn, sheetsIn, type Element, type Root } from './tree.js'

/** Pseudo-classes for states of a page or an element. A rule that uses one doesn't always apply. */
const states =
  /^(?:hover|active|focus(?:-within|-visible)?|visited|(?:any-)?link|target|checked|enabled|disabled|lang|dir|has)$/i

/** The maximum product of selectors and elements. Beyond it, we assume that all elements are filled. */
const most = 1_000_000

/** Returns the elements that style sheets fill in all media and states. */
export function filledByRule(root: Root): ReadonlySet<Element> {
  const styles = elementsIn(root).filter((one) => one.name === 'style' && appliesAlways(one))
  const sheets = sheetsIn({ ...root, children: styles })
  const selectors = sheets.flatMap(({ value }) => fillingIn(value))
  const elements = elementsIn(root)
  if (selectors.length * elements.length > most) return new Set(elements)
  const filled = new Set<Element>()
  for (const selector of selectors) for (const element of matching(root, selector) ?? elements) filled.add(element)
  return filled
}

/** Returns the selectors of rules that set `fill` and always apply. */
function fillingIn(css: string): string[] {
  const selectors: string[] = []
  walk(parse(css), {
    visit: 'Rule',
    enter({ prelude, block }) {
      const fills = block.children.some((node) => node.type === 'Declaration' && /^fill$/i.test(node.property))
      if (!fills || this.atrule !== null || prelude.type !== 'SelectorList') return
      for (const selector of prelude.children) {
        const state = find(selector, isState)
        if (!state) selectors.push(generate(selector).replaceAll(/:root\b/gi, 'svg'))
      }
    },
  })
  return selectors
}

function isState(node: CssNode): boolean {
  return node.type === 'PseudoElementSelector' || (node.type === 'PseudoClassSelector' && states.test(node.name))
}

/** The maximum number of combinators in a selector. Each multiplies the matching time by the depth of the SVG. */
const mostCombinators = 2

/**
 * Returns the elements that a selector matches.
 * @returns undefined if matching would be slow or svgo doesn't support the selector, which may then match any element
 */
function matching(root: Root, selector: string): Element[] | undefined {
  const combinators = findAll(parse(selector, { context: 'selector' }), ({ type }) => type === 'Combinator')
  return combinators.length > mostCombinators ? undefined : select(root, selector)
}
