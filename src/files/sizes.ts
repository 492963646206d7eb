import type { Query } from '../request/query.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { RasterRecipe } from './recipe.js'

/** A size in pixels. Either side may be unknown or not requested. */
export interface Size {
  width?: number | undefined
  height?: number | undefined
}

/** One size of a query: the parameters of its recipe and its descriptor in a `srcset`. */
export interface Output extends Pick<RasterRecipe, 'fit' | 'width' | 'height'> {
  /** The size of the file. Empty if the service doesn't list the original's size. */
  size: Size
  /** The scale relative to the original. */
  scale: number
  /** `640w` or `2x`, unique among the outputs of a query. */
  descriptor: string
}

/**
 * Returns the sizes that a query requests, without duplicates and smallest first. None is larger than the original.
 * @param original as listed by the service, possibly with decimals
 * @param unlimited whether pictures may be larger than the original, as for SVG
 */
export function outputSizes(query: Query, original: Size, unlimited: boolean): Output[] {
  const { w, h, dpr = [1], rotate = 0, fit = 'cover' } = query
  const rotated = rotateBox(original, rotate)
  const canEnlarge = unlimited || query.enlarge === true
  const requested = fitBox({ width: w?.[0], height: h?.[0] }, rotated, fit, true).scale
  const largest = canEnlarge || rotated.width === undefined ? Infinity : 1
  const described = dpr.flatMap((density) => {
    const widths = w?.map((width): Size => ({ width: Math.round(width * density) }))
    const heights = h?.map((height): Size => ({ height: Math.round(height * density) }))
    const boxes = widths && heights ? [{ ...widths[0], ...heights[0] }] : (widths ?? heights ?? [{}])
    // Compute the density from unrounded sides, because `2x` of 167 pixels may be 333 pixels wide.
    const reached = Math.min(largest, density * requested) / Math.min(largest, requested)
    return boxes.map((box) => {
      const output = fitBox(box, rotated, fit, canEnlarge)
      // If only heights are known, describe them as densities too.
      const relative = query.dpr ? reached : output.width ? undefined : (output.height ?? 1) / (h?.[0] ?? 1)
      return { ...output, descriptor: relative ? `${Number(relative.toFixed(3))}x` : `${output.width}w` }
    })
  })
  // Descriptors in a srcset must be unique, but different heights of a narrow picture may round to the same width.
  return [...new Map(described.map((output) => [output.descriptor, output])).values()]
}

/** Returns the bounding box of a rotated picture. */
function rotateBox({ width, height }: Size, degrees: number): Size {
  if (width === undefined || height === undefined) return {}
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  return { width: width * cos + height * sin, height: width * sin + height * cos }
}

function fitBox(
  box: Size,
  original: Size,
  fit: NonNullable<Query['fit']>,
  canEnlarge: boolean,
): Omit<Output, 'descriptor'> {
  const { width, height } = original
  if (width === undefined || height === undefined) {
    const requested = omitUndefined({ width: box.width, height: box.height })
    return { ...requested, fit: box.width && box.height ? fit : 'scale', size: canEnlarge ? requested : {}, scale: 1 }
  }
  const bound = canEnlarge ? Infinity : 1
  if (box.width === undefined || box.height === undefined) {
    const factor = box.width !== undefined ? box.width / width : box.height !== undefined ? box.height / height : 1
    return scaleBox({ width, height }, Math.min(bound, factor), 'scale')
  }
  const [x, y] = [box.width / width, box.height / height]
  if (fit === 'inside' || fit === 'outside') {
    const factor = fit === 'inside' ? Math.min(x, y) : Math.max(x, y)
    return scaleBox({ width, height }, Math.min(bound, factor), 'scale')
  }
  // Scale down a box that would enlarge the picture, keeping its proportions.
  const enlargement = fit === 'contain' ? Math.min(x, y) : Math.max(x, y)
  const factor = canEnlarge ? 1 : 1 / Math.max(1, enlargement)
  return { ...scaleBox(box, factor, fit), scale: enlargement * factor }
}

function scaleBox({ width = 1, height = 1 }: Size, scale: number, fit: RasterRecipe['fit']) {
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  return { ...size, fit, size, scale }
}
