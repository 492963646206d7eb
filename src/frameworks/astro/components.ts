import type { HTMLAttributes } from 'astro/types'

/** The props of an SVG component: the attributes of `<svg>`. */
export interface SvgProps extends Omit<HTMLAttributes<'svg'>, 'children'> {
  /** The name of the SVG for assistive technology, and its tooltip. Without a title, the SVG is decorative. */
  title?: string | null | undefined
}

/** An SVG as an Astro component: `content-space:asset/…?as=astro`. */
export type SvgComponent = (props: SvgProps) => unknown

/** The props of a picture: the attributes of `<img>`, except those that the asset sets. */
export interface ImageProps extends Omit<HTMLAttributes<'img'>, 'src' | 'srcset' | 'alt' | 'children'> {
  /** The text that replaces the picture. An empty string for a decorative picture. */
  alt: string
  /** Loads the picture immediately, before others. For the largest picture that is initially visible on a page. */
  priority?: boolean | undefined
}

/** A picture as an Astro component: `content-space:asset/…?as=astro` of anything but an SVG. */
export type ImageComponent = (props: ImageProps) => unknown

/** A component from an import without an exact declaration, so it may be an SVG or another picture. */
export type AssetComponent = (props: SvgProps | ImageProps) => unknown
