import type { Item } from 'unplugin-content-space'

interface Caption {
  name: string
  notes: string
  /** The code that imports it. */
  code?: HTMLElement
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties)
  made.append(...children)
  return made
}

/** Parses markup that the build has made or sanitized. */
export function markup(html: string): DocumentFragment {
  return document.createRange().createContextualFragment(html)
}

/** @throws Error if the page has no such element */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}.`)
  return found
}

/**
 * Creates a section of the page, with the items in their order. Each heading starts a new grid.
 * The type of an asset is inferred from the parameter of `show`, because the declared types are exact.
 * @param code the code that imports the section
 */
export function part<Asset>(
  { name, items }: { name: string; items: readonly Item<NoInfer<Asset>>[] },
  className: string,
  code: HTMLElement,
  show: (asset: Asset) => Node,
): HTMLElement {
  const id = slug(name)
  const made = element('section', { id, className: 'part' }, element('h2', { textContent: name }), code)
  let grid: HTMLElement | undefined
  for (const item of items) {
    if (item.type === 'heading') {
      made.append(element('h3', { textContent: item.content }))
      grid = undefined
    }
    if (item.type !== 'asset') continue
    if (grid === undefined) made.append((grid = element('div', { className: `grid ${className}` })))
    grid.append(show(item.asset))
  }
  return made
}

export function figure(className: string, picture: Node, { name, notes, code }: Caption): HTMLElement {
  const caption = element('figcaption', {}, element('strong', { textContent: name }), notes)
  return element('figure', { className }, picture, caption, ...(code ? [code] : []))
}

/** Creates a figure with its own background. */
export function tile(className: string, picture: Node, caption: Caption): HTMLElement {
  return figure('', element('div', { className: `tile ${className}` }, picture), caption)
}

export function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
