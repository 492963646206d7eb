import { readPage, type AttributeWithId } from '../../source/html.js'
import { styleBlocks } from '../../source/scan-markup.js'
import { preprocessed, styleSheets } from '../../source/source-files.js'
import { idsInStyleSheet, type IdInText } from '../../source/style-sheet.js'
import { parseCode, walk } from '../../source/syntax.js'
import { isTypeOnly, scriptsOf, sourceOfImport, specifierOf } from '../../source/uses.js'

/** An import, an export or a call that refers to content or this package, with the range of the name in the file. */
export interface ScriptSite {
  specifier: string
  isType: boolean
  /** The names that it imports. */
  names: string[]
  start: number
  end: number
}

/** A style sheet, or the part of a file that is a style sheet. */
export interface Sheet {
  text: string
  /** Offset in the file. */
  start: number
  /** Whether the bundler compiles it to CSS first. */
  isPreprocessed: boolean
  ids: readonly IdInText[]
}

/** The places in a file that refer to content or this package. */
export interface Sites {
  scripts: ScriptSite[]
  sheets: Sheet[]
  attributes: AttributeWithId[]
  /** Ids in JSON within pages, which bundlers don't resolve by themselves. Offsets are relative to the file. */
  others: { id: string; start: number }[]
}

const own = /^(?:content-space:|unplugin-content-space(?:\/|$))/
const compiled = new RegExp(`^(?:${preprocessed})$`)
const sheet = new RegExp(`^(?:${styleSheets})$`)

export function sitesOf(code: string, file: string): Sites {
  const extension = /\.(\w+)$/.exec(file)?.[1]?.toLowerCase() ?? ''
  const page = /^html?$/.test(extension) ? readPage(code) : { attributes: [], styles: [], data: [] }
  const blocks = [
    ...(sheet.test(extension) ? [{ text: code, start: 0, language: extension }] : []),
    ...(/^(?:vue|svelte|astro)$/.test(extension) ? styleBlocks(code) : []),
    // Attributes are escaped, so offsets in their text differ from the file.
    ...page.styles.flatMap((one) => (one.attribute === undefined ? [{ ...one, language: 'css' }] : [])),
  ]
  return {
    scripts: scriptsOf(code, file).flatMap((script) => inScript(script.code, script.file, script.start)),
    sheets: blocks.flatMap(({ text, start, language }) => {
      const isPreprocessed = compiled.test(language)
      const ids = idsInStyleSheet(text, { preprocessor: isPreprocessed })
      return ids.length > 0 ? [{ text, start, isPreprocessed, ids }] : []
    }),
    attributes: page.attributes,
    others: [
      ...page.styles.filter(({ attribute }) => attribute !== undefined),
      ...page.data.filter(({ text }) => text.includes('content-space:')),
    ].map(({ text, start }) => ({ id: /content-space:[^\s"')]*/.exec(text)?.[0] ?? text, start })),
  }
}

function inScript(code: string, file: string, offset: number): ScriptSite[] {
  const program = code.includes('content-space') ? parseCode(code, file) : undefined
  if (program === undefined) return []
  return [...walk(program, [])].flatMap(([node]) => {
    const [source, specifier] = [sourceOfImport(node), specifierOf(node)]
    if (source === undefined || source === null || specifier === undefined || !own.test(specifier)) return []
    const specifiers = node.type === 'ImportDeclaration' ? node.specifiers : []
    return {
      specifier,
      isType: isTypeOnly(node),
      names: specifiers.map((one) =>
        one.type !== 'ImportSpecifier' ? '*' : 'name' in one.imported ? one.imported.name : one.imported.value,
      ),
      start: source.start + offset + 1,
      end: source.end + offset - 1,
    }
  })
}
