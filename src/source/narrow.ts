import { MagicString, type SourceMap } from 'magic-string'
import { noMemory, type SourceMemory } from './memory.js'

/** Returns the members of an export that the import uses. Undefined: it may use all. */
type MembersOf = (exported: string) => string[] | undefined

/**
 * Replaces the specifiers of imports whose reachable export names are all known.
 *
 * Other imports stay as they are and get the whole module, which is slower but always right. So do all imports of a
 * file that does not parse.
 *
 * @param file its extension decides the language
 * @param replace receives a specifier of content, the names that it must export, and a function that returns the
 *   members of such an export that are used; returns the new specifier, or undefined to keep the old one
 * @param memory what earlier builds have found: the parser is loaded only for other texts
 * @returns undefined when nothing was replaced
 */
export async function narrow(
  code: string,
  file: string,
  replace: (specifier: string, names: string[], members: MembersOf) => string | undefined,
  memory: SourceMemory = noMemory,
): Promise<{ code: string; map: SourceMap } | undefined> {
  const read = async () => (await import('./narrow-imports.js')).narrowImports(code, file)
  const edits: { start: number; end: number; replacement: string }[] = []
  for (const { specifier, names, members } of await memory.imports(code, file, read)) {
    const membersOf: MembersOf = (exported) => members.find(([name]) => name === exported)?.[1]
    const replacement = replace(specifier.value, names, membersOf)
    if (replacement !== undefined) edits.push({ ...specifier, replacement })
  }
  if (edits.length === 0) return undefined
  const text = new MagicString(code)
  for (const { start, end, replacement } of edits) text.update(start, end, JSON.stringify(replacement))
  return {
    code: text.toString(),
    map: text.generateMap({ source: file, hires: 'boundary', includeContent: true }),
  }
}
