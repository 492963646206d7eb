import { cssPixels } from './css-length.js'

/** The size at which browsers render an SVG that has neither a size nor a view box. */
export const defaultSize = { width: 300, height: 150 }

/**
 * Writes the size of an SVG in pixels. librsvg multiplies `mm` and other units by the density, so the size of a picture
 * would otherwise grow with the square of the density. An SVG that has neither a size nor a view box gets the size that
 * browsers use.
 * @param svg in an encoding that contains ASCII
 */
export function withSizeInPixels(svg: Uint8Array): Buffer {
  const text = Buffer.from(svg.buffer, svg.byteOffset, svg.byteLength).toString('latin1')
  const match = rootTag.exec(text)
  const [whole = '', start = '', attributes = ''] = match ?? []
  if (!match || whole === '') return Buffer.from(svg)
  const end = match.index + whole.length
  const sized = inPixels(attributes)
  const tag = /\sviewBox\s*=/.test(attributes) ? sized : withDefaults(sized)
  return Buffer.from(text.slice(0, end - whole.length) + start + tag + text.slice(end), 'latin1')
}

/** Matches the start tag of the root element, after any prolog. */
const rootTag = /(<(?:[\w-]+:)?svg)(?=[\s/>])((?:[^"'>/]|"[^"]*"|'[^']*'|\/(?!>))*)/

function inPixels(attributes: string): string {
  const [, , fontSize] = /\sfont-size\s*=\s*(["'])([^"']*)\1/.exec(attributes) ?? []
  return attributes.replaceAll(sizes, (whole: string, name: string, quote: string, length: string) => {
    const [, ems] = /^\s*([\d.]+)r?em\s*$/i.exec(length) ?? []
    const pixels = ems === undefined ? cssPixels(length) : Number(ems) * (cssPixels(fontSize) ?? 16)
    return pixels === undefined || /^[\d.\s]+$/.test(length) ? whole : `${name}${quote}${pixels}${quote}`
  })
}

const sizes = /(\s(?:width|height)\s*=\s*)(["'])([^"']*)\2/g

function withDefaults(attributes: string): string {
  const missing = (['width', 'height'] as const).filter((name) => !new RegExp(`\\s${name}\\s*=`).test(attributes))
  return attributes + missing.map((name) => ` ${name}="${defaultSize[name]}"`).join('')
}
