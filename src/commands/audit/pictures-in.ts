import { lineFinder } from '../../text/lines.js'

/** A picture in a text, and where it is. */
export interface PictureInText {
  bytes: Uint8Array
  /** From 1. */
  line: number
  /** The range in the text. */
  start: number
  end: number
}

const svgElement = /<svg\b[^]*?<\/svg\s*>/gi
const dataUri = /data:(?:image|font|application)\/[\w.+-]+((?:;[\w=-]+)*),([\w+/=%.~!*()-]{32,})/gi

/**
 * Finds the pictures that a script, a page or a style sheet contains: SVG elements, as HTML or as JSX, also in strings,
 * and data URIs.
 */
export function picturesIn(text: string): PictureInText[] {
  const found = [
    ...(/<svg\b/i.test(text) ? matches(text, svgElement, ([element]) => Buffer.from(plainSvg(element))) : []),
    ...(text.includes('data:') ? matches(text, dataUri, decodeUri) : []),
  ]
  const lineOf = lineFinder(text)
  return found.map((one) => ({ ...one, line: lineOf(one.start) })).toSorted((a, b) => a.start - b.start)
}

function matches(
  text: string,
  pattern: RegExp,
  decode: (match: RegExpMatchArray) => Uint8Array | undefined,
): Omit<PictureInText, 'line'>[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const bytes = decode(match)
    return bytes ? [{ bytes, start: match.index, end: match.index + match[0].length }] : []
  })
}

function decodeUri([, parameters = '', data = '']: RegExpMatchArray): Uint8Array | undefined {
  if (/;base64$/i.test(parameters)) return Buffer.from(decodeURIComponentSafely(data), 'base64')
  const decoded = decodeURIComponentSafely(data)
  return Buffer.from(decoded)
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Attributes with hyphens, which JSX writes in camelCase. */
const hyphenated = new RegExp(
  String.raw`\s(${[
    'accent|alignment|baseline|clip(?!PathUnits)|color|dominant|fill|flood|font|letter|lighting',
    'marker(?!Units|Width|Height)|paint|pointer|shape|stop|stroke|text(?!Length)|vector|word|writing',
  ].join('|')})([A-Z][A-Za-z]*)(?=\s*=)`,
  'g',
)

/** Writes an SVG of JSX, or of a string of a script, as markup. What is known at run time only is left out. */
function plainSvg(element: string): string {
  return element
    .replaceAll(/\\(["'`/])/g, '$1')
    .replaceAll('\\n', '\n')
    .replaceAll(/\{\s*\/\*[^]*?\*\/\s*\}/g, '')
    .replaceAll(/=\{\s*(["'`]?)([^"'`{}]*)\1\s*\}/g, '="$2"')
    .replaceAll(/\s(?:[\w:@.-]+=)?\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .replaceAll(/\sxlinkHref(?=\s*=)/g, ' xlink:href')
    .replaceAll(hyphenated, (_, first: string, rest: string) => ` ${first}${hyphens(rest)}`)
}

function hyphens(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
