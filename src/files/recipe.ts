import type { RecipeKey, SvgKey } from '../request/parameters.js'
import type { Query } from '../request/query.js'
import { compareStrings } from '../text/compare.js'
import { animatedFormats } from './convert/sharp-limits.js'

export type Recipe = SvgRecipe | RasterRecipe

/** How to check, sanitize, or rewrite an SVG that stays an SVG. */
export interface SvgRecipe extends Pick<Query, SvgKey> {
  kind: 'svg'
  policy: SvgPolicy
  /** The prefix for all ids, used if the SVG will be part of a document with other SVGs. */
  prefix?: string
  /** Prepares the SVG for inlining: removes its title and limits its style sheets to the SVG. */
  component?: true
  /** Makes an `Icon` as JSON. */
  icon?: true
  /** Makes a preview for light and dark backgrounds. Its longer side has this many pixels. */
  preview?: number
}

/** Checks whether an SVG is rewritten even if it has no active content. */
export function isAlwaysRewritten({ svgo, icon, prefix, preview }: SvgRecipe): boolean {
  return svgo === true || icon === true || prefix !== undefined || preview !== undefined
}

/** Lists the active content of an SVG as a JSON array of strings. */
export interface CheckRecipe {
  kind: 'check'
  /** The prefix of the SVG's ids, if it is checked as inline SVG. */
  prefix?: string
}

/** A task for a child process that converts or checks a file. */
export type Task = Recipe | CheckRecipe

/**
 * The option `svg`: whether scripts, event handlers, and external references are removed, cause an error, or remain.
 */
export type SvgPolicy = 'sanitize' | 'strict' | 'trust'

/** How sharp makes a picture. */
export interface RasterRecipe extends Pick<Query, RecipeKey> {
  kind: 'raster'
  /** `avif`, `webp`, `png`, `jpg`, `gif`, `tiff`, or `ico` with sides of 16, 32, and 48 pixels. */
  format: string
  width?: number
  height?: number
  /**
   * `scale` means that `width` and `height` already have the picture's proportions, apart from rounding. The other
   * values are sharp's.
   */
  fit: 'scale' | NonNullable<Query['fit']>
  /** Makes a small preview instead of the picture. */
  preview?: NonNullable<Query['placeholder']>
  /** The free space on each side, in percent of `width` and `height`. */
  padding?: number
  /** Fills transparent areas with `background`. */
  opaque?: true
}

/** A text file of a set of application icons. It is composed in this process. */
export type TextRecipe =
  /**
   * An SVG that embeds one SVG, or one each for light and dark mode. Each is a `FileDescriptor` as JSON, with
   * `component` in its recipe.
   */
  | { kind: 'icon'; policy: SvgPolicy; drawings: string[]; background?: string; padding?: number }
  /** The manifest as JSON. */
  | { kind: 'manifest'; manifest: string }

/** The lowest `effort` of each format that supports it. */
const lowestEffort: Readonly<Record<string, number>> = { avif: 0, webp: 0, gif: 1 }

/** Returns a recipe that is as quick to encode as possible, unless it sets an `effort`. Previews are always quick. */
export function withLowestEffort(recipe: RasterRecipe): RasterRecipe {
  const effort = lowestEffort[recipe.format]
  if (effort === undefined || recipe.preview !== undefined) return recipe
  return { effort, ...recipe }
}

/** Checks whether the output can have several frames. */
export function keepsFrames({ format, preview }: RasterRecipe): boolean {
  return animatedFormats.has(format) && preview === undefined
}

/**
 * Part of every recipe, and therefore of every cache key. Increase a version when the same recipe produces different
 * bytes.
 */
const versions = { svg: 9, raster: 5, check: 3, icon: 1, manifest: 1 }

/** Writes a recipe as JSON with sorted keys, so that equal recipes give equal strings. `readRecipe` reads it. */
export function writeRecipe(recipe: Task | TextRecipe): string {
  const entries = Object.entries({ ...recipe, version: versions[recipe.kind] })
  return JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => compareStrings(a, b))))
}

export function readRecipe(text: string): Recipe | TextRecipe {
  return JSON.parse(text)
}

/** Returns the part of a recipe that affects pixels, without the encoding. */
export function transformationOf(recipe: RasterRecipe): Partial<RasterRecipe> {
  const { format: _, quality: __, effort: ___, lossless: ____, ...transformation } = recipe
  return transformation
}

/** Returns the same text for recipes that differ only in their encoding and produce the same pixels. */
export function pixelsOf(recipe: Task): string {
  if (recipe.kind !== 'raster') return writeRecipe(recipe)
  return JSON.stringify(Object.entries(transformationOf(recipe)).toSorted(([a], [b]) => compareStrings(a, b)))
}
