import type { CustomPlugin } from 'svgo'
import { inCss, paintOf, replaceColorsOf, type OnColor } from './colors.js'
import { SEVERAL_COLORS } from './several-colors.js'
import { elementsIn, enterAll, rootOf, sheetsIn, type Element, type Parent, type Root } from './tree.js'

/** Elements that are filled, with black if nothing else is given. */
const filled = /^(?:path|rect|circle|ellipse|polygon|polyline|text)$/

/** Elements whose content hides parts of the drawing: its colors are amounts, and are not shown. */
const hiding = /^(?:mask|clipPath)$/

/**
 * Replaces the color of a drawing of one color with that of the text around it. `none` and transparent colors stay.
 * Throws an error that names the colors, if there are several.
 */
export const inCurrentColor: CustomPlugin = {
  name: 'inCurrentColor',
  fn(root) {
    const svg = rootOf(root)
    if (!svg) return null
    const drawing = readTree(root)
    const { shown } = drawing
    const isBlack = shown.some((element) => filled.test(element.name) && isFilledByDefault(element, drawing))
    const blackStops = shown.filter(
      (element) => element.name === 'stop' && paintOf(element, 'stop-color') === undefined,
    )
    checkColors(drawing, isBlack || blackStops.length > 0)
    keepAmounts(drawing)
    for (const element of shown) replaceColorsOf(element, toCurrent)
    for (const sheet of drawing.sheets) sheet.value = inCss(sheet.value, 'stylesheet', toCurrent)
    for (const stop of blackStops) stop.attributes['stop-color'] = 'currentColor'
    if (isBlack) svg.attributes['fill'] = 'currentColor'
    return null
  },
}

interface Drawing {
  parents: ReadonlyMap<Element, Parent>
  /** All elements but those whose colors are amounts. */
  shown: Element[]
  masks: Element[]
  uses: Element[]
  sheets: { value: string }[]
}

function readTree(root: Root): Drawing {
  const parents = new Map<Element, Parent>()
  enterAll(root, (element, parent) => void parents.set(element, parent))
  const elements = [...parents.keys()]
  const within = new Set(elements.filter(({ name }) => hiding.test(name)).flatMap((one) => [one, ...elementsIn(one)]))
  const others = elements.filter((element) => !within.has(element))
  // The gradients of masks are amounts, too.
  const named = new Set(others.flatMap(referencesOf))
  const ofMasks = new Set([...within].flatMap(referencesOf).filter((id) => !named.has(id)))
  for (const element of others) {
    if (!ofMasks.has(element.attributes['id'] ?? '')) continue
    for (const inner of [element, ...elementsIn(element)]) within.add(inner)
  }
  return {
    parents,
    shown: elements.filter((element) => !within.has(element)),
    masks: elements.filter(({ name }) => name === 'mask'),
    uses: elements.filter(({ name }) => name === 'use'),
    sheets: sheetsIn(root),
  }
}

/** Returns the ids that an element refers to. */
function referencesOf({ attributes }: Element): string[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    if (/(?:^|:)href$/.test(name)) return [value.replace('#', '')]
    return [...value.matchAll(/url\(\s*["']?#([^"')]+)/gi)].map(([, id = '']) => id)
  })
}

/** @throws Error that names the colors, if there are several */
function checkColors({ shown, sheets }: Drawing, isBlack: boolean): void {
  const colors = new Map<string, string>(isBlack ? [['#000000', 'black']] : [])
  const collect: OnColor = (hex, text) => {
    colors.set(hex, text)
    return undefined
  }
  for (const element of shown) replaceColorsOf(element, collect)
  for (const sheet of sheets) inCss(sheet.value, 'stylesheet', collect)
  const names = [...colors.values(), ...(shown.some(({ name }) => name === 'image') ? ['an embedded picture'] : [])]
  if (names.length > 1 || names.includes('an embedded picture')) throw new Error(SEVERAL_COLORS + shortened(names))
}

const most = 8

function shortened(names: readonly string[]): string {
  const listed = names.slice(0, most).map((name) => name.slice(0, 40))
  return [...listed, ...(names.length > most ? [`and ${names.length - most} more`] : [])].join(', ')
}

/**
 * Whether an element is filled because nothing says otherwise. A style sheet that is left may say so in ways that only
 * browsers know.
 */
function isFilledByDefault(element: Element, drawing: Drawing, seen = new Set<Element>()): boolean {
  if (seen.has(element) || drawing.sheets.some(({ value }) => /\bfill\s*:/i.test(value))) return false
  const chain = chainOf(element, drawing)
  if (chain.some((one) => paintOf(one, 'fill') !== undefined)) return false
  if (!chain.some(({ name }) => name === 'defs' || name === 'symbol')) return true
  if (chain.some(({ name }) => name === 'pattern' || name === 'marker')) return true
  // The content of `defs` is shown, and inherits, where it is used.
  const ids = new Set(chain.map(({ attributes }) => attributes['id']))
  const uses = drawing.uses.filter((use) => referencesOf(use).some((id) => ids.has(id)))
  return uses.some((use) => isFilledByDefault(use, drawing, new Set([...seen, element])))
}

/** Returns an element and those around it. */
function chainOf(element: Element, { parents }: Drawing): Element[] {
  const chain = [element]
  for (let at = parents.get(element); at?.type === 'element'; at = parents.get(at)) chain.push(at)
  return chain
}

/** Gives masks the colors that they inherit from elements whose colors are replaced. */
function keepAmounts(drawing: Drawing): void {
  for (const mask of drawing.masks) {
    for (const name of ['fill', 'stroke', 'color'] as const) {
      const inherited = chainOf(mask, drawing)
        .map((element) => paintOf(element, name))
        .find((value) => value !== undefined)
      const kept = inherited ?? (name === 'fill' ? '#000' : undefined)
      if (kept !== undefined && paintOf(mask, name) === undefined) mask.attributes[name] = kept
    }
  }
}

/** Returns the color of the text, with the opacity of the color that it replaces. */
function toCurrent(_hex: string, _text: string, alpha: number): string {
  return alpha === 1 ? 'currentColor' : `color-mix(in srgb,currentColor ${Math.round(alpha * 1000) / 10}%,transparent)`
}
