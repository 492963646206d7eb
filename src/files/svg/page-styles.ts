import { generate, parse, type CssNode, type Declaration } from 'css-tree'
import { presentation } from './rules.js'

/** Properties of SVG, and those that do not move or enlarge what is drawn beyond the box of the drawing. */
const properties = new RegExp(
  `^(?:--.+|(?:-webkit-)?(?:${presentation.join('|')}|[cr]?[xy]|r|width|height|background(?:-\\w+)?|border-radius|` +
    '(?:animation|transition|transform|offset|mask|font|text|stroke|fill|marker|shape|color)(?:-[a-z]+)*|' +
    'translate|rotate|scale|perspective(?:-origin)?|inline-size|print-color-adjust|user-select|will-change))$',
  'i',
)

/**
 * With these, the `<svg>` element would be drawn over other parts of the page. They are harmless on elements in it: it
 * hides what is outside of its box.
 */
const escapes = new RegExp(
  '^(?:-webkit-)?(?:overflow|translate|rotate|scale|filter|will-change|' +
    '(?:transform|perspective|offset|animation)(?:-[a-z]+)*)$',
  'i',
)

/** Elements that change attributes of another one. */
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

/** In a file, the `<svg>` element is drawn whether or not these conditions hold. */
const conditions = /^(?:required(?:Extensions|Features|Fonts|Formats)|systemLanguage)$/i

/** Whether an attribute of the `<svg>` element has a meaning in the drawing only, and the same as in a file. */
export function rootAttributeAllowed(name: string): boolean {
  return !escapes.test(name) && !conditions.test(name)
}

/** Whether an animation changes the `<svg>` element so that it could be drawn over other parts of the page. */
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

/** Returns the value of a `style` attribute with what is allowed. The text does not change if all of it is. */
export function limitStyle(css: string, isRoot: boolean): string {
  const list = parse(css, { context: 'declarationList', parseValue: false })
  if (list.type !== 'DeclarationList') return ''
  const all = list.children.toArray()
  const kept = all.filter((node: CssNode) => node.type === 'Declaration' && declarationAllowed(node, isRoot))
  return kept.length === all.length ? css : kept.map((node) => generate(node)).join(';')
}
