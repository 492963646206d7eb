import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import glob from 'fast-glob'
import { compareStrings } from '../text/compare.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { reachableNames } from './reachable-names.js'
import { parse, walk, type Node } from './syntax.js'

/** A place in the source with the specifier of a `content-space:` module. */
export interface Use {
  /** As written, with the query. */
  specifier: string
  /** Relative to the root, with forward slashes. */
  file: string
  /** From 1. */
  line: number
  /** The export names that it reaches at run time. Empty for imports of types. Absent if it may reach all exports. */
  names?: string[]
}

/** Code of packages, output, and declarations, which contain the specifiers of all modules without using them. */
const ignored = ['**/node_modules/**', '**/{dist,build,out,coverage}/**', '**/*.d.{ts,mts,cts}']

/**
 * Finds every use of a `content-space:` module in a project. Skips output (`dist`, `build`, `out`, `coverage`),
 * `node_modules`, declaration files, and folders whose name begins with a dot.
 * @param globs option `scan`, relative to the root
 * @returns sorted by file and line
 */
export async function scanSources(root: string, globs: readonly string[]): Promise<Use[]> {
  const files = await glob([...globs], { cwd: root, ignore: ignored, followSymbolicLinks: false })
  const found: Use[] = []
  for (const file of files.toSorted(compareStrings)) {
    // An editor that saves a file may remove it for a moment.
    const code = await readFile(join(root, file), 'utf8').catch(() => '')
    found.push(...scanSource(code, file))
  }
  return found
}

/** Returns the uses in a file, in the order of its lines. Of components and MDX, only scripts are read. */
export function scanSource(code: string, file: string): Use[] {
  if (!code.includes('content-space:')) return []
  return scriptsOf(code, file).flatMap((script) => {
    const uses = usesIn(script.code, `${file}${script.extension}`)
    return uses.map(({ start, ...use }) => ({ ...use, file, line: script.code.slice(0, start).split('\n').length }))
  })
}

/** Scripts in components, by extension: `body` is the code, and attribute `lang` in `head` its language. */
const components: Record<string, RegExp[]> = {
  vue: [/<script\b(?<head>[^>]*)>(?<body>[\s\S]*?)<\/script>/gi],
  svelte: [/<script\b(?<head>[^>]*)>(?<body>[\s\S]*?)<\/script>/gi],
  astro: [/^\s*---(?<body>[\s\S]*?)^---/gm, /<script\b(?<head>[^>]*)>(?<body>[\s\S]*?)<\/script>/gi],
  // A paragraph that begins with `import` or `export`. Fenced code is blanked first.
  mdx: [/^(?<body>(?:import|export)\b[^\n]*(?:\n[^\n]*\S[^\n]*)*)/gm],
}

interface Script {
  /** Preceded by spaces, so that offsets and lines are the same as in the file. */
  code: string
  extension: string
}

function scriptsOf(source: string, file: string): Script[] {
  const extension = file.slice(file.lastIndexOf('.') + 1)
  const patterns = components[extension]
  if (patterns === undefined) return [{ code: source, extension: '' }]
  const text = extension === 'mdx' ? source.replace(/^(```+|~~~+)[\s\S]*?^\1/gm, blank) : source
  return patterns.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((match) => {
      const { head = '', body = '' } = match.groups ?? {}
      const start = match.index + match[0].indexOf(body, head.length)
      const lang = /\blang=["']?([jt]sx?)\b/.exec(head)?.[1] ?? (extension === 'mdx' ? 'jsx' : 'ts')
      return { code: blank(text.slice(0, start)) + body, extension: `.${lang}` }
    }),
  )
}

/** Replaces everything but line breaks with spaces. */
function blank(code: string): string {
  return code.replace(/[^\n]/g, ' ')
}

type UseInScript = Pick<Use, 'specifier' | 'names'> & { start: number }

function usesIn(code: string, file: string): UseInScript[] {
  const program = parse(code, file)
  // The file is being edited, or in a dialect that the parser does not support.
  if (program === undefined) {
    return [...code.matchAll(/(['"`])(content-space:[^'"`\s$]+)\1/g)].map(({ 2: specifier = '', index }) => ({
      specifier,
      start: index,
    }))
  }
  const uses: UseInScript[] = []
  for (const [node, ancestors] of walk(program, [])) {
    const specifier = specifierOf(node)
    if (specifier?.startsWith('content-space:')) {
      const names = namesOf(node, ancestors, program)
      uses.push(omitUndefined({ specifier, start: node.start, names }))
    }
  }
  return uses
}

function specifierOf(node: Node): string | undefined {
  if (node.type === 'TSExternalModuleReference') return stringOf(node.expression)
  if (node.type === 'CallExpression') {
    return node.callee.type === 'Identifier' && node.callee.name === 'require' ? stringOf(node.arguments[0]) : undefined
  }
  const importing =
    node.type === 'ImportDeclaration' || node.type === 'ImportExpression' || node.type === 'TSImportType'
  const exporting = node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration'
  return importing || exporting ? stringOf(node.source) : undefined
}

/** The value of a string literal, or of a template without expressions. */
function stringOf(node: Node | null | undefined): string | undefined {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return undefined
  return node.quasis[0]?.value.cooked ?? undefined
}

function namesOf(node: Node, ancestors: Node[], program: Node): string[] | undefined {
  const isTypeOnly =
    node.type === 'TSImportType' ||
    (node.type === 'ImportDeclaration' && node.importKind === 'type') ||
    ((node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') && node.exportKind === 'type')
  if (isTypeOnly) return []
  if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration' && node.type !== 'ImportExpression')
    return undefined
  return reachableNames(node, ancestors, program)?.toSorted(compareStrings)
}
