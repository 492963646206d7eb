import { omitUndefined } from '../text/omit-undefined.js'
import { reachableNames, usedMembers } from './reachable-names.js'
import { parseCode, walk, type Node } from './syntax.js'
import { isTypeOnly } from './uses.js'

/** An import of content, or another string that may be a specifier or the start of one. */
export interface NarrowImport {
  specifier: { value: string; start: number; end: number }
  /** The export names that it can reach. Absent if some are unknown. */
  names?: string[]
  /** The members of exports that the import uses. Leaves out an export if the import may use all its members. */
  members: [exported: string, members: string[]][]
}

/** Returns the imports of content in a file, except type imports. Returns an empty list if the file can't be parsed. */
export function narrowImports(code: string, file: string): NarrowImport[] {
  const program = parseCode(code, file)
  const found: NarrowImport[] = []
  if (program === undefined) return found
  for (const [node, [parent, ...outer]] of walk(program, [])) {
    const value = textOfLiteral(node)
    if (parent === undefined || !value?.startsWith('content-space:') || isTypeOnly(parent)) continue
    const isSource = 'source' in parent && parent.source === node
    const reachable = isSource ? reachableNames(parent, outer, program) : undefined
    const names = reachable && [...new Set(reachable)].toSorted()
    const members = (names ?? []).flatMap((name): NarrowImport['members'] => {
      const used = usedMembers(parent, name, program)
      return used === undefined ? [] : [[name, used]]
    })
    found.push({ specifier: { value, start: node.start, end: node.end }, ...omitUndefined({ names }), members })
  }
  return found
}

function textOfLiteral(node: Node): string | undefined {
  if (node.type === 'TemplateElement') return node.value.cooked ?? undefined
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined
}
