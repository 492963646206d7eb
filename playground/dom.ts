import type { GalleryItem, GuideItem, Item } from 'unplugin-content-space'

interface Caption {
  name: string
  notes: string
  /** Other information, such as `Expires: 2027-12-31`. */
  facts?: string[]
  /** The code that imports the asset. */
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

/** Parses markup that the build has generated or sanitized. */
export function markup(html: string): DocumentFragment {
  return document.createRange().createContextualFragment(html)
}

/** @throws Error if the page doesn't have this element */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no #${id}.`)
  return found
}

/**
 * Creates a section of the page with the items in their order. A heading starts a new grid, and so does any item that
 * isn't an asset. The type of an asset is inferred from the parameter of `show`, because the declared types are exact.
 * @param code the code that imports the section
 * @param draw returns the picture of an asset in a guide or a gallery
 */
export function part<Asset extends { name: string }>(
  { name, items }: { name: string; items: readonly Item<NoInfer<Asset>>[] },
  className: string,
  code: HTMLElement,
  show: (asset: Asset) => Node,
  draw?: (asset: Asset) => Node,
): HTMLElement {
  const id = slug(name)
  const made = element('section', { id, className: 'part' }, element('h2', { textContent: name }), code)
  let grid: HTMLElement | undefined
  const place = (kind: string, child: Node): void => {
    if (grid?.className !== `grid ${kind}`) made.append((grid = element('div', { className: `grid ${kind}` })))
    grid.append(child)
  }
  const alone = (...nodes: Node[]): void => {
    made.append(...nodes)
    grid = undefined
  }
  for (const item of items) {
    if (item.type === 'heading') alone(element('h3', { textContent: item.content }))
    if (item.type === 'asset') place(className, show(item.asset))
    // The text is Markdown. These notes are plain text; other texts need a library that renders them.
    if (item.type === 'inline_note') alone(element('p', { className: 'note', textContent: item.content }))
    if (item.type === 'guide' && draw) place('guides', guide(item, draw))
    if (item.type === 'gallery' && draw) alone(...gallery(item, draw))
  }
  return made
}

/** Creates a guide with its picture on the background that the space specifies. */
function guide<Asset>(
  { title = '', content = '', color = '', asset, display }: GuideItem<Asset>,
  draw: (asset: Asset) => Node,
) {
  const ground = element('div', { className: 'tile' }, ...(asset ? [draw(asset)] : []))
  const made = figure('guide', ground, { name: title, notes: content })
  const shade = display?.['cardBackgroundColor']
  // These are texts from the space, but the properties accept only colors.
  if (typeof shade === 'string') ground.style.backgroundColor = shade
  made.style.borderTopColor = color
  return made
}

function gallery<Asset extends { name: string }>(
  { name, assets }: GalleryItem<Asset>,
  draw: (asset: Asset) => Node,
): HTMLElement[] {
  const members = assets.map((asset) => figure('', draw(asset), { name: asset.name, notes: '' }))
  return [element('h3', { textContent: name }), element('div', { className: 'grid strip' }, ...members)]
}

export function figure(className: string, picture: Node, { name, notes, facts = [], code }: Caption): HTMLElement {
  const known = facts.map((fact) => element('span', { className: 'fact', textContent: fact }))
  const caption = element(
    'figcaption',
    {},
    element('strong', { textContent: name }),
    notes,
    element('span', { className: 'facts' }, ...known),
  )
  return element('figure', { className }, picture, caption, ...(code ? [code] : []))
}

/** Creates a figure with its own background. */
export function tile(className: string, picture: Node, caption: Caption): HTMLElement {
  return figure('', element('div', { className: `tile ${className}` }, picture), caption)
}

export function slug(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
