import type { ComponentPropsWithRef, ReactElement } from 'react'

/** The props of a drawing: those of `<svg>`. */
export interface SvgProps extends Omit<ComponentPropsWithRef<'svg'>, 'children' | 'dangerouslySetInnerHTML'> {
  /** The name of the drawing for assistive technology, and its tooltip. Without it, the drawing is decoration. */
  title?: string | undefined
}

/** A drawing as a React component: `content-space:asset/…?as=react` of an SVG. */
export type SvgComponent = (props: SvgProps) => ReactElement

/** The props of a picture: those of `<img>`, without the ones that the asset sets. */
export interface ImageProps extends Omit<
  ComponentPropsWithRef<'img'>,
  'src' | 'srcSet' | 'alt' | 'children' | 'dangerouslySetInnerHTML'
> {
  /** The text in place of the picture. An empty string for decoration. */
  alt: string
  /** Loads the picture at once and before others, for the largest picture that a page shows first. */
  priority?: boolean | undefined
}

/** A picture as a React component: `content-space:asset/…?as=react` of anything that is not an SVG. */
export type ImageComponent = (props: ImageProps) => ReactElement

/** A component of which it is not known yet whether it is a drawing: of an import that is not declared exactly. */
export type AssetComponent = (props: SvgProps | ImageProps) => ReactElement
