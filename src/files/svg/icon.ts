import { readDrawing } from './check.js'
import { svgNamespace, xlinkNamespace } from './rules.js'

/** An icon of an Iconify set. The size is in the SVG's user units; `left` and `top` are omitted if they are 0. */
export interface Icon {
  body: string
  left?: number
  top?: number
  width: number
  height: number
  /** Whether the icon has its own colors. Otherwise, it takes the color of the surrounding text. */
  palette: boolean
}

/**
 * Loads the steps that `@iconify/tools` recommends for turning SVGs into icons: clean up, replace colors, optimize. A
 * single-color SVG gets `currentColor`. https://iconify.design/docs/libraries/tools/
 * @returns a function that makes an icon, or throws an Error whose message is the reason. `isChecked`: whether to check
 *   the result again, independently of the sanitizer and of these steps
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
    // `parseColors` changes the SVG, so we collect the colors from a copy.
    const found = new Set<string>()
    parseColors(new SVG(svg.toMinifiedString()), {
      defaultColor: 'currentColor',
      callback(_, value, color) {
        // An unreadable color counts as a separate color.
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

/** Lists everything in an icon that isn't safe to inline in a page. */
export function findInIcon({ body }: Pick<Icon, 'body'>): string[] {
  const text = `<svg xmlns="${svgNamespace}" xmlns:xlink="${xlinkNamespace}">${body}</svg>`
  const { findings } = readDrawing(Buffer.from(text), 'page')
  return body.includes('<style') ? [...findings, 'a <style> that applies to other parts of the page'] : findings
}
