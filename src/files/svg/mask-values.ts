import { groupBy } from '../../text/group-by.js'
import { elementsIn, type Element, type Parent } from './tree.js'

/** Elements that hide parts of the SVG. The colors in them are mask values: they set opacity and aren't drawn. */
const hiding = /^(?:mask|clipPath)$/

/** Elements whose content isn't rendered until something refers to it. */
const definitions = /^(?:defs|symbol|linearGradient|radialGradient|pattern|filter|marker|mask|clipPath)$/

/**
 * Returns the elements whose colors are mask values: masks, and definitions that only masks refer to, such as
 * gradients.
 * @param parents all elements, parents before children
 */
export function elementsWithMaskValues(
  parents: ReadonlyMap<Element, Parent>,
  sheets: readonly { value: string }[],
): ReadonlySet<Element> {
  const elements = [...parents.keys()]
  const ofMasks = within(elements, parents, hiding)
  const defined = within(elements, parents, definitions)
  const byId = groupBy(elements, ({ attributes }) => attributes['id'])
  const named = sheets.flatMap(({ value }) => idsIn(value)).flatMap((id) => byId.get(id) ?? [])
  const first = [...elements.filter((element) => !defined.has(element)), ...named.flatMap(withContent)]
  const drawn = reachedFrom(first, byId, ofMasks)
  return reachedFrom(ofMasks, byId, new Set(elements.filter((one) => drawn.has(one) || !defined.has(one))))
}

function within(elements: readonly Element[], parents: ReadonlyMap<Element, Parent>, names: RegExp): Set<Element> {
  const found = new Set<Element>()
  for (const element of elements) {
    const parent = parents.get(element)
    if (names.test(element.name) || (parent?.type === 'element' && found.has(parent))) found.add(element)
  }
  return found
}

/** Returns the given elements and everything they refer to, directly or indirectly. */
function reachedFrom(
  first: Iterable<Element>,
  byId: ReadonlyMap<string | undefined, readonly Element[]>,
  excluded: ReadonlySet<Element>,
): Set<Element> {
  const reached = new Set(first)
  const followed = new Set<string>()
  // The iteration also visits elements that are added to the set in the meantime.
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
