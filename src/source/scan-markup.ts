import { lineFinder } from '../text/lines.js'
import { preprocessed } from './source-files.js'
import { idsInData, readPage, splitCandidates, type AttributeWithId } from './html.js'
import type { Use } from './use.js'
import { idsInStyleSheet, readId } from './style-sheet.js'

/** An id in a style sheet or a page, with its line in the file. */
type MarkupUse = Pick<Use, 'specifier' | 'line'>

const PREPROCESSED = new RegExp(`^(?:${preprocessed})$`)

const styleElement = /<style\b([^<>]*)>([\s\S]*?)<\/style>/gi

/** Returns the ids in a style sheet, in the style blocks of a component, or in the attributes and styles of a page. */
export function usesInMarkup(code: string, extension: string): MarkupUse[] {
  if (/^(?:vue|svelte|astro)$/.test(extension)) return usesInBlocks(code)
  if (!/^html?$/.test(extension)) return usesInStyles(code, extension, 1)
  const { attributes, styles, data } = readPage(code)
  const lineOf = lineFinder(code)
  return [
    ...attributes.flatMap(usesInAttribute),
    ...data.flatMap(({ text, start: from }) =>
      idsInData(text).flatMap(({ id, start }) => ({ specifier: readId(id)?.id ?? id, line: lineOf(from + start) })),
    ),
    ...styles.flatMap(({ text, line }) => usesInStyles(text, 'css', line)),
  ]
}

/** @param firstLine the line of the file on which the text begins */
function usesInStyles(text: string, language: string, firstLine: number): MarkupUse[] {
  const lineOf = lineFinder(text)
  const ids = idsInStyleSheet(text, { preprocessor: PREPROCESSED.test(language) })
  return ids.map(({ id, start }) => ({ specifier: id, line: firstLine + lineOf(start) - 1 }))
}

function usesInBlocks(code: string): MarkupUse[] {
  const lineOf = lineFinder(code)
  return styleBlocks(code).flatMap(({ text, start, language }) => usesInStyles(text, language, lineOf(start)))
}

/** Returns the style blocks of a component, with their offsets and languages. */
export function styleBlocks(code: string): { text: string; start: number; language: string }[] {
  // Stop at the last end tag. Otherwise, the search would run to the end of the file for each unclosed element.
  const closed = code.slice(0, code.toLowerCase().lastIndexOf('</style>') + 8)
  return [...closed.matchAll(styleElement)].map(({ 0: element, 1: head = '', 2: text = '', index }) => {
    const language = /\blang=["']?(\w+)/.exec(head)?.[1] ?? 'css'
    return { text, start: index + element.indexOf(text, head.length), language }
  })
}

function usesInAttribute({ form, value, line }: AttributeWithId): MarkupUse[] {
  const addresses = form === 'candidates' ? splitCandidates(value).map(({ address }) => address) : [value]
  return addresses.flatMap((address) => {
    const found = readId(address)
    return found ? [{ specifier: found.id, line }] : []
  })
}
