import type { Attributes } from './drawing.js'

/** A picture as the runtimes of the frameworks show it. */
export interface ImageData {
  src: string
  /** The size at which the picture is shown when the application gives none. */
  width?: number
  height?: number
  srcset?: string
  /** In the order of preference, for a `<picture>`. */
  sources?: { media?: string; type?: string; srcset: string }[]
  /** A data URI. */
  placeholder?: string
}

/**
 * Returns the attributes of the `<img>` element under those that an application gives. `src` is the last one: an
 * element that is made by a script starts to load the picture when it gets `src`.
 */
export function imageAttributes({ src, srcset, width, height }: ImageData, props: Attributes): Attributes {
  const { priority, sizes } = props
  return {
    loading: priority ? 'eager' : 'lazy',
    decoding: 'async',
    fetchpriority: priority ? 'high' : undefined,
    ...sizeOf(width, height, props),
    // A size that the application chooses stays as it is.
    'data-content-picture': props['width'] != null && props['height'] != null ? undefined : '',
    sizes,
    srcset,
    src,
  }
}

/** Properties that are not passed on: of the component, and the addresses of the picture. */
export const ownProps = ['priority', 'sizes', 'src', 'srcset']

/** If the application gives one of width and height, the other one follows. */
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

/** The part of an `HTMLImageElement` that is used here. */
export interface ImageElement {
  complete: boolean
  naturalWidth: number
}

/** Tells whether an `<img>` shows its picture. */
export function isShown(image: ImageElement | undefined): boolean {
  return !!image?.complete && image.naturalWidth > 0
}
