import type { CustomPlugin } from 'svgo'
import { scopeStyles } from './styles.js'
import { elementsIn, rootOf, type Child, type Parent, type Root } from './tree.js'

const xlink = 'http://www.w3.org/1999/xlink'

/** Makes a drawing a part of a page: keeps only what is drawn, and limits its style sheets to it. */
const keepDrawing: CustomPlugin = {
  name: 'keepDrawing',
  fn(root) {
    root.children = root.children.filter(({ type }) => type === 'element')
    removeDescriptions(root)
    removeMarks(root)
    writePlainReferences(root)
    return null
  },
}

export const componentPlugins: readonly CustomPlugin[] = [keepDrawing, scopeStyles]

/** Removes comments, data of drawing programs, and titles, which belong to the component. */
function removeDescriptions(parent: Parent): void {
  parent.children = parent.children.filter((child) => !isDescription(child))
  for (const child of parent.children) if (child.type === 'element') removeDescriptions(child)
}

function isDescription(child: Child): boolean {
  if (child.type === 'element')
    return child.name.includes(':') ? !child.name.startsWith('svg:') : /^(title|metadata)$/.test(child.name)
  return child.type !== 'text' && child.type !== 'cdata'
}

/** Removes attributes by which frameworks find elements when a page hydrates, such as `data-hk`. */
function removeMarks(root: Root): void {
  for (const { attributes } of elementsIn(root))
    for (const name of Object.keys(attributes)) if (/^data-/i.test(name)) delete attributes[name]
}

/** Writes `href` without a prefix: the prefixes of a file are not declared in a page. */
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
