import type { Picture } from './asset.js'

/** What an asset module gives, or `?as=picture`. */
export type PictureSource = Pick<Picture, 'name' | 'src'> & Partial<Picture>

/** Attributes beside those that come from the asset; they win. `alt` defaults to the asset's name. */
export type ImageAttributes = Record<string, string | number | undefined>

export interface PictureAttributes {
  /** Of the `<source>` elements, in order; none for a single format. */
  sources: ImageAttributes[]
  img: ImageAttributes
}

/**
 * The attributes of a `<picture>`: for frameworks, which escape them.
 * @param more default: `alt` the name, `loading` lazy, `decoding` async. `sizes` goes to the sources, too
 */
export function attributes(
  { name, src, width, height, srcset, sources = [], placeholder }: PictureSource,
  more: ImageAttributes = {},
): PictureAttributes {
  const { sizes } = more
  // The file at `src` is the densest: it is shown smaller than it is.
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

/** The markup, escaped: `<picture>` for several formats, else `<img>`. Parameters as of `attributes`. */
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
