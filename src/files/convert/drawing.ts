import { attempt } from '../../async/attempt.js'
import type { SvgRecipe } from '../recipe.js'
import { makeSvg } from '../svg/svg.js'

/**
 * Converts an SVG according to its recipe. If svgo changes how the SVG renders, returns it without svgo's changes.
 * @param onRendering called before each rendering
 * @returns `notes` are ends of sentences that begin with the file's name: `is not optimized: svgo fails on it`
 * @throws Error whose message is the reason
 */
export async function makeDrawing(
  bytes: Buffer,
  recipe: SvgRecipe,
  onRendering: () => void,
): Promise<{ svg: Uint8Array; notes: string[] }> {
  const { svgo, ...plain } = recipe
  const lost = new Set<string>()
  const svg = makeSvg(bytes, plain, (what) => void lost.add(what))
  const notes =
    lost.size > 0 ? [`loses ${[...lost].join(', ')} of its style sheet, which would apply to the whole page`] : []
  if (!svgo) return { svg, notes }
  const optimized = attempt(() => makeSvg(bytes, recipe))
  const { compareDrawings } = await import('./with-sharp.js')
  const reason = optimized
    ? await compareDrawings(Buffer.from(svg), Buffer.from(optimized), onRendering)
    : 'svgo fails on it'
  return optimized && reason === undefined
    ? { svg: optimized, notes }
    : { svg, notes: [...notes, `is not optimized: ${reason}`] }
}
