import type { Picture } from './asset.js'

/** An imported asset, with or without `?as=picture`. */
export type PictureSource = Pick<Picture, 'name' | 'src'> & Partial<Picture>

/** Attributes of an element by name. Undefined values are omitted. */
export type ImageAttributes = Record<string, string | number | undefined>

/** The attributes of a `<picture>`. */
export interface PictureAttributes {
  /** Of the `<source>` elements, in order. Empty for a single format. */
  sources: ImageAttributes[]
  /** Of the `<img>`. */
  img: ImageAttributes
}

/**
 * Returns the attributes of a `<picture>`, for frameworks, which escape them.
 *
 * @param more more attributes of the `<img>`, which override the defaults: `alt` is the name of the asset, `loading` is
 *   `lazy`, `decoding` is `async`. `sizes` is also set on the sources.
 * @example
 * const { sources, img } = attributes(hero, { sizes: '100vw', alt: 'The coast at dawn' })
 */
export function attributes(
  { name, src, width, height, srcset, sources = [], placeholder }: PictureSource,
  more: ImageAttributes = {},
): PictureAttributes {
  const { sizes } = more
  // With density descriptors, `src` has the highest density. It is displayed at its size divided by this density.
  const density = Number(/ ([\d.]+)x$/.exec(srcset ?? '')?.[1] ?? 1)
  return {
    sources: sources.map(({ type, srcset: files }) => ({ type, srcset: files, sizes })),
    img: {
      src,
      srcset,
      width: width && Math.round(width / density),
      height: height && Math.round(height / density),
      alt: name,
      loading: 'lazy',
      decoding: 'async',
      style: placeholder && `background:url(${placeholder}) 50%/cover no-repeat`,
      ...more,
    },
  }
}

/**
 * Returns escaped markup: a `<picture>` for several formats, otherwise an `<img>`.
 *
 * @param more as for `attributes`
 * @example
 * picture(hero, { sizes: '100vw', alt: 'The coast at dawn' })
 */
export function picture(source: PictureSource, more?: ImageAttributes): string {
  const { sources, img } = attributes(source, more)
  const image = tag('img', img)
  return sources.length > 0
    ? `<picture>${sources.map((attribute) => tag('source', attribute)).join('')}${image}</picture>`
    : image
}

function tag(name: string, values: ImageAttributes): string {
  const written = Object.entries(values).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${String(value).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)}"`,
  )
  return `<${name}${written.join('')}>`
}
