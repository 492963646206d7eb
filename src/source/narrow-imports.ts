import { reachableNames, usedMembers } from './reachable-names.js'
import { parse, walk } from './syntax.js'

/** An import whose reachable export names are known. */
export interface NarrowImport {
  specifier: { value: string; start: number; end: number }
  names: string[]
  /** The members that the import uses of an export. Absent if it may use all. */
  members: [exported: string, members: string[]][]
}

/**
 * Returns the imports of a file whose reachable export names are all known. None, if it does not parse.
 * @param file its extension decides the language
 */
export function narrowImports(code: string, file: string): NarrowImport[] {
  const program = parse(code, file)
  const found: NarrowImport[] = []
  if (program === undefined) return found
  for (const [node, ancestors] of walk(program, [])) {
    if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration' && node.type !== 'ImportExpression')
      continue
    if (node.source?.type !== 'Literal' || typeof node.source.value !== 'string') continue
    const { value, start, end } = node.source
    if (!value.startsWith('content-space:')) continue
    const reachable = reachableNames(node, ancestors, program)
    if (reachable === undefined) continue
    const names = [...new Set(reachable)].toSorted()
    const members = names.flatMap((name): NarrowImport['members'] => {
      const used = usedMembers(node, name, program)
      return used === undefined ? [] : [[name, used]]
    })
    found.push({ specifier: { value, start, end }, names, members })
  }
  return found
}
