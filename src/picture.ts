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
 * Runs when the picture is there. Its text is constant, so that a Content Security Policy can allow it by its hash:
 * `'unsafe-hashes' 'sha256-1Cxu3FYq9YRNH+/YESMLIMcfO9BaqNhPLHeqtC6OaEg='`.
 */
const removePlaceholder = 'this.style.background="none"'

/**
 * Returns the attributes of a `<picture>`, as HTML names them. A placeholder stays behind the picture.
 *
 * @deprecated Removed in the next major version, because frameworks name attributes differently. Use the component of
 *   your framework, such as `?as=react`, or `picture` without a framework.
 * @param more more attributes of the `<img>`, which override the defaults: `alt` is the name of the asset, `loading` is
 *   `lazy`, `decoding` is `async`. `sizes` is also set on the sources.
 * @example
 * const { sources, img } = attributes(hero, { sizes: '100vw', alt: 'The coast at dawn' })
 */
export function attributes(source: PictureSource, more: ImageAttributes = {}): PictureAttributes {
  return attributesOf(source, more)
}

function attributesOf(
  { name, src, width, height, srcset, sources = [], placeholder }: PictureSource,
  more: ImageAttributes,
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
 * Returns escaped markup: a `<picture>` for several formats, otherwise an `<img>`. A placeholder goes when the picture
 * is there.
 *
 * @param more more attributes of the `<img>`, which override the defaults: `alt` is the name of the asset, `loading` is
 *   `lazy`, `decoding` is `async`. `sizes` is also set on the sources. `style` replaces the placeholder.
 * @example
 * picture(hero, { sizes: '100vw', alt: 'The coast at dawn' })
 */
export function picture(source: PictureSource, more: ImageAttributes = {}): string {
  const onload = source.placeholder && !('style' in more) ? removePlaceholder : undefined
  const { sources, img } = attributesOf(source, { onload, ...more })
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
