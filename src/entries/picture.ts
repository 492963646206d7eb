import type { Picture } from '../asset.js'

/** An imported asset, with or without `?as=picture`. */
export type PictureSource = Pick<Picture, 'name' | 'src'> &
  Partial<Omit<Picture, 'dark'>> & { dark?: Picture['dark'] | undefined }

/** Attributes of an element by name. Undefined values are omitted. */
export type ImageAttributes = Record<string, string | number | undefined>

/**
 * Runs when the picture has loaded. The text is constant, so that a Content Security Policy can allow it by hash:
 * `'unsafe-hashes' 'sha256-1Cxu3FYq9YRNH+/YESMLIMcfO9BaqNhPLHeqtC6OaEg='`.
 */
const removePlaceholder = 'this.style.background="none"'

/** Attributes of the `<img>`, and how to choose the dark picture. */
export type PictureOptions = ImageAttributes & {
  /**
   * `media` chooses by the user's color scheme. With any other value, both pictures are in the markup, with the classes
   * `content-space-light` and `content-space-dark`, and a style sheet hides one of them (docs/dark.md).
   * @default 'media'
   */
  darkMode?: string | undefined
}

/**
 * Returns escaped markup: a `<picture>` if there are several formats or a dark counterpart, otherwise an `<img>`. A
 * placeholder is visible until the picture has loaded.
 *
 * @param more further attributes of the `<img>`, which override the defaults: `alt` is the name of the asset, `loading`
 *   is `lazy`, `decoding` is `async`. `sizes` is also set on the sources. `style` replaces the placeholder.
 * @example picture(hero, { sizes: '100vw', alt: 'The coast at dawn' })
 */
export function picture(source: PictureSource, { darkMode = 'media', ...more }: PictureOptions = {}): string {
  const { name, src, width, height, srcset, sources = [], placeholder, dark } = source
  if (dark && darkMode !== 'media') {
    // Browsers don't request a hidden picture that loads lazily.
    const side = (mode: string, files: PictureSource, id?: string | number): string =>
      picture(files, { ...more, id, loading: 'lazy', class: `${more['class'] ?? ''} content-space-${mode}`.trim() })
    return side('light', { ...source, dark: undefined }, more['id']) + side('dark', { name, ...dark })
  }
  const { sizes } = more
  // With density descriptors, `src` has the highest density, so divide its size by this density.
  const density = Number(/ ([\d.]+)x$/.exec(srcset ?? '')?.[1] ?? 1)
  const image = tag('img', {
    src,
    srcset,
    width: width && Math.round(width / density),
    height: height && Math.round(height / density),
    alt: name,
    loading: 'lazy',
    decoding: 'async',
    style: placeholder && `background:url(${placeholder}) 50%/cover no-repeat`,
    onload: placeholder && !('style' in more) ? removePlaceholder : undefined,
    ...more,
  })
  const darkSources = dark ? (dark.sources ?? [{ srcset: dark.srcset ?? dark.src }]) : []
  const written = [
    ...darkSources.map((one) => tag('source', { media: '(prefers-color-scheme: dark)', ...one, sizes })),
    ...sources.map((one) => tag('source', { ...one, sizes })),
  ]
  return written.length > 0 ? `<picture>${written.join('')}${image}</picture>` : image
}

function tag(name: string, values: ImageAttributes): string {
  const written = Object.entries(values).map(([key, value]) =>
    value === undefined ? '' : ` ${key}="${String(value).replace(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`)}"`,
  )
  return `<${name}${written.join('')}>`
}
