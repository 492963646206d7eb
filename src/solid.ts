import type { Component, ComponentProps } from 'solid-js'

/** The props of a drawing: those of `<svg>`. */
export interface SvgProps extends Omit<ComponentProps<'svg'>, 'children' | 'innerHTML' | 'textContent'> {
  /** The name of the drawing for assistive technology, and its tooltip. Without it, the drawing is decoration. */
  title?: string | undefined
}

/** A drawing as a Solid component: `content-space:asset/…?as=solid` of an SVG. */
export type SvgComponent = Component<SvgProps>

/** The props of a picture: those of `<img>`, without the ones that the asset sets. */
export interface ImageProps extends Omit<
  ComponentProps<'img'>,
  'src' | 'srcset' | 'srcSet' | 'alt' | 'children' | 'innerHTML' | 'textContent'
> {
  /** The text in place of the picture. An empty string for decoration. */
  alt: string
  /** Loads the picture at once and before others, for the largest picture that a page shows first. */
  priority?: boolean | undefined
}

/** A picture as a Solid component: `content-space:asset/…?as=solid` of anything that is not an SVG. */
export type ImageComponent = Component<ImageProps>

/** A component of which it is not known yet whether it is a drawing: of an import that is not declared exactly. */
export type AssetComponent = Component<SvgProps | ImageProps>
