import type { Component } from 'svelte'
import type { SvelteHTMLElements } from 'svelte/elements'

/** The props of a drawing: those of `<svg>`. */
export type SvgProps = SvelteHTMLElements['svg'] & {
  children?: never
  /** The name of the drawing for assistive technology, and its tooltip. Without it, the drawing is decoration. */
  title?: string | null | undefined
}

/** A drawing as a Svelte component: `content-space:asset/…?as=svelte` of an SVG. */
export type SvgComponent = Component<SvgProps>

/** The props of a picture: those of `<img>`, without the ones that the asset sets. */
export type ImageProps = SvelteHTMLElements['img'] & {
  src?: never
  srcset?: never
  children?: never
  /** The text in place of the picture. An empty string for decoration. */
  alt: string
  /** Loads the picture at once and before others, for the largest picture that a page shows first. */
  priority?: boolean | undefined
}

/** A picture as a Svelte component: `content-space:asset/…?as=svelte` of anything that is not an SVG. */
export type ImageComponent = Component<ImageProps>

/** A component of which it is not known yet whether it is a drawing: of an import that is not declared exactly. */
export type AssetComponent = Component<Record<string, unknown>>
