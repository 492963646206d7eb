import type { Attributes } from './drawing.js'
import { givenAttributes, joinTexts } from './props.js'

/**
 * Returns the attributes of an element, which the application's attributes override.
 * @param names the component's properties that aren't attributes
 */
export function mergeAttributes(own: Attributes, props: Attributes, names: readonly string[]): Attributes {
  const given = givenAttributes(props, names)
  const merged = { ...own, ...given }
  if (own['class']) {
    // With both `class` and `class:list`, Astro would write two `class` attributes.
    delete merged['class']
    merged['class:list'] = [own['class'], given['class'], given['class:list']]
  }
  if (own['style']) merged['style'] = joinTexts([own['style'], withCssNames(given['style'])], ';')
  return merged
}

/** Converts the names of style properties to CSS names. */
function withCssNames(style: unknown): unknown {
  if (typeof style !== 'object' || style === null) return style
  return Object.fromEntries(Object.entries(style).map(([name, value]) => [cssName(name), value]))
}

function cssName(name: string): string {
  return name.startsWith('--') ? name : name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
