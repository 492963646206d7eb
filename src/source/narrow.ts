import { MagicString, type SourceMap } from 'magic-string'
import { reachableNames, usedMembers } from './reachable-names.js'
import { parse, walk, type Node } from './syntax.js'

/** An import whose reachable export names are known. */
interface NarrowImport {
  specifier: { value: string; start: number; end: number }
  names: string[]
  members: MembersOf
}

/** Returns the members of an export that the import uses. Undefined: it may use all. */
type MembersOf = (exported: string) => string[] | undefined

/**
 * Replaces the specifiers of imports whose reachable export names are all known.
 *
 * Other imports stay as they are and get the whole module, which is slower but always right. So do all imports of a
 * file that does not parse.
 *
 * @param file its extension decides the language
 * @param replace receives a specifier, the names that it must export, and a function that returns the members of such
 *   an export that are used; returns the new specifier, or undefined to keep the old one
 * @returns undefined when nothing was replaced
 */
export function narrow(
  code: string,
  file: string,
  replace: (specifier: string, names: string[], members: MembersOf) => string | undefined,
): { code: string; map: SourceMap } | undefined {
  const program = parse(code, file)
  if (program === undefined) return undefined
  const text = new MagicString(code)
  for (const { specifier, names, members } of narrowImports(program)) {
    const replacement = replace(specifier.value, names.toSorted(), members)
    if (replacement !== undefined) text.update(specifier.start, specifier.end, JSON.stringify(replacement))
  }
  return text.hasChanged()
    ? { code: text.toString(), map: text.generateMap({ source: file, hires: 'boundary', includeContent: true }) }
    : undefined
}

function* narrowImports(program: Node): Generator<NarrowImport> {
  for (const [node, ancestors] of walk(program, [])) {
    if (node.type !== 'ImportDeclaration' && node.type !== 'ExportNamedDeclaration' && node.type !== 'ImportExpression')
      continue
    if (node.source?.type !== 'Literal' || typeof node.source.value !== 'string') continue
    const names = reachableNames(node, ancestors, program)
    if (names === undefined) continue
    yield {
      specifier: { ...node.source, value: node.source.value },
      names: [...new Set(names)],
      members: (exported) => usedMembers(node, exported, program),
    }
  }
}
