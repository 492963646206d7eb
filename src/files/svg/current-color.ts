import type { CustomPlugin } from 'svgo'
import { inCss, paintOf, replaceColorsOf, type OnColor } from './colors.js'
import { filledByRule } from './filled-by-rule.js'
import { elementsWithMaskValues, referencesOf } from './mask-values.js'
import { SEVERAL_COLORS } from './several-colors.js'
import { enterAll, rootOf, sheetsIn, type Element, type Parent, type Root } from './tree.js'

/** Elements whose default fill is black. */
const filled = /^(?:path|rect|circle|ellipse|polygon|polyline|text)$/

/**
 * Replaces the color of a single-color SVG with `currentColor`. Keeps `none` and transparent colors. Throws an error
 * that lists the colors if there are several.
 */
export const inCurrentColor: CustomPlugin = {
  name: 'inCurrentColor',
  fn(root) {
    const svg = rootOf(root)
    if (!svg) return null
    const drawing = readTree(root)
    const { drawn } = drawing
    const isBlack = drawn.some((element) => filled.test(element.name) && isFilledByDefault(element, drawing))
    const blackStops = drawn.filter(
      (element) => element.name === 'stop' && paintOf(element, 'stop-color') === undefined,
    )
    checkColors(drawing, isBlack || blackStops.length > 0)
    keepMaskValues(drawing)
    for (const element of drawn) replaceColorsOf(element, toCurrent)
    for (const sheet of drawing.sheets) sheet.value = inCss(sheet.value, 'stylesheet', toCurrent)
    for (const stop of blackStops) stop.attributes['stop-color'] = 'currentColor'
    if (isBlack) svg.attributes['fill'] = 'currentColor'
    return null
  },
}

interface Drawing {
  parents: ReadonlyMap<Element, Parent>
  /** All elements except those whose colors are mask values. */
  drawn: Element[]
  masks: Element[]
  uses: Element[]
  sheets: { value: string }[]
  /** Elements that a style sheet always fills. */
  filledByRule: ReadonlySet<Element>
}

function readTree(root: Root): Drawing {
  const parents = new Map<Element, Parent>()
  enterAll(root, (element, parent) => void parents.set(element, parent))
  const elements = [...parents.keys()]
  const sheets = sheetsIn(root)
  const maskValues = elementsWithMaskValues(parents, sheets)
  return {
    parents,
    drawn: elements.filter((element) => !maskValues.has(element)),
    masks: elements.filter(({ name }) => name === 'mask'),
    uses: elements.filter(({ name }) => name === 'use'),
    sheets,
    filledByRule: filledByRule(root),
  }
}

/** Throws an error that lists the colors if there are several. */
function checkColors({ drawn, sheets }: Drawing, isBlack: boolean): void {
  const colors = new Map<string, string>(isBlack ? [['#000000', 'black']] : [])
  const collect: OnColor = (hex, text) => {
    colors.set(hex, text)
    return undefined
  }
  for (const element of drawn) replaceColorsOf(element, collect)
  for (const sheet of sheets) inCss(sheet.value, 'stylesheet', collect)
  const names = [...colors.values(), ...(drawn.some(({ name }) => name === 'image') ? ['an embedded picture'] : [])]
  if (names.length > 1 || names.includes('an embedded picture')) throw new Error(SEVERAL_COLORS + shortened(names))
}

const most = 8

function shortened(names: readonly string[]): string {
  const listed = names.slice(0, most).map((name) => name.slice(0, 40))
  return [...listed, ...(names.length > most ? [`and ${names.length - most} more`] : [])].join(', ')
}

/** Checks whether an element has the default fill because nothing sets its fill. */
function isFilledByDefault(element: Element, drawing: Drawing, seen = new Set<Element>()): boolean {
  if (seen.has(element)) return false
  const chain = chainOf(element, drawing)
  if (chain.some((one) => paintOf(one, 'fill') !== undefined || drawing.filledByRule.has(one))) return false
  if (!chain.some(({ name }) => name === 'defs' || name === 'symbol')) return true
  if (chain.some(({ name }) => name === 'pattern' || name === 'marker')) return true
  // The content of `defs` is rendered where `<use>` refers to it, and inherits the fill from there.
  const ids = new Set(chain.map(({ attributes }) => attributes['id']))
  const uses = drawing.uses.filter((use) => referencesOf(use).some((id) => ids.has(id)))
  return uses.some((use) => isFilledByDefault(use, drawing, new Set([...seen, element])))
}

/** Returns an element and its ancestors. */
function chainOf(element: Element, { parents }: Drawing): Element[] {
  const chain = [element]
  for (let at = parents.get(element); at?.type === 'element'; at = parents.get(at)) chain.push(at)
  return chain
}

/** Writes inherited colors on masks, because the colors of their ancestors will be replaced. */
function keepMaskValues(drawing: Drawing): void {
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

/** Returns `currentColor` with the opacity of the color that it replaces. */
function toCurrent(_hex: string, _text: string, alpha: number): string {
  return alpha === 1 ? 'currentColor' : `color-mix(in srgb,currentColor ${Math.round(alpha * 1000) / 10}%,transparent)`
}
