import { parseDrawing, type Attributes } from './drawing.js'
import Image from './image.astro'
import type { ImageData } from './image.js'
import Pair from './pair.astro'
import Svg from './svg.astro'

export type AstroComponent = typeof Svg

/** Returns the component for an SVG. */
export function svg(text: string): AstroComponent {
  const data = parseDrawing(text)
  return withProps(Svg, (given, page) => ({ data, given, id: data.prefix && instanceId(data.prefix, page) }))
}

/** Returns the component of a picture: an `<img>`, or a `<picture>` for several formats. */
export function image(data: ImageData): AstroComponent {
  return withProps(Image, (given) => ({ data, given }))
}

/** Returns the component of a light and a dark picture. A style sheet hides one of them. */
export function pair(light: AstroComponent, dark: AstroComponent): AstroComponent {
  return withProps(Pair, (given) => ({ light, dark, given }))
}

export { image as picture }

/**
 * Returns a component that renders another one.
 * @param props returns the other component's properties, given this component's properties and the page
 */
export function withProps(
  inner: AstroComponent,
  props: (given: Attributes, page: object) => Attributes,
): AstroComponent {
  const component: AstroComponent = (page, given, slots) => inner(page, props(given, page), slots)
  // Astro recognizes its own components by these properties.
  return Object.assign(component, inner)
}

/** The number of instances on each page, by the prefix of their ids. */
const instances = new WeakMap<object, Map<string, number>>()

/** Returns a string that distinguishes the instances of an SVG on a page, because Astro doesn't have ids for this. */
function instanceId(prefix: string, page: object): string {
  const counts = instances.get(page) ?? new Map<string, number>()
  const count = counts.get(prefix) ?? 0
  instances.set(page, counts.set(prefix, count + 1))
  return `${count}`
}
