import type { Attributes } from './drawing.js'
import { givenAttributes, joinTexts } from './props.js'

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
