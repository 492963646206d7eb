import type { Attributes } from './drawing.js'

/**
 * Returns what an application gives to an element. Undefined properties are left out: they stand for the default.
 * @param own names that are no attributes
 */
export function givenAttributes(props: Attributes, own: readonly string[] = []): Attributes {
  const attributes = { ...props }
  for (const name in attributes) if (attributes[name] === undefined || own.includes(name)) delete attributes[name]
  return attributes
}

/** Returns the properties of one of two pictures, of which a style sheet hides one. It is loaded when it is shown. */
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

/** Properties that Svelte gives to components, which are no attributes. */
const internal = ['children', '$$slots', '$$events', '$$legacy']

/**
 * Returns the attributes of an element and of the application.
 * @param names properties of the component that are no attributes
 */
export function mergeAttributes(own: Attributes, props: Attributes, names: readonly string[]): Attributes {
  const given = givenAttributes(props, [...internal, ...names])
  const merged = { ...own, ...given }
  if (own['class']) merged['class'] = [own['class'], given['class']]
  if (own['style']) merged['style'] = joinTexts([own['style'], given['style']], ';')
  return merged
}
