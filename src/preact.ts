import type { ComponentProps, VNode } from 'preact'

/** The props of a drawing: those of `<svg>`. */
export interface SvgProps extends Omit<ComponentProps<'svg'>, 'children' | 'dangerouslySetInnerHTML' | 'title'> {
  /** The name of the drawing for assistive technology, and its tooltip. Without it, the drawing is decoration. */
  title?: string | undefined
}

/** A drawing as a Preact component: `content-space:asset/…?as=preact` of an SVG. */
export type SvgComponent = (props: SvgProps) => VNode

/** The props of a picture: those of `<img>`, without the ones that the asset sets. */
export interface ImageProps extends Omit<
  ComponentProps<'img'>,
  'src' | 'srcset' | 'srcSet' | 'alt' | 'children' | 'dangerouslySetInnerHTML'
> {
  /** The text in place of the picture. An empty string for decoration. */
  alt: string
  /** Loads the picture at once and before others, for the largest picture that a page shows first. */
  priority?: boolean | undefined
}

/** A picture as a Preact component: `content-space:asset/…?as=preact` of anything that is not an SVG. */
export type ImageComponent = (props: ImageProps) => VNode

/** A component of which it is not known yet whether it is a drawing: of an import that is not declared exactly. */
export type AssetComponent = (props: SvgProps | ImageProps) => VNode
