import { stat } from 'node:fs/promises'
import type { ResolvedOptions } from '../../config/options.js'
import { integrityOf } from '../../disk/content.js'
import { readRegularFile } from '../../disk/read-file.js'
import { replaceFile } from '../../disk/replace-file.js'
import { ContentSpaceError } from '../../errors.js'
import { requestToId, type Request } from '../../request/request.js'
import type { SourceMemory } from '../../source/memory.js'
import { scanSources, type Use } from '../../source/scan.js'
import { compareStrings } from '../../text/compare.js'

/**
 * Returns a digest of the imports of the source, as far as declarations depend on them, and of the declarations as they
 * are on disk. Undefined for an invalid import, and without declarations.
 */
export async function digestDeclared(
  uses: readonly Use[],
  types: string,
  parse: (specifier: string) => Request,
): Promise<string | undefined> {
  const text = await readRegularFile(types).catch(() => undefined)
  const imports = text && readImports(uses, parse)
  return imports && integrityOf(JSON.stringify([imports, integrityOf(text)]))
}

/** An import, as far as declarations depend on it. */
type DeclaredImport = [specifier: string, id: string, use: 'whole' | 'named', names: string[] | null]

/** Returns each specifier with the id of its module, which contains what presets and aliases stand for. */
function readImports(uses: readonly Use[], parse: (specifier: string) => Request): DeclaredImport[] | undefined {
  const whole = new Set(
    uses.flatMap(({ specifier, names }) => (names === undefined || names.includes('default') ? [specifier] : [])),
  )
  try {
    return [...new Set(uses.map(({ specifier }) => specifier))].toSorted(compareStrings).map((specifier) => {
      const names = usedNames(specifier, uses)
      const use = whole.has(specifier) ? 'whole' : 'named'
      return [specifier, requestToId(parse(specifier)), use, names ? [...names].toSorted(compareStrings) : null]
    })
  } catch {
    return undefined
  }
}

/**
 * Returns the export names that the source uses of a module, those of types too. Undefined if it may use all: a use
 * without names may be of the type of the whole module.
 */
export function usedNames(specifier: string, uses: readonly Use[]): ReadonlySet<string> | undefined {
  const own = uses
    .filter((use) => use.specifier === specifier)
    .map(({ names, types = [] }) => (names === undefined ? [] : [...names, ...types]))
  return own.some((names) => names.length === 0) ? undefined : new Set(own.flat())
}

/**
 * Returns a text that stays the same while the lockfile and the declarations of locked content would. A bundler that
 * watches asks after each rebuild.
 */
export async function stateOf(
  uses: readonly Use[],
  { options, requests }: { options: ResolvedOptions; requests: () => number },
): Promise<string> {
  const files = [options.lockfile, options.types].filter((path) => path !== false)
  const stats = await Promise.all(files.map((path) => stat(path).catch(() => undefined)))
  const times = stats.map((found) => found && [found.mtimeMs, found.ctimeMs, found.size, found.ino])
  return JSON.stringify([uses, requests(), times])
}

/** Finds the imports of the source. @param memory what earlier builds have found */
export function scanImports({ root, scan }: ResolvedOptions, memory?: SourceMemory): Promise<Use[]> {
  return scanSources(root, scan, memory)
}

/** The text of the declarations, and how many specifiers they declare. */
interface WrittenDeclarations {
  declarations: string
  specifiers: number
}

/** Whether the declarations must be written. A project without imports needs none, but existing ones are updated. */
export async function declarationsAreStale(
  { declarations, specifiers }: WrittenDeclarations,
  path: string | false,
): Promise<boolean> {
  if (path === false) return false
  const before = (await readRegularFile(path).catch(unreadable))?.toString()
  return before !== declarations && (before !== undefined || specifiers > 0)
}

/** A file that this user cannot read is written again, and nothing but a file is ever replaced. */
function unreadable(error: unknown): undefined {
  if (error instanceof ContentSpaceError) throw error
}

/**
 * @returns the path, if the file has changed
 * @throws ContentSpaceError `fileSystem` if it cannot be written
 */
export async function writeDeclarations(imports: WrittenDeclarations, path: string | false): Promise<string[]> {
  if (path === false || !(await declarationsAreStale(imports, path))) return []
  await replaceFile(path, imports.declarations)
  return [path]
}
