/** The attributes of an element by name. */
export type Attributes = Record<string, unknown>

/** A drawing as the runtimes of the frameworks show it. */
export interface Drawing {
  /** The attributes of the `<svg>` element. */
  attributes: Record<string, string>
  /** The beginning of all ids of the drawing. An empty string if it has none. */
  prefix: string
  /** The content of the `<svg>` element. */
  markup: string
}

/**
 * Reads the text of a drawing.
 * @param text attributes and prefix as JSON, a line break, and the markup
 */
export function parseDrawing(text: string): Drawing {
  const end = text.indexOf('\n')
  const [attributes, prefix]: [Record<string, string>, string] = JSON.parse(text.slice(0, end))
  return { attributes, prefix, markup: text.slice(end + 1) }
}

/**
 * Returns the markup with the ids of one instance, and with a title.
 * @param id what tells the instance from others of the page: the same on server and client
 */
export function markupOf({ prefix, markup }: Drawing, id = '', title?: string): string {
  return (title ? `<title>${escapeText(title)}</title>` : '') + ownIds(markup, prefix, id)
}

/** Gives the ids in a text the id of one instance. */
function ownIds(text: string, prefix: string, id: string): string {
  return prefix ? text.replaceAll(prefix, prefix + id.replace(/\W/g, '_')) : text
}

/**
 * Returns the attributes of the `<svg>` element, with the application's attributes over its own. If only a width or
 * only a height is given, the other one is dropped, so the drawing keeps its proportions.
 * @param id as for `markupOf`
 */
export function drawingAttributes({ attributes, prefix }: Drawing, props: Attributes, id = ''): Attributes {
  const label = props['title'] || props['aria-label'] || props['aria-labelledby']
  const own: Attributes = JSON.parse(ownIds(JSON.stringify(attributes), prefix, id))
  return {
    ...own,
    ...(isSized(props) ? { width: undefined, height: undefined } : {}),
    ...(label ? { role: 'img' } : { 'aria-hidden': 'true' }),
  }
}

/** Whether the application gives a size, also in a style, which is a text or an object. */
function isSized({ width, height, style }: Attributes): boolean {
  return width != null || height != null || /(?<![\w-])(?:width|height)"?\s*:/.test(JSON.stringify(style))
}

/** @param text may be something else where types are not checked */
function escapeText(text: unknown): string {
  return String(text).replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
}
