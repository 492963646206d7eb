import type { CustomPlugin } from 'svgo'
import { rootOf } from './tree.js'

/** Black and white drawings are visible on it. */
const ground = '#999'

/** Draws a picture for editors, whose grounds are light or dark. @param side pixels of the longer side */
export const asPreview = (side: number): CustomPlugin => ({
  name: 'asPreview',
  fn(root) {
    const { attributes } = rootOf(root) ?? {}
    if (attributes === undefined) return null
    const { width = '', height = '', style } = attributes
    attributes['viewBox'] ??= `0 0 ${parseFloat(width) || 100} ${parseFloat(height) || 100}`
    const [, , w = 1, h = 1] = attributes['viewBox']
      .trim()
      .split(/[\s,]+/)
      .map(Number)
    const scale = side / Math.max(w, h)
    attributes['width'] = String(Math.max(1, Math.round(w * scale)))
    attributes['height'] = String(Math.max(1, Math.round(h * scale)))
    attributes['style'] = `${style === undefined ? '' : `${style};`}background:${ground}`
    return null
  },
})
