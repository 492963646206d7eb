import { groupBy } from '../../text/group-by.js'
import { elementsIn, type Element, type Parent } from './tree.js'

/** Elements whose content hides parts of the drawing: its colors are amounts, and are not shown. */
const hiding = /^(?:mask|clipPath)$/

/** Elements whose content is not shown where it is. */
const definitions = /^(?:defs|symbol|linearGradient|radialGradient|pattern|filter|marker|mask|clipPath)$/

/**
 * Returns the elements whose colors are amounts: masks, and definitions that only masks refer to, such as
 * their gradients.
 * @param parents all elements, each before those in it
 */
export function amountsIn(
  parents: ReadonlyMap<Element, Parent>,
  sheets: readonly { value: string }[],
): ReadonlySet<Element> {
  const elements = [...parents.keys()]
  const ofMasks = within(elements, parents, hiding)
  const defined = within(elements, parents, definitions)
  const byId = groupBy(elements, ({ attributes }) => attributes['id'])
  const named = sheets.flatMap(({ value }) => idsIn(value)).flatMap((id) => byId.get(id) ?? [])
  const first = [...elements.filter((element) => !defined.has(element)), ...named.flatMap(withContent)]
  const shown = reachedFrom(first, byId, ofMasks)
  return reachedFrom(ofMasks, byId, new Set(elements.filter((one) => shown.has(one) || !defined.has(one))))
}

function within(elements: readonly Element[], parents: ReadonlyMap<Element, Parent>, names: RegExp): Set<Element> {
  const found = new Set<Element>()
  for (const element of elements) {
    const parent = parents.get(element)
    if (names.test(element.name) || (parent?.type === 'element' && found.has(parent))) found.add(element)
  }
  return found
}

/** Returns elements, and those that they refer to, directly or not. */
function reachedFrom(
  first: Iterable<Element>,
  byId: ReadonlyMap<string | undefined, readonly Element[]>,
  excluded: ReadonlySet<Element>,
): Set<Element> {
  const reached = new Set(first)
  const followed = new Set<string>()
  // A set also visits what is added meanwhile.
  for (const element of reached) {
    for (const id of referencesOf(element)) {
      if (followed.has(id)) continue
      followed.add(id)
      for (const one of (byId.get(id) ?? []).flatMap(withContent)) if (!excluded.has(one)) reached.add(one)
    }
  }
  return reached
}

function withContent(element: Element): Element[] {
  return [element, ...elementsIn(element)]
}

export function referencesOf({ attributes }: Element): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    if (/(?:^|:)href$/.test(name)) return [value.replace('#', '')]
    return idsIn(value)
  })
}

function idsIn(value: string): string[] {
  return [...value.matchAll(/url\(\s*["']?#([^"')]+)/gi)].map(([, id = '']) => id.trim())
}
