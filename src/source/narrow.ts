import type { SourceMap } from 'magic-string'
import * as v from 'valibot'
import { noDerived, type Derived } from '../disk/derived.js'
import type { NarrowImport } from './narrow-imports.js'

/** Returns the members of an export that the import uses, or undefined if it may use all members. */
export type MembersOf = (exported: string) => string[] | undefined

export interface Used {
  names: string[]
  membersOf: MembersOf
  /** Whether an import may also use the whole module. */
  isWhole?: boolean
}

/**
 * Replaces the specifiers of imports if all export names that they can reach are known.
 *
 * Leaves other imports unchanged, so they get the whole module, which is slower but always correct. The same applies to
 * all imports of a file that can't be parsed.
 *
 * @param replace receives a content specifier, the names that it must export, and a function that returns the used
 *   members of an export; returns the new specifier, or undefined to keep the old one
 * @param derived stores the imports found in code, so that the parser is loaded only for new code
 * @returns undefined if nothing was replaced
 */
export async function narrow(
  code: string,
  file: string,
  replace: (specifier: string, names: string[], members: MembersOf) => Promise<string | undefined> | string | undefined,
  derived: Derived = noDerived,
): Promise<{ code: string; map: SourceMap } | undefined> {
  const edits: { start: number; end: number; replacement: string }[] = []
  await Promise.all(
    (await importsOf(code, file, derived)).map(async ({ specifier, names, members }) => {
      const membersOf: MembersOf = (exported) => members.find(([name]) => name === exported)?.[1]
      const replacement = names && (await replace(specifier.value, names, membersOf))
      if (replacement !== undefined) edits.push({ ...specifier, replacement })
    }),
  )
  if (edits.length === 0) return undefined
  const { MagicString } = await import('magic-string')
  const text = new MagicString(code)
  for (const { start, end, replacement } of edits) text.update(start, end, JSON.stringify(replacement))
  const map = text.generateMap({ source: file, hires: 'boundary', includeContent: true })
  return { code: text.toString(), map }
}

/**
 * Returns the exports that all imports of a specifier in a file use, for a bundler that resolves a specifier only once
 * per file.
 * @returns undefined if the uses are unknown, or if the file can't be parsed
 */
export async function usedNames(
  specifier: string,
  code: string,
  file: string,
  derived: Derived,
): Promise<Used | undefined> {
  // A bundler also resolves specifiers within expressions: `import(night ? 'content-space:…' : 'content-space:…')`.
  const imports = (await importsOf(code, file, derived)).filter((one) =>
    one.names ? one.specifier.value === specifier : specifier.startsWith(one.specifier.value),
  )
  if (imports.length === 0) return undefined
  return {
    isWhole: imports.some(({ names }) => names === undefined),
    names: [...new Set(imports.flatMap(({ names = [] }) => names))].toSorted(),
    membersOf(exported) {
      const using = imports.filter(({ names }) => names?.includes(exported))
      const members = using.map((one) => one.members.find(([name]) => name === exported)?.[1])
      return members.every((some) => some !== undefined) ? [...new Set(members.flat())] : undefined
    },
  }
}

async function importsOf(code: string, file: string, derived: Derived): Promise<NarrowImport[]> {
  const read = async () => (await import('./narrow-imports.js')).narrowImports(code, file)
  return derived.get(importsIn(code), [file, code], read)
}

const offset = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const narrowImports = v.array(
  v.object({
    specifier: v.object({ value: v.pipe(v.string(), v.startsWith('content-space:')), start: offset, end: offset }),
    names: v.exactOptional(v.array(v.string())),
    members: v.array(v.tuple([v.string(), v.array(v.string())])),
  }),
)

/** Returns the kind of derived value for the imports in code. Its inputs are the file and the code. */
function importsIn(code: string) {
  // Replace only text that really is the specifier, because someone may have changed the cache.
  const isWritten = ({ names, specifier: { value, start, end } }: NarrowImport): boolean =>
    names === undefined || [`'${value}'`, `"${value}"`].includes(code.slice(start, end))
  return { name: 'imports', schema: v.pipe(narrowImports, v.everyItem(isWritten)) }
}
