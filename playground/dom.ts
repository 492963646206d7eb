import type { Item } from 'unplugin-content-space'

interface Caption {
  name: string
  notes: string
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

/** Markup that the build has made or sanitised. */
export function markup(html: string): DocumentFragment {
  return document.createRange().createContextualFragment(html)
}

/** @throws Error when the page has no such element: then page and script do not belong together */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}.`)
  return found
}

/**
 * A part of the page, with the items in their order: each heading opens a grid of what stands under it.
 * The declarations of a module spell out every asset; `show` says what of them it needs.
 * @param show gets the asset and the uuid of its item
 */
export function part<Asset>(
  name: string,
  className: string,
  items: readonly Item<NoInfer<Asset>>[],
  show: (asset: Asset, item: string) => Node,
): HTMLElement {
  const id = slug(name)
  const made = element('section', { id, className: 'part' }, element('h2', { textContent: name }))
  let grid: HTMLElement | undefined
  for (const item of items) {
    if ('content' in item) {
      made.append(element('h3', { textContent: item.content }))
      grid = undefined
    }
    if (!('asset' in item)) continue
    if (grid === undefined) made.append((grid = element('div', { className: `grid ${className}` })))
    grid.append(show(item.asset, item.uuid))
  }
  return made
}

export function figure(className: string, picture: Node, { name, notes }: Caption): HTMLElement {
  const caption = element('figcaption', {}, element('strong', { textContent: name }), notes)
  return element('figure', { className }, picture, caption)
}

/** A figure on a ground of its own. */
export function tile(className: string, picture: Node, caption: Caption): HTMLElement {
  return figure('', element('div', { className: `tile ${className}` }, picture), caption)
}

export function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
