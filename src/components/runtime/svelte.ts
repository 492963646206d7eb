import type { Component } from 'svelte'
import { parseDrawing, type Attributes } from './drawing.js'
import type { ImageData } from './image.js'
import Image from './image.svelte'
import Pair from './pair.svelte'
import Picture from './picture.svelte'
import Svg from './svg.svelte'

/**
 * A compiled component. The first parameter is the position in the document or, on the server, the output. Its type
 * depends on the application's Svelte version; this module only passes it on.
 */
type Compiled = Component<Attributes>

/** Returns the component for an SVG. */
export function svg(text: string): Compiled {
  return withData(Svg, parseDrawing(text))
}

/** Returns the component of an `<img>`. */
export function image(data: ImageData): Compiled {
  return withData(Image, data)
}

/** Returns the component of a `<picture>`. */
export function picture(data: ImageData): Compiled {
  return withData(Picture, data)
}

/** Returns the component of a light and a dark picture. A style sheet hides one of them. */
export function pair(light: Compiled, dark: Compiled): Compiled {
  return withData(Pair, { light, dark })
}

/** Returns a component that passes its properties and `data` to another component. */
export function withData(inner: Component<{ data: unknown; given: Attributes }>, data: unknown): Compiled {
  // Use a getter, so that properties remain reactive.
  return (first, given) =>
    inner(first, {
      data,
      get given() {
        return given
      },
    })
}
