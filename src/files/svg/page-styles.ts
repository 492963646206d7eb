import { generate, parse, type CssNode, type Declaration } from 'css-tree'
import { presentation } from './rules.js'

/** SVG's own properties, and other properties that can't move or enlarge content beyond the SVG's box. */
const properties = new RegExp(
  `^(?:--.+|(?:-webkit-)?(?:${presentation.join('|')}|[cr]?[xy]|r|width|height|background(?:-\\w+)?|border-radius|` +
    '(?:animation|transition|transform|offset|mask|font|text|stroke|fill|marker|shape|color)(?:-[a-z]+)*|' +
    'translate|rotate|scale|perspective(?:-origin)?|inline-size|print-color-adjust|user-select|will-change))$',
  'i',
)

/**
 * Properties that would let the `<svg>` element cover other parts of the page. They are harmless on its descendants,
 * because the `<svg>` element clips everything outside its box.
 */
const escapes = new RegExp(
  '^(?:-webkit-)?(?:overflow|translate|rotate|scale|filter|will-change|' +
    '(?:transform|perspective|offset|animation)(?:-[a-z]+)*)$',
  'i',
)

/** Elements that animate attributes of other elements. */
const animations = /^(?:animate\w*|set)$/i

export interface RootNames {
  id: string
  classes: ReadonlySet<string>
}

export interface PlainElement {
  name: string
  attributes: Readonly<Record<string, string>>
}

export function rootNames({ attributes: { id = '', class: names = '' } }: PlainElement): RootNames {
  return { id: id.toLowerCase(), classes: new Set(names.toLowerCase().split(/\s+/).filter(Boolean)) }
}

/** Conditions that the `<svg>` element of a file ignores, so on a page they would change how the SVG renders. */
const conditions = /^(?:required(?:Extensions|Features|Fonts|Formats)|systemLanguage)$/i

/** Checks whether an attribute of the `<svg>` element affects only the SVG and has the same effect as in a file. */
export function rootAttributeAllowed(name: string): boolean {
  return !escapes.test(name) && !conditions.test(name)
}

/** Checks whether an animation could make the `<svg>` element cover other parts of the page. */
export function movesRoot({ name, attributes }: PlainElement, isInRoot: boolean, root: RootNames): boolean {
  if (!animations.test(name)) return false
  const targets = [attributes['href'], attributes['xlink:href']].filter(Boolean).map((one) => one?.trim().toLowerCase())
  const isOfRoot = targets.length === 0 ? isInRoot : root.id !== '' && targets.includes(`#${root.id}`)
  const animated = attributes['attributeName']?.trim() ?? ''
  return isOfRoot && (/^animate(?:Motion|Transform)$/i.test(name) || escapes.test(animated))
}

export function declarationAllowed({ property }: Declaration, isRoot: boolean): boolean {
  return properties.test(property) && !(isRoot && escapes.test(property))
}

export function isSize(node: CssNode): node is Declaration {
  return node.type === 'Declaration' && /^(?:width|height|inline-size)$/i.test(node.property)
}

/**
 * Removes disallowed declarations from the value of a `style` attribute. Returns the text unchanged if all are allowed.
 */
export function limitStyle(css: string, isRoot: boolean): string {
  const list = parse(css, { context: 'declarationList', parseValue: false })
  if (list.type !== 'DeclarationList') return ''
  const all = list.children.toArray()
  const kept = all.filter((node: CssNode) => node.type === 'Declaration' && declarationAllowed(node, isRoot))
  return kept.length === all.length ? css : kept.map((node) => generate(node)).join(';')
}
