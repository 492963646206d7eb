/** The attributes of an element by name. */
export type Attributes = Record<string, unknown>

/** An SVG as the runtimes render it. */
export interface Drawing {
  attributes: Record<string, string>
  /** The prefix of all ids in the SVG. Empty if it has no ids. */
  prefix: string
  markup: string
}

/**
 * Parses the text of an SVG.
 * @param text attributes and prefix as JSON, a line break, and the markup
 */
export function parseDrawing(text: string): Drawing {
  const end = text.indexOf('\n')
  const [attributes, prefix]: [Record<string, string>, string] = JSON.parse(text.slice(0, end))
  return { attributes, prefix, markup: text.slice(end + 1) }
}

/**
 * Returns the markup with a title and with ids that are unique to one instance.
 * @param id distinguishes the instance from others on the page, and is the same on server and client
 */
export function markupOf({ prefix, markup }: Drawing, id = '', title?: string): string {
  return (title ? `<title>${escapeText(title)}</title>` : '') + ownIds(markup, prefix, id)
}

/** Inserts the instance's id into the ids in a string. */
function ownIds(text: string, prefix: string, id: string): string {
  return prefix ? text.replaceAll(prefix, prefix + id.replace(/\W/g, '_')) : text
}

/**
 * Returns the attributes of the `<svg>` element, which the application's attributes override. If the application sets
 * only the width or only the height, the other one is dropped, so the SVG keeps its proportions.
 * @param id as in `markupOf`
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

/**
 * Checks whether the application sets a size, either as attributes or in the style, which may be a string or an object.
 */
function isSized({ width, height, style }: Attributes): boolean {
  return width != null || height != null || /(?<![\w-])(?:width|height)"?\s*:/.test(JSON.stringify(style))
}

/** @param text may have another type if the application doesn't check types */
function escapeText(text: unknown): string {
  return String(text).replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`)
}
