import { decode } from '../../space/http/credentials.js'
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
    ...matches(upToLastSvg(text), svgElement, ([element]) => Buffer.from(plainSvg(element))),
    ...(text.includes('data:') ? matches(text, dataUri, decodeUri) : []),
  ]
  const lineOf = lineFinder(text)
  return found.map((one) => ({ ...one, line: lineOf(one.start) })).toSorted((a, b) => a.start - b.start)
}

/** Each start of an element then has an end. Without one, the rest of the text would be searched for each start. */
function upToLastSvg(text: string): string {
  const last = [...text.matchAll(/<\/svg\s*>/gi)].at(-1)
  return last ? text.slice(0, last.index + last[0].length) : ''
}

function matches(
  text: string,
  pattern: RegExp,
  read: (match: RegExpMatchArray) => Uint8Array,
): Omit<PictureInText, 'line'>[] {
  return [...text.matchAll(pattern)].map((match) => {
    const [{ length }] = match
    return { bytes: read(match), start: match.index, end: match.index + length }
  })
}

function decodeUri([, parameters = '', data = '']: RegExpMatchArray): Uint8Array {
  return Buffer.from(decode(data), /;base64$/i.test(parameters) ? 'base64' : 'utf8')
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
    .replaceAll(/\{\s{0,99}\/\*[^]{0,999}?\*\/\s{0,99}\}/g, '')
    .replaceAll(/=\{\s{0,99}(["'`]?)([^"'`{}]*)\1\s{0,99}\}/g, '="$2"')
    .replaceAll(/\s(?:[\w:@.-]+=)?\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .replaceAll(/\sxlinkHref(?=\s*=)/g, ' xlink:href')
    .replaceAll(
      hyphenated,
      (_, first: string, rest: string) => ` ${first}${rest.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`,
    )
}
