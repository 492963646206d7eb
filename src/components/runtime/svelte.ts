import type { Component } from 'svelte'
import { parseDrawing, type Attributes } from './drawing.js'
import type { ImageData } from './image.js'
import Image from './image.svelte'
import Pair from './pair.svelte'
import Picture from './picture.svelte'
import Svg from './svg.svelte'

/**
 * A compiled component. The first parameter is the place in the document, or the output of the server. The compiler and
 * the runtime of the application decide what it is; this module only hands it on.
 */
type Compiled = Component<Attributes>

/** Returns the component of a drawing. */
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

/** Returns a component that hands its properties and `data` to another component. */
export function withData(inner: Component<{ data: unknown; given: Attributes }>, data: unknown): Compiled {
  // A getter, so that properties stay reactive.
  return (first, given) =>
    inner(first, {
      data,
      get given() {
        return given
      },
    })
}
