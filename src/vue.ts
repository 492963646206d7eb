import type { DefineSetupFnComponent, ImgHTMLAttributes, SVGAttributes } from 'vue'

/** The props of a drawing: those of `<svg>`. */
export interface SvgProps extends Omit<SVGAttributes, 'innerHTML'> {
  /** The name of the drawing for assistive technology, and its tooltip. Without it, the drawing is decoration. */
  title?: string | undefined
}

/** A drawing as a Vue component: `content-space:asset/…?as=vue` of an SVG. */
export type SvgComponent = DefineSetupFnComponent<SvgProps>

/** The props of a picture: those of `<img>`, without the ones that the asset sets. */
export interface ImageProps extends Omit<ImgHTMLAttributes, 'src' | 'srcset' | 'alt' | 'innerHTML'> {
  /** The text in place of the picture. An empty string for decoration. */
  alt: string
  /** Loads the picture at once and before others, for the largest picture that a page shows first. */
  priority?: boolean | undefined
}

/** A picture as a Vue component: `content-space:asset/…?as=vue` of anything that is not an SVG. */
export type ImageComponent = DefineSetupFnComponent<ImageProps>

/** A component of which it is not known yet whether it is a drawing: of an import that is not declared exactly. */
export type AssetComponent = DefineSetupFnComponent<SvgProps | ImageProps>
