import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { attempt } from '../async/attempt.js'
import { ContentSpaceError, locate, type ErrorCode, type SourcePlace } from '../errors.js'
import { oneLine } from '../text/display.js'
import { omitUndefined } from '../text/omit-undefined.js'

/** The location of an import, as far as it is known. */
export interface ImportSite {
  /** The specifier as written in the source. */
  specifier?: string | undefined
  importer?: string | undefined
  /** From 1. Default: read from the importing file. */
  line?: number | undefined
  /** The folder that a relative path of the importing file is relative to. Without it, the file isn't read. */
  root?: string | undefined
}

/**
 * Adds the specifier, the importing file, the location in it, and the code around it to an error of this package. Keeps
 * facts that the error already has. Leaves connection errors unchanged, because they don't concern a single import.
 */
export function withImportSite(error: unknown, { specifier, importer: from, line, root }: ImportSite): unknown {
  if (!(error instanceof ContentSpaceError) || error.code === 'unreachable') return error
  // Compilers of Vue and Svelte, and routers, import the parts of a file with a query: `App.vue?vue&type=script`.
  const importer = from?.replace(/\?.*/, '')
  const { facts } = error
  // The line belongs to the importing file only if the error doesn't already name one.
  const file = facts.importer ?? importer
  const given = facts.line ?? (file === importer ? line : undefined)
  const path = root === undefined || file === undefined ? file : resolve(root, file)
  const places = error.loc ? [] : findImports(facts.import ?? specifier, path, given)
  const [found = places[0]] = places.flatMap((place, at) => markName(place, places[at - 1]?.line ?? 1, error) ?? [])
  const located = error.with(
    omitUndefined({ import: specifier, importer, line: found?.line ?? given, column: found && found.column + 1 }),
  )
  return found ? locate(located, { file: found.file, line: found.line, column: found.column }, frameOf(found)) : located
}

interface FoundImport extends SourcePlace {
  lines: readonly string[]
  /** The length of the specifier or of its wrong part. */
  length: number
}

/** The fact that contains the wrong name, by error code. */
const wrongNames: Partial<Record<ErrorCode, 'kit' | 'section' | 'asset' | 'export'>> = {
  kitNotFound: 'kit',
  sectionNotFound: 'section',
  assetNotFound: 'asset',
  unknownExport: 'export',
}

/**
 * Narrows an import to the wrong name, if it occurs in the specifier or in the statement before it.
 * @param first the line of the previous import, or the first line of the file
 */
function markName(found: FoundImport, first: number, { code, facts }: ContentSpaceError): FoundImport | undefined {
  const { lines, line, column, length } = found
  const fact = wrongNames[code]
  const name = fact && facts[fact]
  if (name === undefined) return undefined
  const text = lines[line - 1] ?? ''
  const inside = text.slice(column, column + length).lastIndexOf(name)
  if (fact !== 'export') return inside === -1 ? undefined : { ...found, column: column + inside, length: name.length }
  const before = [...lines.slice(first - 1, line - 1), text.slice(0, column)].join('\n')
  const start = [...before.matchAll(/\b(?:import|export|const)\b/g)].at(-1)?.index ?? 0
  const words = before.slice(start).matchAll(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu)
  const at = [...words].find(([word]) => word === name)?.index
  if (at === undefined) return undefined
  const until = before.slice(0, start + at).split('\n')
  return { ...found, line: first - 1 + until.length, column: until.at(-1)?.length ?? 0, length: name.length }
}

/**
 * Finds the imports of a specifier. Bundlers report only the importing file, so it is read again. Returns an empty list
 * if the file on disk doesn't contain the specifier, for example for generated modules.
 * @param at the line where a statement begins; default: all imports of the specifier
 */
function findImports(specifier: string | undefined, importer: string | undefined, at?: number): FoundImport[] {
  if (specifier === undefined || importer === undefined || !isAbsolute(importer)) return []
  const lines = attempt(() => readFileSync(importer, 'utf8'))?.split(/\r?\n/) ?? []
  const found = lines.flatMap((text, index) => {
    const column = columnOf(text, specifier)
    return column === undefined ? [] : { file: importer, line: index + 1, column, lines, length: specifier.length }
  })
  // A statement may begin several lines before its specifier.
  return at === undefined ? found : found.filter(({ line }) => line >= at).slice(0, 1)
}

function columnOf(text: string, specifier: string): number | undefined {
  // If an id is composed at run time, the source contains only its start.
  const [start = '', ...rest] = specifier.split('${…}')
  for (const [before = '', after = ''] of surroundings) {
    const column = text.indexOf(before + start + (rest.length > 0 ? '' : after))
    if (column !== -1) return column + 1
  }
  return undefined
}

/** The characters around an id: quotes, or the parentheses of `url()`. */
const surroundings = ["''", '""', '``', '()'] as const

/** The number of lines that a frame includes before and after the import. */
const neighbors = 2
/** The maximum length of a line, because lines of minified files are long. */
const longestLine = 160

/**
 * Returns the code around an import:
 *
 * ```text
 *   1 | import { mount } from 'mount'
 * > 2 | import { acmeLoga } from 'content-space:kit/brand'
 *     |          ^^^^^^^^
 *   3 |
 * ```
 */
function frameOf({ lines, line, column, length }: FoundImport): string {
  const first = Math.max(1, line - neighbors)
  const after = lines.slice(line, line + neighbors).findLastIndex((text) => text.trim() !== '')
  const last = line + after + 1
  const start = column > longestLine - length ? column : 0
  const cut = (text: string): string => oneLine(text.replaceAll('\t', ' ').slice(start, start + longestLine)).trimEnd()
  const width = String(last).length
  const numbered = Array.from({ length: last - first + 1 }, (_, at) => first + at).flatMap((number) => {
    const mark = number === line ? '>' : ' '
    const code = `${mark} ${String(number).padStart(width)} | ${cut(lines[number - 1] ?? '')}`.trimEnd()
    if (number !== line) return [code]
    const caret = '^'.repeat(Math.max(1, Math.min(length, longestLine)))
    return [code, `  ${' '.repeat(width)} | ${' '.repeat(column - start)}${caret}`]
  })
  return numbered.join('\n')
}
