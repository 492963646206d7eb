import { type CustomPlugin, optimize as runSvgo, type PluginConfig } from 'svgo'
import { cssPixels } from '../../text/css-length.js'
import { defaultSize } from '../../text/svg-size.js'
import { isAlwaysRewritten, type SvgRecipe } from '../recipe.js'
import { findInPage } from './check-page.js'
import { findActive } from './check.js'
import { assertSafe, cleanText } from './clean.js'
import { keepDrawing } from './component.js'
import { inCurrentColor } from './current-color.js'
import { optimization } from './optimize.js'
import { prefixPlugins, trimAddresses } from './prefix.js'
import { limitToBox, type OnLoss } from './scope.js'
import { moveStyles, spaceComparisons } from './styles.js'
import { rootOf } from './tree.js'

/**
 * Converts an SVG according to its recipe: sanitizes it if necessary, optimizes it, prepares it for inlining, and
 * prefixes its ids. Unless the policy is `trust`, code that is independent of the sanitizer checks the result again.
 * @param onLoss called for each style sheet rule that can't be limited to the SVG, such as `@font-face`
 * @throws Error whose message is the reason
 */
export function makeSvg(bytes: Uint8Array, recipe: SvgRecipe, onLoss: OnLoss = () => {}): Uint8Array {
  const { policy, prefix, icon } = recipe
  let text = cleanText(bytes, policy, prefix === undefined && !icon ? 'file' : 'page')
  if (isAlwaysRewritten(recipe)) text = rewrite(text, recipe, onLoss)
  const result = Buffer.from(text)
  if (policy !== 'trust') assertSafe(prefix === undefined ? findActive(result) : findInPage(result, prefix))
  return result
}

function rewrite(text: string, recipe: SvgRecipe, onLoss: OnLoss): string {
  const { policy, prefix, svgo, component, icon, currentcolor, preview } = recipe
  const plugins: PluginConfig[] = [trimAddresses]
  if (component || currentcolor || icon) plugins.push(moveStyles)
  if (svgo) plugins.push(optimization(text))
  if (currentcolor) plugins.push(inCurrentColor)
  if (component) plugins.push(keepDrawing)
  if (preview !== undefined) plugins.push(asPreview(preview))
  if (prefix !== undefined) {
    if (component || policy !== 'trust') plugins.push(limitToBox(onLoss, component === true))
    plugins.push(...prefixPlugins(prefix, text))
  }
  plugins.push(spaceComparisons)
  return runSvgo(text, { plugins }).data
}

/** Gray, so that both black and white SVGs are visible. */
const previewBackground = '#999'

/**
 * Turns an SVG into a preview for editors, whose background may be light or dark.
 * @param side the longer side in pixels
 */
const asPreview = (side: number): CustomPlugin => ({
  name: 'asPreview',
  fn(root) {
    const { attributes } = rootOf(root) ?? {}
    if (attributes === undefined) return null
    const { width = '', height = '', style } = attributes
    attributes['viewBox'] ??= `0 0 ${cssPixels(width) ?? defaultSize.width} ${cssPixels(height) ?? defaultSize.height}`
    const [, , w = 1, h = 1] = attributes['viewBox']
      .trim()
      .split(/[\s,]+/)
      .map(Number)
    const scale = side / Math.max(w, h)
    attributes['width'] = String(Math.max(1, Math.round(w * scale)))
    attributes['height'] = String(Math.max(1, Math.round(h * scale)))
    attributes['style'] = `${style === undefined ? '' : `${style};`}background:${previewBackground}`
    return null
  },
})
