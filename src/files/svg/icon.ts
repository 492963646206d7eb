import { readDrawing } from './check.js'
import { svgNamespace, xlinkNamespace } from './rules.js'

/** An icon of an Iconify set. The size is in units of the drawing; `left` and `top` are absent where they are 0. */
export interface Icon {
  body: string
  left?: number
  top?: number
  width: number
  height: number
  /** Whether it has colors of its own. Otherwise it is drawn in the color of the text around it. */
  palette: boolean
}

/**
 * Loads the steps that make icons for Iconify sets from drawings, as `@iconify/tools` recommends: clean up, colors,
 * optimize. A drawing of one color gets `currentColor`. https://iconify.design/docs/libraries/tools/
 * @returns a function that makes an icon, and throws an Error whose message is a reason. `isChecked`: whether the
 *   result is checked again, independently of the sanitizer and of these steps
 */
export async function openIconMaker(): Promise<(text: string, isChecked: boolean) => Icon> {
  const [{ SVG }, { cleanupSVG }, colors, { runSVGO }] = await Promise.all([
    import('@iconify/tools/lib/svg'),
    import('@iconify/tools/lib/svg/cleanup'),
    import('@iconify/tools/lib/colors/parse'),
    import('@iconify/tools/lib/optimise/svgo'),
  ])
  const { isEmptyColor, parseColors } = colors
  return (text, isChecked) => {
    const svg = new SVG(text)
    cleanupSVG(svg)
    // Looking for colors changes the drawing, so it is done with a copy.
    const found = new Set<string>()
    parseColors(new SVG(svg.toMinifiedString()), {
      defaultColor: 'currentColor',
      callback(_, value, color) {
        // A color that cannot be read counts as one of its own.
        if (color === null || !(isEmptyColor(color) || color.type === 'current'))
          found.add(JSON.stringify(color ?? value))
        return value
      },
    })
    const palette = found.size > 1
    if (!palette) {
      parseColors(svg, {
        defaultColor: 'currentColor',
        callback: (_, value, color) => (color === null || isEmptyColor(color) ? value : 'currentColor'),
      })
    }
    runSVGO(svg)
    const { left, top, width, height } = svg.viewBox
    const body = svg.getBody()
    const active = isChecked ? findInIcon({ body }) : []
    if (active.length > 0) throw new Error(`${active.join(', ')} cannot be removed`)
    return { body, ...(left ? { left } : {}), ...(top ? { top } : {}), width, height, palette }
  }
}

/** Lists what an icon must not have, because it becomes a part of pages. */
export function findInIcon({ body }: Pick<Icon, 'body'>): string[] {
  const text = `<svg xmlns="${svgNamespace}" xmlns:xlink="${xlinkNamespace}">${body}</svg>`
  const { findings } = readDrawing(Buffer.from(text), 'page')
  return body.includes('<style') ? [...findings, 'a <style> that applies to other parts of the page'] : findings
}
