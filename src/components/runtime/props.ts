import type { Attributes } from './drawing.js'

/**
 * Returns the attributes that an application sets on an element. Omits undefined properties, because they mean the
 * default.
 * @param own names that aren't attributes
 */
export function givenAttributes(props: Attributes, own: readonly string[] = []): Attributes {
  const attributes = { ...props }
  for (const name in attributes) if (attributes[name] === undefined || own.includes(name)) delete attributes[name]
  return attributes
}

/**
 * Returns the properties of a pair's light or dark picture. A style sheet hides one of the two, and browsers load the
 * hidden one only when it becomes visible.
 */
export function sideProps(props: Attributes, mode: 'light' | 'dark', name = 'class'): Attributes {
  // An id must be unique on a page, so only the light picture gets it.
  const id = mode === 'light' ? props['id'] : undefined
  return { ...props, id, priority: undefined, [name]: joinTexts([props[name], `content-space-${mode}`], ' ') }
}

/**
 * Joins classes, or styles, into one string.
 * @param values strings, or styles by their CSS names
 */
export function joinTexts(values: unknown[], separator: string): string {
  return values.map(textOf).filter(Boolean).join(separator)
}

function textOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .map(([name, text]) => (text == null ? '' : `${name}:${text}`))
    .join(';')
}

/** Properties, other than attributes, that Svelte passes to components. */
const internal = ['children', '$$slots', '$$events', '$$legacy']

/**
 * Returns the attributes of an element, which the application's attributes override.
 * @param names the component's properties that aren't attributes
 */
export function mergeAttributes(own: Attributes, props: Attributes, names: readonly string[]): Attributes {
  const given = givenAttributes(props, [...internal, ...names])
  const merged = { ...own, ...given }
  if (own['class']) merged['class'] = [own['class'], given['class']]
  if (own['style']) merged['style'] = joinTexts([own['style'], given['style']], ';')
  return merged
}
