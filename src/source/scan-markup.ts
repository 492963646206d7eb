import { lineFinder } from '../text/lines.js'
import { readPage, splitCandidates, type AttributeWithId } from './html.js'
import type { Use } from './use.js'
import { idsInStyleSheet, readId } from './style-sheet.js'

/** An id in a style sheet or a page, with its line in the file. */
type MarkupUse = Pick<Use, 'specifier' | 'line'>

/** Style sheets, by extension: whether the language compiles to CSS. */
const styleSheets: Readonly<Record<string, boolean>> = {
  css: false,
  pcss: false,
  postcss: false,
  less: true,
  sass: true,
  scss: true,
  styl: true,
  stylus: true,
  sss: true,
}

const styleElement = /<style\b([^<>]*)>([\s\S]*?)<\/style>/gi

/** Returns the ids in a style sheet, in the style blocks of a component, or in the attributes and styles of a page. */
export function usesInMarkup(code: string, extension: string): MarkupUse[] {
  const preprocessor = styleSheets[extension]
  if (preprocessor !== undefined) return usesInStyles(code, preprocessor, 1)
  if (extension !== 'html' && extension !== 'htm') return usesInBlocks(code)
  const { attributes, styles } = readPage(code)
  return [
    ...attributes.flatMap(usesInAttribute),
    ...styles.flatMap(({ text, line }) => usesInStyles(text, false, line)),
  ]
}

/** @param firstLine the line in the file at which the text begins */
function usesInStyles(text: string, preprocessor: boolean, firstLine: number): MarkupUse[] {
  const lineOf = lineFinder(text)
  const ids = idsInStyleSheet(text, { preprocessor })
  return ids.map(({ id, start }) => ({ specifier: id, line: firstLine + lineOf(start) - 1 }))
}

function usesInBlocks(code: string): MarkupUse[] {
  const lineOf = lineFinder(code)
  // From an element that is not closed, the search would go to the end each time.
  const closed = code.slice(0, code.toLowerCase().lastIndexOf('</style>') + 8)
  return [...closed.matchAll(styleElement)].flatMap(({ 0: element, 1: head = '', 2: body = '', index }) => {
    const language = /\blang=["']?(\w+)/.exec(head)?.[1] ?? 'css'
    const start = index + element.indexOf(body, head.length)
    return usesInStyles(body, styleSheets[language] ?? false, lineOf(start))
  })
}

function usesInAttribute({ form, value, line }: AttributeWithId): MarkupUse[] {
  const addresses = form === 'candidates' ? splitCandidates(value).map(({ address }) => address) : [value]
  return addresses.flatMap((address) => {
    const found = readId(address)
    return found ? [{ specifier: found.id, line }] : []
  })
}
