import type { Query } from '../request/query.js'
import type { RasterRecipe } from './recipe.js'

/** A size in pixels, as far as it is known before there are bytes. */
export interface Size {
  width?: number
  height?: number
}

/** A size of which either side may be unknown, or not asked for. */
interface Box {
  width?: number | undefined
  height?: number | undefined
}

/** One output of a query: what sharp is told, and how a `srcset` describes it. */
export interface Output extends Pick<RasterRecipe, 'fit' | 'width' | 'height'> {
  /** What the file will have; absent where the service does not say what the original has. */
  size: Size
  /** `640w`, `2x`; no two outputs of a query have the same. */
  descriptor: string
}

/**
 * The sizes that a query asks of an original, smallest first, clamped to it and de-duplicated.
 * @param original as the service gives it; decimal numbers are legal
 * @param unlimited for what can be drawn at any size
 */
export function outputSizes(query: Query, original: Box, unlimited: boolean): Output[] {
  const { w, h, dpr = [1], rotate = 0, fit = 'cover' } = query
  const turned = turn(original, rotate)
  const free = unlimited || query.enlarge === true
  const boxes = dpr.flatMap((density): Box[] => {
    const widths = w?.map((width) => ({ width: Math.round(width * density) }))
    const heights = h?.map((height) => ({ height: Math.round(height * density) }))
    if (widths && heights) return [{ ...widths[0], ...heights[0] }]
    return widths ?? heights ?? [{}]
  })
  const outputs = boxes.map((box) => fitBox(box, turned, fit, free))
  const base = fitBox({ width: w?.[0], height: h?.[0] }, turned, fit, free)
  const described = outputs.map((output) => ({
    ...output,
    descriptor: describe(output, base, query.dpr !== undefined),
  }))
  // A srcset may hold no descriptor twice: different heights of a narrow picture can share a width.
  return [...new Map(described.map((output) => [output.descriptor, output])).values()]
}

/** @param base the smallest size that is asked for: heights whose widths nobody knows are densities of it */
function describe(output: Box, base: Box, dense: boolean): string {
  const edge = (size: Box) => size.width ?? size.height ?? 1
  return dense || output.width === undefined ? `${Number((edge(output) / edge(base)).toFixed(3))}x` : `${output.width}w`
}

/** The box around a picture that is turned. */
function turn({ width, height }: Box, degrees: number): Box {
  if (width === undefined || height === undefined) return {}
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))]
  return { width: width * cos + height * sin, height: width * sin + height * cos }
}

/** @param free whether the picture may become larger */
function fitBox(box: Box, original: Box, fit: NonNullable<Query['fit']>, free: boolean): Omit<Output, 'descriptor'> {
  const { width, height } = original
  if (width === undefined || height === undefined) {
    const asked = {
      ...(box.width === undefined ? {} : { width: box.width }),
      ...(box.height === undefined ? {} : { height: box.height }),
    }
    return { ...asked, fit: box.width && box.height ? fit : 'scale', size: free ? asked : {} }
  }
  if (box.width === undefined || box.height === undefined) {
    const factor = box.width !== undefined ? box.width / width : box.height !== undefined ? box.height / height : 1
    return exact({ width, height }, free ? factor : Math.min(1, factor), 'scale')
  }
  const [x, y] = [box.width / width, box.height / height]
  if (fit === 'inside' || fit === 'outside') {
    const factor = fit === 'inside' ? Math.min(x, y) : Math.max(x, y)
    return exact({ width, height }, free ? factor : Math.min(1, factor), 'scale')
  }
  // A box that would enlarge the picture keeps its proportions and becomes smaller.
  const enlarging = fit === 'contain' ? Math.min(x, y) : Math.max(x, y)
  return exact(box, free ? 1 : 1 / Math.max(1, enlarging), fit)
}

function exact({ width = 1, height = 1 }: Box, factor: number, fit: RasterRecipe['fit']): Omit<Output, 'descriptor'> {
  const size = { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) }
  return { ...size, fit, size }
}
