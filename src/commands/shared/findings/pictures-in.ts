import { decodeOrKeep } from '../../../space/http/credentials.js'
import { lineFinder } from '../../../text/lines.js'

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
const dataUri = /data:(?:image|font|application)\/[\w.+-]{1,99}((?:;[\w=-]{1,99}){0,9}),(?=[\w+/=%.~!*()-]{32})/gi
/** A drawing in a data URI with some characters that aren't encoded. */
const drawingUri = /data:image\/svg\+xml((?:;[\w=-]{1,99}){0,9}),(?=\s*(?:<|%3c|&lt;|\\u003c))/gi

/**
 * Finds the pictures that a script, a page or a style sheet contains: SVG elements, as HTML or as JSX, also in strings,
 * and data URIs.
 */
export function picturesIn(text: string): PictureInText[] {
  const drawings = text.includes('data:') ? drawingUris(text) : []
  const found = [...drawings, ...elements(text), ...(text.includes('data:') ? dataUris(text) : [])]
  const lineOf = lineFinder(text)
  let end = 0
  // If several begin at one position, the first one was found by the most certain rule. Pictures within others are left
  // out.
  return found
    .toSorted((a, b) => a.start - b.start)
    .flatMap((one) => {
      if (one.start < end) return []
      end = one.end
      return [{ ...one, line: lineOf(one.start) }]
    })
}

/** Characters of a drawing in a text. */
const longestDrawing = 1024 * 1024

/** Finds drawings in data URIs that are written as text, up to what ends the address: a quote or a parenthesis. */
function drawingUris(text: string): Omit<PictureInText, 'line'>[] {
  const found: Omit<PictureInText, 'line'>[] = []
  /** By quote: where a search has found no end. Otherwise, each of many addresses would be searched as far. */
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

/** Returns where an address ends that begins after a quote, or after `(`. */
function lengthOf(rest: string, quote: string): number | undefined {
  // Without a quote, `)` ends it. Drawings have parentheses, too: `rotate(45)`.
  const end = quote === '' ? /(?<=<\/svg\s*>|%3c(?:\/|%2f)svg%3e|\/>)(?=\s*\))/i.exec(rest)?.index : endOf(rest, quote)
  return end === undefined || end === -1 ? undefined : end
}

/** Returns where the quote comes again. One that is not escaped ends a string with one that is. */
function endOf(rest: string, quote: string): number {
  if (quote.length > 1) return rest.indexOf(quote)
  for (let at = rest.indexOf(quote); at !== -1; at = rest.indexOf(quote, at + 1)) if (rest[at - 1] !== '\\') return at
  return -1
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', '#39': "'", apos: "'", amp: '&' }

/** Decodes what is encoded. A percent sign may also be a part of the drawing: `width="100%"`. */
function decodeText(text: string): string {
  return text
    .replaceAll(/&(lt|gt|quot|#39|apos|amp);/g, (_, name: string) => entities[name] ?? '')
    .replaceAll(/\\u00([\da-f]{2})/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replaceAll(/(?:%[\da-f]{2})+/gi, decodeOrKeep)
    .replaceAll(/\\\r?\n/g, '')
    .replaceAll('\\n', '\n')
    .replaceAll(/\\(["'`/])/g, '$1')
}

/** Each start of an element then has an end. Without one, the rest of the text would be searched for each start. */
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

/** Finds data URIs whose characters are all encoded. A pattern for all of their data would exceed the stack. */
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

/** Attributes with hyphens, which JSX writes in camelCase. */
const hyphenated = new RegExp(
  String.raw`\s(${[
    'accent|alignment|baseline|clip(?!PathUnits)|color|dominant|fill|flood|font|letter|lighting',
    'marker(?!Units|Width|Height)|paint|pointer|shape|stop|stroke|text(?!Length)|vector|word|writing',
  ].join('|')})([A-Z][A-Za-z]*)(?=\s*=)`,
  'g',
)

/** Writes an SVG in JSX, or in a string of a script, as markup. Values that are known only at run time are left out. */
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
