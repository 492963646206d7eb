import { compareStrings } from '../text/compare.js'
import { lineFinder } from '../text/lines.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { styleSheets } from './source-files.js'
import { nameOfBinding, propertyName, reachableNames } from './reachable-names.js'
import { misplacedInScript, misplacedInTemplate, namesInTemplate } from './misplaced.js'
import type { Use } from './use.js'
import { parseCode, walk, type Node } from './syntax.js'
import { tokenMembers, type TokenMember } from './token-members.js'

/** Returns the uses in a file's scripts, styles and markup, in the order of its lines. */
export async function usesOf(code: string, file: string): Promise<Use[]> {
  const uses = [...scanSource(code, file), ...(await scanMarkup(code, file)), ...scanMisplaced(code, file)]
  return uses.toSorted((a, b) => a.line - b.line)
}

/** Returns the uses in a file, in the order of its lines. Reads only the scripts of components, pages and Markdown. */
export function scanSource(code: string, file: string): Use[] {
  if (!code.includes('content-space:')) return []
  const lineOf = lineFinder(code)
  return scriptsOf(code, file)
    .flatMap((script) => usesIn(script).map((use) => ({ ...use, offset: script.start })))
    .map(({ start, offset, members, ...use }): Use => {
      const tokens = members?.map(({ kind, name, start: at }) => ({ kind, name, line: lineOf(at + offset) }))
      return { ...use, file, line: lineOf(start + offset), ...omitUndefined({ tokens }) }
    })
    .toSorted((a, b) => a.line - b.line)
}

/** Returns the ids in scripts and templates that remain text, except in tests, which may contain them. */
export function scanMisplaced(code: string, file: string): Use[] {
  const extension = extensionOf(file)
  if (!code.includes('content-space:') || /(?:^|[./_])(?:test|spec|tests)[._/]/.test(file)) return []
  const lineOf = lineFinder(code)
  const shown = namesInTemplate(code, extension)
  const inScripts = scriptsOf(code, file).flatMap(({ code: script, file: name, start: offset }) => {
    const program = parseCode(script, name)
    const found = program ? misplacedInScript(program, name, shown) : []
    return found.map((one) => ({ ...one, start: one.start + offset }))
  })
  return [...inScripts, ...misplacedInTemplate(code, extension)].map(({ specifier, start, place }) => {
    return { specifier, file, line: lineOf(start), names: [], misplaced: place }
  })
}

/**
 * Returns the uses in a style sheet, in the style blocks of a component, and in the attributes and styles of a page.
 * All of them take the address of a file. Loads markup parsers only when a file needs them.
 */
export async function scanMarkup(code: string, file: string): Promise<Use[]> {
  const extension = extensionOf(file)
  if (!code.includes('content-space:') || !MARKUP.test(extension)) return []
  const { usesInMarkup } = await import('./scan-markup.js')
  return usesInMarkup(code, extension).map((use) => ({ ...use, file, names: ['default'], isAddress: true }))
}

const MARKUP = new RegExp(`^(?:${styleSheets}|html?|vue|svelte|astro)$`)
const STYLE_SHEET = new RegExp(`^(?:${styleSheets})$`)

function extensionOf(file: string): string {
  return file.slice(file.lastIndexOf('.') + 1)
}

type FoundUse = Pick<Use, 'specifier' | 'names' | 'types'> & { start: number; members?: TokenMember[] }

/** A script, or the part of a file that is a script. */
export interface Script {
  code: string
  /** Its extension determines the language. */
  file: string
  /** Offset in the file. */
  start: number
}

/** Matches a script element. `head` contains the attribute `lang`. */
const scriptElement = /<script\b(?<head>[^>]*)>(?<body>[\s\S]*?)<\/script>/gi
const frontmatter = /^\s*---(?<body>[\s\S]*?)^---/gm
/** Matches a paragraph that begins with `import` or `export`. */
const moduleParagraph = /^(?<body>(?:import|export)\b[^\n]*(?:\n[^\n]*\S[^\n]*)*)/gm

/** The functions that find scripts, by extension. Any other file is a script as a whole. */
const readers: Readonly<Record<string, (code: string, file: string) => Script[]>> = {
  html: (code, file) => scriptsIn(code, file, scriptElement, 'js'),
  htm: (code, file) => scriptsIn(code, file, scriptElement, 'js'),
  vue: (code, file) => scriptsIn(code, file, scriptElement, 'ts'),
  svelte: (code, file) => scriptsIn(code, file, scriptElement, 'ts'),
  astro: (code, file) => [...scriptsIn(code, file, frontmatter, 'ts'), ...scriptsIn(code, file, scriptElement, 'ts')],
  mdx: (code, file) => scriptsIn(withoutExamples(code), file, moduleParagraph, 'jsx'),
  // VitePress and VuePress compile Markdown as Vue components; Docusaurus compiles it as MDX.
  md(code, file) {
    const text = withoutExamples(code)
    const outsideScripts = text.replace(scriptElement, blank)
    return [...scriptsIn(text, file, scriptElement, 'ts'), ...scriptsIn(outsideScripts, file, moduleParagraph, 'jsx')]
  },
}

