import { generate, parse } from 'css-tree'
import type { CustomPlugin } from 'svgo'
import { cssPixels } from '../../text/css-length.js'
import { isSize } from './page-styles.js'
import { ariaReferences } from './prefix.js'
import { sizesInSheets } from './styles.js'
import { elementsIn, rootOf, type Child, type Parent, type Root } from './tree.js'

const xlink = 'http://www.w3.org/1999/xlink'

/** Prepares an SVG for a component by keeping only what is drawn. */
export const keepDrawing: CustomPlugin = {
  name: 'keepDrawing',
  fn(root) {
    root.children = root.children.filter(({ type }) => type === 'element')
    const before = idsIn(root)
    removeDescriptions(root)
    removeMarks(root)
    const after = idsIn(root)
    removeReferences(root, new Set([...before].filter((id) => !after.has(id))))
    writePlainReferences(root)
    moveSize(root)
    return null
  },
}

/** Removes comments, data of drawing programs, and titles, because the component sets its own title. */
function removeDescriptions(parent: Parent): void {
  parent.children = parent.children.filter((child) => !isDescription(child))
  for (const child of parent.children) if (child.type === 'element') removeDescriptions(child)
}

function isDescription(child: Child): boolean {
  if (child.type === 'element')
    return child.name.includes(':') ? !child.name.startsWith('svg:') : /^(title|metadata)$/.test(child.name)
  return child.type !== 'text' && child.type !== 'cdata'
}

/** Removes attributes that frameworks use to find elements during hydration, such as `data-hk`. */
function removeMarks(root: Root): void {
  for (const { attributes } of elementsIn(root))
    for (const name of Object.keys(attributes)) if (/^data-/i.test(name)) delete attributes[name]
}

function idsIn(root: Root): Set<string> {
  return new Set(elementsIn(root).flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id])))
}

function removeReferences(root: Root, removed: ReadonlySet<string>): void {
  if (removed.size === 0) return
  for (const { attributes } of elementsIn(root)) {
    for (const name of ariaReferences) {
      const ids = attributes[name]?.trim().split(/\s+/) ?? []
      const left = ids.filter((id) => !removed.has(id))
      if (left.length === ids.length) continue
      if (left.length > 0) attributes[name] = left.join(' ')
      else delete attributes[name]
    }
  }
}

/** Moves the size of an SVG from styles to attributes, because styles would override the size that a component sets. */
function moveSize(root: Root): void {
  const svg = rootOf(root)
  if (!svg) return
  const list = parse(svg.attributes['style'] ?? '', { context: 'declarationList', parseValue: false })
  const own = list.type === 'DeclarationList' ? list.children.toArray() : []
  const sizes = [...sizesInSheets(root, svg), ...own.filter(isSize)]
  for (const { property, value } of sizes.toSorted(
    (a, b) => Number(a.important === true) - Number(b.important === true),
  )) {
    const length = generate(value)
    if (cssPixels(length) !== undefined) svg.attributes[/height/i.test(property) ? 'height' : 'width'] = length
  }
  const kept = own.filter((node) => !isSize(node))
  if (kept.length === own.length) return
  svg.attributes['style'] = kept.map((node) => generate(node)).join(';')
  if (kept.length === 0) delete svg.attributes['style']
}

/** Writes `href` without a prefix, because the page doesn't declare the file's prefixes. */
function writePlainReferences(root: Root): void {
  const declarations = Object.entries(rootOf(root)?.attributes ?? {})
  const prefixes = declarations.flatMap(([name, value]) => (value === xlink ? [name.replace('xmlns:', '')] : []))
  const written = new Set(['xlink', ...prefixes].map((prefix) => `${prefix}:href`))
  for (const { attributes } of elementsIn(root)) {
    for (const [name, value] of Object.entries(attributes)) {
      if (!name.includes(':') || name.startsWith('xml')) continue
      delete attributes[name]
      if (written.has(name)) attributes['href'] ??= value
    }
  }
}
