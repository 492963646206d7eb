import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import glob from 'fast-glob'
import type { Node } from 'oxc-parser'
import { compareStrings } from '../text/compare.js'
import { parse, reachableNames, walk } from './narrow.js'

/** One place of the source that names a module of ours. */
export interface Use {
  /** As written, query included. */
  specifier: string
  /** Relative to the root, with forward slashes. */
  file: string
  /** From 1. */
  line: number
  /** The export names that it reaches at run time, none for types; absent: it may reach all of them. */
  names?: string[]
}

/** What others write, and declarations, ours among them: they name every module and use none. */
const ignored = ['**/node_modules/**', '**/{dist,build,out,coverage}/**', '**/*.d.{ts,mts,cts}']

/**
 * Finds every use of a module of ours in a project.
 * Not read are folders that hold output (`dist`, `build`, `out`, `coverage`), `node_modules`, and folders whose name
 * begins with a dot.
 * @param globs option `scan`, relative to the root
 * @returns sorted by file and line
 */
export async function scanSources(root: string, globs: readonly string[]): Promise<Use[]> {
  const files = await glob([...globs], { cwd: root, ignore: ignored, followSymbolicLinks: false })
  const found: Use[] = []
  for (const file of files.toSorted(compareStrings)) {
    // a file can vanish between the listing and the reading, while an editor saves it
    const code = await readFile(join(root, file), 'utf8').catch(() => '')
    found.push(...scanSource(code, file))
  }
  return found
}

/** The uses in one file, in the order of its lines. Markup is read for its scripts alone. */
export function scanSource(code: string, file: string): Use[] {
  if (!code.includes('content-space:')) return []
  return scriptsOf(code, file).flatMap((script) => {
    const uses = usesIn(script.code, `${file}${script.extension}`)
    return uses.map(({ start, ...use }) => ({ ...use, file, line: script.code.slice(0, start).split('\n').length }))
  })
}

/** Where the scripts of each kind of component are; the first group is the text, `lang` names its language. */
const components: Record<string, RegExp[]> = {
  vue: [/<script\b(?<head>[^>]*)>(?<body>[\s\S]*?)<\/script>/gi],
  svelte: [/<script\b(?<head>[^>]*)>(?<body>[\s\S]*?)<\/script>/gi],
  astro: [/^\s*---(?<body>[\s\S]*?)^---/gm, /<script\b(?<head>[^>]*)>(?<body>[\s\S]*?)<\/script>/gi],
  // a paragraph that begins with `import` or `export`; fenced code is blanked first
  mdx: [/^(?<body>(?:import|export)\b[^\n]*(?:\n[^\n]*\S[^\n]*)*)/gm],
}

interface Script {
  /** As long as the file up to its end, so that offsets and lines are the file's. */
  code: string
  extension: string
}

function scriptsOf(source: string, file: string): Script[] {
  const extension = file.slice(file.lastIndexOf('.') + 1)
  const patterns = components[extension]
  if (patterns === undefined) return [{ code: source, extension: '' }]
  const plain = extension === 'mdx' ? source.replace(/^(```+|~~~+)[\s\S]*?^\1/gm, blank) : source
  return patterns.flatMap((pattern) =>
    [...plain.matchAll(pattern)].map((match) => {
      const { head = '', body = '' } = match.groups ?? {}
      const start = match.index + match[0].indexOf(body, head.length)
      const lang = /\blang=["']?([jt]sx?)\b/.exec(head)?.[1] ?? (extension === 'mdx' ? 'jsx' : 'ts')
      return { code: blank(plain.slice(0, start)) + body, extension: `.${lang}` }
    }),
  )
}

function blank(code: string): string {
  return code.replace(/[^\n]/g, ' ')
}

type Found = Pick<Use, 'specifier' | 'names'> & { start: number }

function usesIn(code: string, file: string): Found[] {
  const program = parse(code, file)
  // a file that is being typed in, or of another dialect, still says what it names
  if (program === undefined) {
    return [...code.matchAll(/(['"`])(content-space:[^'"`\s$]+)\1/g)].map(({ 2: specifier = '', index }) => ({
      specifier,
      start: index,
    }))
  }
  const uses: Found[] = []
  for (const [node, ancestors] of walk(program, [])) {
    const specifier = specifierOf(node)
    if (specifier?.startsWith('content-space:')) {
      const names = namesOf(node, ancestors, program)
      uses.push({ specifier, start: node.start, ...(names === undefined ? {} : { names }) })
    }
  }
  return uses
}

function specifierOf(node: Node): string | undefined {
  if (node.type === 'TSExternalModuleReference') return text(node.expression)
  if (node.type === 'CallExpression') {
    return node.callee.type === 'Identifier' && node.callee.name === 'require' ? text(node.arguments[0]) : undefined
  }
  const importing =
    node.type === 'ImportDeclaration' || node.type === 'ImportExpression' || node.type === 'TSImportType'
  const exporting = node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration'
  return importing || exporting ? text(node.source) : undefined
}

function text(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.cooked ?? undefined
}

function namesOf(node: Node, ancestors: Node[], program: Node): string[] | undefined {
  const ofTypes =
    node.type === 'TSImportType' ||
    (node.type === 'ImportDeclaration' && node.importKind === 'type') ||
    ((node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') && node.exportKind === 'type')
  if (ofTypes) return []
  if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration' && node.type !== 'ImportExpression')
    return undefined
  return reachableNames(node, ancestors, program)?.toSorted(compareStrings)
}
