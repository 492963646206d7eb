import { decodeOrKeep } from '../../../space/http/credentials.js'
import { lineFinder } from '../../../text/lines.js'

/** A picture within a text file, and its position. */
export interface PictureInText {
  bytes: Uint8Array
  /** From 1. */
  line: number
  /** The range in the text. */
  start: number
  end: number
}

const svgElement = /<svg\b[^]*?<\/svg\s*>/gi
const dataUri = /data:(?:image|font|application)\/[\w.+-]{1,99}((?:;[\w=-]{1,99}){0,9}),(?=[\w+/=%.~!*()-]{32})/gi
/** Matches an SVG in a data URI that leaves some characters unencoded. */
const drawingUri = /data:image\/svg\+xml((?:;[\w=-]{1,99}){0,9}),(?=\s*(?:<|%3c|&lt;|\\u003c))/gi

/**
 * Finds the pictures in a script, a page or a style sheet: data URIs, and SVG elements as HTML or JSX, including in
 * strings.
 */
export function picturesIn(text: string): PictureInText[] {
  const drawings = text.includes('data:') ? drawingUris(text) : []
  const found = [...drawings, ...elements(text), ...(text.includes('data:') ? dataUris(text) : [])]
  const lineOf = lineFinder(text)
  let end = 0
  // If several pictures begin at one position, the most certain rule found the first one. Leave out pictures within
  // others.
  return found
    .toSorted((a, b) => a.start - b.start)
    .flatMap((one) => {
      if (one.start < end) return []
      end = one.end
      return [{ ...one, line: lineOf(one.start) }]
    })
}

/** The maximum length of an SVG in a text file, in characters. */
const longestDrawing = 1024 * 1024

/** Finds SVGs that are written as text in data URIs. Each ends where the URI ends, at a quote or a parenthesis. */
function drawingUris(text: string): Omit<PictureInText, 'line'>[] {
  const found: Omit<PictureInText, 'line'>[] = []
  /**
   * The position, by quote, up to which we have searched for an end and found none. Without it, we would search the
   * same text again for each of many URIs.
   */
  const searched = new Map<string, number>()
  for (const match of text.matchAll(drawingUri)) {
    const { 0: head, 1: parameters = '', index: start } = match
    if (start < (found.at(-1)?.end ?? 0) || /;base64$/i.test(parameters)) continue
    const data = start + head.length
    const [quote = ''] = /(?:\\?["'`]|&(?:quot|#39|apos);)$/.exec(text.slice(Math.max(0, start - 6), start)) ?? []
    if (start < (searched.get(quote) ?? 0)) continue
    const rest = text.slice(data, data + longestDrawing)
    const length = lengthOf(rest, quote)
    if (length === undefined) searched.set(quote, data + longestDrawing)
    else found.push({ bytes: Buffer.from(decodeText(rest.slice(0, length))), start, end: data + length })
  }
  return found
}

/** Returns the length of a URI that begins after a quote or after `(`. */
function lengthOf(rest: string, quote: string): number | undefined {
  // Without a quote, `)` ends the URI. But SVGs contain parentheses, too: `rotate(45)`.
  const end = quote === '' ? /(?<=<\/svg\s*>|%3c(?:\/|%2f)svg%3e|\/>)(?=\s*\))/i.exec(rest)?.index : endOf(rest, quote)
  return end === undefined || end === -1 ? undefined : end
}

/**
 * Returns the position of the next quote that ends the string. If the quote that started the string is escaped, an
 * unescaped quote also ends it.
 */
function endOf(rest: string, quote: string): number {
  if (quote.length > 1) return rest.indexOf(quote)
  for (let at = rest.indexOf(quote); at !== -1; at = rest.indexOf(quote, at + 1)) if (rest[at - 1] !== '\\') return at
  return -1
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'", amp: '&' }

/** Decodes a URI's data. A percent sign may also be part of the SVG: `width="100%"`. */
function decodeText(text: string): string {
  return text
    .replaceAll(/&(lt|gt|quot|#39|apos|amp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\\u00([\da-f]{2})/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replaceAll(/(?:%[\da-f]{2})+/gi, decodeOrKeep)
    .replaceAll(/\\\r?\n/g, '')
    .replaceAll('\\n', '\n')
    .replaceAll(/\\(["'`/])/g, '$1')
}

/**
 * Truncates code after the last end of an SVG, so that each start has an end. Otherwise, the rest of the code would be
 * searched for each start without one.
 */
function upToLastSvg(text: string): string {
  const last = [...text.matchAll(/<\/svg\s*>/gi)].at(-1)
  return last ? text.slice(0, last.index + last[0].length) : ''
}

function elements(text: string): Omit<PictureInText, 'line'>[] {
  return [...upToLastSvg(text).matchAll(svgElement)].flatMap(({ 0: element, index: start }) =>
    element.length > longestDrawing
      ? []
      : [{ bytes: Buffer.from(plainSvg(element)), start, end: start + element.length }],
  )
}

/**
 * Finds data URIs whose characters are all encoded. Doesn't use a pattern for all data, because it would exceed the
 * stack.
 */
function dataUris(text: string): Omit<PictureInText, 'line'>[] {
  const endOfData = /[^\w+/=%.~!*()-]/g
  return [...text.matchAll(dataUri)].map(({ 0: head, 1: parameters = '', index: start }) => {
    const data = start + head.length
    endOfData.lastIndex = data
    const end = endOfData.exec(text)?.index ?? text.length
    const encoding = /;base64$/i.test(parameters) ? 'base64' : 'utf8'
    return { bytes: Buffer.from(decodeOrKeep(text.slice(data, end)), encoding), start, end }
  })
}

/** Attributes with hyphens, which JSX spells in camelCase. */
const hyphenated = new RegExp(
  String.raw`\s(${[
    'accent|alignment|baseline|clip(?!PathUnits)|color|dominant|fill|flood|font|letter|lighting',
    'marker(?!Units|Width|Height)|paint|pointer|shape|stop|stroke|text(?!Length)|vector|word|writing',
  ].join('|')})([A-Z][A-Za-z]*)(?=\s*=)`,
  'g',
)

/** Converts an SVG in JSX, or in a script's string, to markup. Leaves out values that are known only at run time. */
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
