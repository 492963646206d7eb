import sharp, { type Sharp } from 'sharp'
import { parameterOf, recipeKeys } from '../../request/parameters.js'
import type { RasterRecipe } from '../recipe.js'
import { transparent, type Pixels, type Source } from './load.js'

/** Pixels of the longer edge of a blurred preview: about 300 bytes as WebP. */
const previewEdge = 24

/**
 * Resizes a source and applies the effects of a recipe.
 * @param flatten whether transparent pixels get a background
 */
export function render(source: Source, recipe: RasterRecipe, flatten: boolean): Promise<Pixels> {
  const { preview, background = '#fff' } = recipe
  let picture = resize(source, recipe)
  for (const key of recipeKeys) {
    const { apply } = parameterOf(key)
    if (typeof apply === 'function' && recipe[key] !== undefined) picture = apply(picture, recipe[key])
  }
  if (flatten) picture = picture.flatten({ background })
  if (preview === undefined) return picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  return preview === 'color' ? shrink(picture, 1, 'fill') : shrink(picture, previewEdge, 'inside')
}

/** A second pipeline, because a pipeline of sharp resizes only once. */
async function shrink(picture: Sharp, edge: number, fit: 'fill' | 'inside'): Promise<Pixels> {
  const { data, info } = await picture.raw({ depth: 'uchar' }).toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false })
    .resize(edge, edge, { fit })
    .raw()
    .toBuffer({ resolveWithObject: true })
}

function resize(source: Source, recipe: RasterRecipe): Sharp {
  const { picture } = source
  if (recipe.padding) return padded(source, recipe, recipe.padding)
  const { width, height, fit, position = 'centre', background = transparent, enlarge = false } = recipe
  if (width === undefined && height === undefined) return picture
  const hasBoth = width !== undefined && height !== undefined
  if (fit !== 'scale') {
    const withoutEnlargement = !hasBoth && !enlarge
    return picture.resize({ width, height, fit, position: position.replace('-', ' '), background, withoutEnlargement })
  }
  // The planned size has the proportions of the source except for rounding, unless the service reported a wrong size.
  const isProportional = hasBoth && Math.abs((width * source.height) / source.width - height) <= 1.5
  if (isProportional) return picture.resize({ width, height, fit: 'fill' })
  return picture.resize({ ...(width === undefined ? { height } : { width }), withoutEnlargement: !enlarge })
}

/** Leaves space around a square picture. */
function padded(source: Source, recipe: RasterRecipe, percent: number): Sharp {
  const { width: side = 1, background = transparent } = recipe
  const space = Math.round((side * percent) / 100)
  const inner = side - 2 * space
  const resized = resize(source, { ...recipe, padding: 0, width: inner, height: inner })
  return resized.extend({ left: space, right: space, top: space, bottom: space, background })
}