/** Returns the scripts of a file, or an empty list for a style sheet. */
export function scriptsOf(code: string, file: string): Script[] {
  const extension = extensionOf(file)
  if (STYLE_SHEET.test(extension)) return []
  return readers[extension]?.(code, file) ?? [{ code, file, start: 0 }]
}

/**
 * Returns the parts of a file that are scripts.
 * @param parts matches each part as group `body`, and the element's attributes as group `head`
 * @param language the language of a part without attribute `lang`
 */
function scriptsIn(source: string, file: string, parts: RegExp, language: string): Script[] {
  return Array.from(source.matchAll(parts), (match) => {
    const { head = '', body = '' } = match.groups ?? {}
    const lang = /\blang=["']?([jt]sx?)\b/.exec(head)?.[1] ?? language
    return { code: body, file: `${file}.${lang}`, start: match.index + match[0].indexOf(body, head.length) }
  })
}

/** Replaces fenced code in Markdown with spaces. */
function withoutExamples(markdown: string): string {
  return markdown.replace(/^[ \t]*(```+|~~~+)[\s\S]*?^[ \t]*\1/gm, blank)
}

/** Replaces everything but line breaks with spaces. */
function blank(code: string): string {
  return code.replace(/[^\n]/g, ' ')
}

function usesIn({ code, file }: Script): FoundUse[] {
  const program = parseCode(code, file)
  // The file is being edited, or uses a dialect that the parser doesn't support.
  if (program === undefined) {
    return [...code.matchAll(/(['"`])(content-space:[^'"`\s$]+)\1/g)].map(({ 2: specifier = '', index }) => ({
      specifier,
      start: index,
    }))
  }
  const uses: FoundUse[] = []
  for (const [node, ancestors] of walk(program, [])) {
    const specifier = specifierOf(node)
    if (specifier?.startsWith('content-space:')) {
      const names = isTypeOnly(node) ? [] : reachableNames(node, ancestors, program)?.toSorted(compareStrings)
      const types = typeNames(node)
      const members = specifier.startsWith('content-space:tokens/') ? tokenMembers(node, program) : []
      uses.push({
        specifier,
        start: node.start,
        ...omitUndefined({ names }),
        ...(types.length > 0 ? { types } : {}),
        ...(members.length > 0 ? { members } : {}),
      })
    }
  }
  return uses
}

/** Returns the specifier of an import, an export or a `require` call. */
export function specifierOf(node: Node): string | undefined {
  return stringOf(sourceOfImport(node))
}

/** Returns the node of the specifier. */
export function sourceOfImport(node: Node): Node | null | undefined {
  if (node.type === 'TSExternalModuleReference') return node.expression
  if (node.type === 'CallExpression')
    return node.callee.type === 'Identifier' && node.callee.name === 'require' ? node.arguments[0] : undefined
  return 'source' in node ? node.source : undefined
}

/** Returns the value of a string literal or a template. Writes parts that are known only at run time as `${…}`. */
function stringOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  // Compilers turn templates into concatenations with `+` or `concat`.
  if (node?.type === 'BinaryExpression' && node.operator === '+') return withRest(stringOf(node.left))
  if (node?.type === 'CallExpression' && node.callee.type === 'MemberExpression')
    return propertyName(node.callee, node.callee.object)?.[0] === 'concat'
      ? withRest(stringOf(node.callee.object))
      : undefined
  if (node?.type !== 'TemplateLiteral') return undefined
  const start = node.quasis[0]?.value.cooked ?? undefined
  return node.expressions.length > 0 ? withRest(start) : start
}

function withRest(start: string | undefined): string | undefined {
  return start?.replace(/(?:\$\{…\})?$/, '${…}')
}

/** Returns whether an import specifies how to read its file: `with { type: 'text' }`. */
export function hasOptions(node: Node): boolean {
  return ('attributes' in node && node.attributes.length > 0) || ('options' in node && Boolean(node.options))
}

/** Returns whether an import or an export names only types. */
export function isTypeOnly(node: Node): boolean {
  return (
    node.type === 'TSImportType' ||
    (node.type === 'ImportDeclaration' && node.importKind === 'type') ||
    ((node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') && node.exportKind === 'type')
  )
}

/**
 * Returns the export names that an import or export refers to only as types: `import type { a }`, `import { type a }`,
 * `import('…').a`. Builds remove them, but type checks fail without them.
 */
function typeNames(node: Node): string[] {
  if (node.type === 'ImportDeclaration') {
    return node.specifiers.flatMap((specifier) => {
      if (specifier.type !== 'ImportSpecifier') return []
      return node.importKind === 'type' || specifier.importKind === 'type' ? [nameOfBinding(specifier.imported)] : []
    })
  }
  if (node.type === 'ExportNamedDeclaration') {
    const types = node.specifiers.filter(({ exportKind }) => node.exportKind === 'type' || exportKind === 'type')
    return types.map(({ local }) => nameOfBinding(local))
  }
  return node.type === 'TSImportType' && node.qualifier ? [firstName(node.qualifier)] : []
}

type Qualifier = NonNullable<Extract<Node, { type: 'TSImportType' }>['qualifier']>

/** Returns `a` in `import('…').a.src`. */
function firstName(qualifier: Qualifier): string {
  return qualifier.type === 'Identifier' ? qualifier.name : firstName(qualifier.left)
}
