import type { RecipeKey, SvgKey } from '../request/parameters.js'
import type { Query } from '../request/query.js'
import { compareStrings } from '../text/compare.js'
import { animatedFormats } from './convert/sharp-limits.js'

export type Recipe = SvgRecipe | RasterRecipe

/** An SVG that is checked, sanitized or rewritten, and stays SVG. */
export interface SvgRecipe extends Pick<Query, SvgKey> {
  kind: 'svg'
  policy: SvgPolicy
  /** Prefix for all ids, for text that shares a document with other SVG. */
  prefix?: string
  /** Makes the drawing a part of a page: without a title of its own, and with a style sheet that applies to it only. */
  component?: true
  /** Makes an `Icon` as JSON. */
  icon?: true
  /** Pixels of the longer side of a picture that is visible on a light and on a dark background. */
  preview?: number
}

/** Lists what is active in an SVG, as a JSON array of texts. */
export interface CheckRecipe {
  kind: 'check'
  /** Checks the text as part of a page, with this prefix in its ids. */
  prefix?: string
}

/** The work of a child process on the bytes of a file. */
export type Task = Recipe | CheckRecipe

/** Option `svg`: scripts, event handlers and external references are removed, are an error, or stay. */
export type SvgPolicy = 'sanitize' | 'strict' | 'trust'

/** A picture made by sharp. */
export interface RasterRecipe extends Pick<Query, RecipeKey> {
  kind: 'raster'
  /** `avif`, `webp`, `png`, `jpg`, `gif` or `tiff`; or `ico`, with sides of 16, 32 and 48 pixels. */
  format: string
  width?: number
  height?: number
  /**
   * `scale` keeps the proportions: `width` and `height` have them already, except for rounding. The other values are
   * the same as in sharp.
   */
  fit: 'scale' | NonNullable<Query['fit']>
  /** Makes a small preview instead of the picture. */
  preview?: NonNullable<Query['placeholder']>
  /** The share of `width` and `height` that stays free on each side, in percent. */
  padding?: number
  /** Fills transparent areas with `background`. */
  opaque?: true
}

/** A text of a set of application icons, which is composed in this process. */
export type TextRecipe =
  /**
   * An SVG that shows drawings: a single one, or one for light and one for dark mode. Each is a `FileDescriptor` as
   * JSON, with `component` in its recipe.
   */
  | { kind: 'icon'; policy: SvgPolicy; drawings: string[]; background?: string; padding?: number }
  /** The manifest as JSON. */
  | { kind: 'manifest'; manifest: string }

/** Whether a picture can have several frames. */
export function keepsFrames({ format, preview }: RasterRecipe): boolean {
  return animatedFormats.has(format) && preview === undefined
}

/** Part of every recipe, and so of every cache key. Raise a version when the same recipe produces other bytes. */
const versions = { svg: 9, raster: 5, check: 3, icon: 1, manifest: 1 }

/** Writes a recipe as JSON with sorted keys, so that equal recipes are equal texts. `readRecipe` reads it. */
export function writeRecipe(recipe: Task | TextRecipe): string {
  const entries = Object.entries({ ...recipe, version: versions[recipe.kind] })
  return JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => compareStrings(a, b))))
}

export function readRecipe(text: string): Recipe | TextRecipe {
  return JSON.parse(text)
}

/** Returns what a recipe does to pixels, without how they are encoded. */
export function transformationOf(recipe: RasterRecipe): Partial<RasterRecipe> {
  const { format: _, quality: __, effort: ___, lossless: ____, ...transformation } = recipe
  return transformation
}

/** Returns equal texts for recipes that make the same pixels and differ only in their encoding. */
export function pixelsOf(recipe: Task): string {
  if (recipe.kind !== 'raster') return writeRecipe(recipe)
  return JSON.stringify(Object.entries(transformationOf(recipe)).toSorted(([a], [b]) => compareStrings(a, b)))
}
