import type { Attributes } from './drawing.js'

/**
 * Returns the attributes that an application gives to an element. Undefined properties are left out, because they stand
 * for the default.
 * @param own names that aren't attributes
 */
export function givenAttributes(props: Attributes, own: readonly string[] = []): Attributes {
  const attributes = { ...props }
  for (const name in attributes) if (attributes[name] === undefined || own.includes(name)) delete attributes[name]
  return attributes
}

/**
 * Returns the properties of the light or the dark picture of a pair. A style sheet hides one of them, and it loads when
 * it is shown.
 */
export function sideProps(props: Attributes, mode: 'light' | 'dark', name = 'class'): Attributes {
  // A page has each id once.
  const id = mode === 'light' ? props['id'] : undefined
  return { ...props, id, priority: undefined, [name]: joinTexts([props[name], `content-space-${mode}`], ' ') }
}

/**
 * Returns classes, or styles, as one text.
 * @param values texts, or styles by the names of CSS
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

/** Properties that Svelte gives to components, and that aren't attributes. */
const internal = ['children', '$$slots', '$$events', '$$legacy']

/**
 * Returns the attributes of an element, with the application's attributes over its own.
 * @param names properties of the component that aren't attributes
 */
export function mergeAttributes(own: Attributes, props: Attributes, names: readonly string[]): Attributes {
  const given = givenAttributes(props, [...internal, ...names])
  const merged = { ...own, ...given }
  if (own['class']) merged['class'] = [own['class'], given['class']]
  if (own['style']) merged['style'] = joinTexts([own['style'], given['style']], ';')
  return merged
}
