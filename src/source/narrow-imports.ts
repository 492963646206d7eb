import { omitUndefined } from '../text/omit-undefined.js'
import { reachableNames, usedMembers } from './reachable-names.js'
import { parse, walk } from './syntax.js'
import { isTypeOnly, specifierOf } from './uses.js'

/** An import of content. */
export interface NarrowImport {
  /** The specifier, and where it or its statement is written. */
  specifier: { value: string; start: number; end: number }
  /** The export names that can be reached. Absent if they are not all known, or the specifier is not a plain string. */
  names?: string[]
  /** The members that the import uses of an export. Absent if it may use all. */
  members: [exported: string, members: string[]][]
}

/**
 * Returns the imports of content of a file, without those of types. None, if it does not parse.
 * @param file its extension decides the language
 */
export function narrowImports(code: string, file: string): NarrowImport[] {
  const program = parse(code, file)
  const found: NarrowImport[] = []
  if (program === undefined) return found
  for (const [node, ancestors] of walk(program, [])) {
    const value = specifierOf(node)
    if (!value?.startsWith('content-space:') || isTypeOnly(node)) continue
    const isImport =
      node.type === 'ImportDeclaration' || node.type === 'ExportNamedDeclaration' || node.type === 'ImportExpression'
    const { type, start, end } = (isImport ? node.source : undefined) ?? node
    const reachable = isImport && type === 'Literal' ? reachableNames(node, ancestors, program) : undefined
    const names = reachable && [...new Set(reachable)].toSorted()
    const members = (names ?? []).flatMap((name): NarrowImport['members'] => {
      const used = usedMembers(node, name, program)
      return used === undefined ? [] : [[name, used]]
    })
    found.push({ specifier: { value, start, end }, ...omitUndefined({ names }), members })
  }
  return found
}
