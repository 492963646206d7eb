import type { Attributes } from './drawing.js'

/** A picture as the runtimes render it. */
export interface ImageData {
  src: string
  /** The size at which to render the picture if the application doesn't set one. */
  width?: number
  height?: number
  srcset?: string
  /** The sources of a `<picture>`, in order of preference. */
  sources?: { media?: string; type?: string; srcset: string }[]
  /** A data URI. */
  placeholder?: string
}

/**
 * Returns the attributes of the `<img>` element, which the application's attributes override. `src` is last, because an
 * element that is created by a script starts loading when `src` is set.
 */
export function imageAttributes({ src, srcset, width, height }: ImageData, props: Attributes): Attributes {
  const { priority, sizes } = props
  return {
    loading: priority ? 'eager' : 'lazy',
    decoding: 'async',
    fetchpriority: priority ? 'high' : undefined,
    ...sizeOf(width, height, props),
    // The attribute enables `max-width` and `height: auto` in `picture.css`, which would override the application's
    // size.
    'data-content-picture': props['width'] != null && props['height'] != null ? undefined : '',
    sizes,
    srcset,
    src,
  }
}

/** Properties that aren't passed to the `<img>`: the component's own, and the picture's URLs. */
export const ownProps = ['priority', 'sizes', 'src', 'srcset']

/** If the application sets only the width or only the height, computes the other one. */
function sizeOf(width: number | undefined, height: number | undefined, props: Attributes): Attributes {
  const [givenWidth, givenHeight] = [props['width'], props['height']]
  if (givenWidth == null && givenHeight == null) return { width, height }
  const ratio = (width ?? NaN) / (height ?? NaN)
  return {
    width: givenWidth ?? scaled(givenHeight, ratio),
    height: givenHeight ?? scaled(givenWidth, 1 / ratio),
  }
}

function scaled(side: unknown, ratio: number): number | undefined {
  return Math.round(Number(side) * ratio) || undefined
}

/** Returns the style that shows the placeholder behind the picture. */
export function placeholderStyle({ placeholder }: ImageData): string | undefined {
  return placeholder && `background:url("${placeholder}") 50%/cover no-repeat`
}

/** The properties of an `HTMLImageElement` that we use. */
export interface ImageElement {
  complete: boolean
  naturalWidth: number
}

/** Checks whether an `<img>` has loaded its picture. */
export function hasLoaded(image: ImageElement | undefined): boolean {
  return !!image?.complete && image.naturalWidth > 0
}
