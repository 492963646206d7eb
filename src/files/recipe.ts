import type { Query } from '../request/query.js'

/** What is done to the bytes of the service. */
export type Recipe = SvgRecipe | RasterRecipe

/** A file that stays SVG. */
export interface SvgRecipe {
  kind: 'svg'
  /** What happens to scripts, handlers and what is loaded from elsewhere. */
  policy: SvgPolicy
  /** In front of every id, for text that will share a document with others. */
  prefix?: string
  svgo?: true
}

/** Not a file, but what in an SVG is active: a list of texts as JSON. */
interface CheckRecipe {
  kind: 'check'
}

/** What a process of its own does with the bytes of a file. */
export type Task = Recipe | CheckRecipe

export type SvgPolicy = 'sanitize' | 'strict' | 'trust'

/** A picture made by sharp. */
export interface RasterRecipe extends Pick<
  Query,
  'background' | 'blur' | 'enlarge' | 'greyscale' | 'position' | 'quality' | 'rotate'
> {
  kind: 'raster'
  format: string
  width?: number
  height?: number
  /**
   * `scale` keeps the proportions, which `width` and `height` have already but for rounding;
   * the others are sharp's.
   */
  fit: 'scale' | NonNullable<Query['fit']>
  /** A preview in place of the picture. */
  preview?: NonNullable<Query['placeholder']>
}

/**
 * Raise one when the same recipe gives other bytes: it is part of every recipe of its kind, and so of every cache key.
 */
const versions = { svg: 5, raster: 2, check: 1 }

/** One text for one recipe: sorted keys, nothing that is undefined. */
export function writeRecipe(recipe: Task): string {
  const entries = Object.entries({ ...recipe, version: versions[recipe.kind] }).filter(
    ([, value]) => value !== undefined,
  )
  return JSON.stringify(Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1))))
}

/** Reads what `writeRecipe` wrote. */
export function readRecipe(text: string): Recipe {
  return JSON.parse(text)
}

/** The same text for recipes that make the same pixels of a file, and only encode them otherwise. */
export function pixelsOf(recipe: Task): string {
  if (recipe.kind !== 'raster') return writeRecipe(recipe)
  const { format: _, quality: __, ...look } = recipe
  return JSON.stringify(Object.entries(look).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
