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
  /** Prepares the SVG for inlining: removes its title, and limits its style sheets to it. */
  component?: true
  /** Makes an `Icon` as JSON. */
  icon?: true
  /** Makes a preview for light and dark backgrounds, with a longer side of this many pixels. */
  preview?: number
}

/** Lists the active content of an SVG as a JSON array of strings. */
export interface CheckRecipe {
  kind: 'check'
  /** Checks the text as an inline SVG whose ids have this prefix. */
  prefix?: string
}

/** A task for a child process that works on the bytes of a file. */
export type Task = Recipe | CheckRecipe

/** Option `svg`: whether scripts, event handlers and external references are removed, are an error, or stay. */
export type SvgPolicy = 'sanitize' | 'strict' | 'trust'

/** A picture made by sharp. */
export interface RasterRecipe extends Pick<Query, RecipeKey> {
  kind: 'raster'
  /** `avif`, `webp`, `png`, `jpg`, `gif` or `tiff`; or `ico`, with sides of 16, 32 and 48 pixels. */
  format: string
  width?: number
  height?: number
  /**
   * `scale` keeps the proportions, which `width` and `height` already have except for rounding. Other values mean the
   * same as in sharp.
   */
  fit: 'scale' | NonNullable<Query['fit']>
  /** Makes a small preview instead of the picture. */
  preview?: NonNullable<Query['placeholder']>
  /** The free space on each side, in percent of `width` and `height`. */
  padding?: number
  /** Fills transparent areas with `background`. */
  opaque?: true
}

/** A text file of a set of application icons, which this process composes itself. */
export type TextRecipe =
  /**
   * An SVG that embeds one SVG, or one for light and one for dark mode. Each is a `FileDescriptor` as JSON, with
   * `component` in its recipe.
   */
  | { kind: 'icon'; policy: SvgPolicy; drawings: string[]; background?: string; padding?: number }
  /** The manifest as JSON. */
  | { kind: 'manifest'; manifest: string }

/** Checks whether the output can have several frames. */
export function keepsFrames({ format, preview }: RasterRecipe): boolean {
  return animatedFormats.has(format) && preview === undefined
}

/**
 * Part of every recipe, and therefore of every cache key. Raise a version when the same recipe produces different
 * bytes.
 */
const versions = { svg: 9, raster: 5, check: 3, icon: 1, manifest: 1 }

/** Writes a recipe as JSON with sorted keys, so that equal recipes are equal texts. `readRecipe` reads it. */
export function writeRecipe(recipe: Task | TextRecipe): string {
  const entries = Object.entries({ ...recipe, version: versions[recipe.kind] })
  return JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => compareStrings(a, b))))
}

export function readRecipe(text: string): Recipe | TextRecipe {
  return JSON.parse(text)
}

/** Returns the parts of a recipe that change pixels, without the encoding. */
export function transformationOf(recipe: RasterRecipe): Partial<RasterRecipe> {
  const { format: _, quality: __, effort: ___, lossless: ____, ...transformation } = recipe
  return transformation
}

/** Returns the same text for recipes that produce the same pixels and differ only in their encoding. */
export function pixelsOf(recipe: Task): string {
  if (recipe.kind !== 'raster') return writeRecipe(recipe)
  return JSON.stringify(Object.entries(transformationOf(recipe)).toSorted(([a], [b]) => compareStrings(a, b)))
}
