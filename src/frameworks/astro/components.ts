import type { HTMLAttributes } from 'astro/types'

/** The props of a drawing: the attributes of `<svg>`. */
export interface SvgProps extends Omit<HTMLAttributes<'svg'>, 'children'> {
  /** The drawing's name for assistive technology, and its tooltip. A drawing without a title is decorative. */
  title?: string | null | undefined
}

/** A drawing as an Astro component: `content-space:asset/…?as=astro` of an SVG. */
export type SvgComponent = (props: SvgProps) => unknown

/** The props of a picture: the attributes of `<img>`, without the ones that the asset sets. */
export interface ImageProps extends Omit<HTMLAttributes<'img'>, 'src' | 'srcset' | 'alt' | 'children'> {
  /** The text that replaces the picture. An empty string for decoration. */
  alt: string
  /** Loads the picture at once and before others, for the largest picture that a page shows first. */
  priority?: boolean | undefined
}

/** A picture as an Astro component: `content-space:asset/…?as=astro` of anything that is not an SVG. */
export type ImageComponent = (props: ImageProps) => unknown

/** A component of an import that isn't declared exactly, so it may be a drawing or a picture. */
export type AssetComponent = (props: SvgProps | ImageProps) => unknown
