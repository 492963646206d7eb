import type { Attributes } from './drawing.js'
import { givenAttributes, joinStyles } from './props.js'

/**
 * Returns the attributes of an element and of the application.
 * @param names properties of the component that are no attributes
 */
export function mergeAttributes(own: Attributes, props: Attributes, names: readonly string[]): Attributes {
  const given = givenAttributes(props, names)
  const merged = { ...own, ...given }
  if (own['class']) {
    // Two attributes would be written.
    delete merged['class']
    merged['class:list'] = [own['class'], given['class'], given['class:list']]
  }
  if (own['style']) merged['style'] = joinStyles(own['style'], given['style'])
  return merged
}
