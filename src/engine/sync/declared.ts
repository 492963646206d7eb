import * as v from 'valibot'
import { attempt } from '../../async/attempt.js'
import type { ResolvedOptions } from '../../config/options.js'
import { integrityOf } from '../../disk/content.js'
import { readRegularFile } from '../../disk/read-file.js'
import { replaceFile } from '../../disk/replace-file.js'
import { statsOf } from '../../disk/stats.js'
import { ContentSpaceError } from '../../errors.js'
import type { LockSession } from '../../lock/session.js'
import type { BuildStats } from '../../progress.js'
import { requestToId, type Request } from '../../request/request.js'
import type { Use } from '../../source/use.js'
import { compareStrings } from '../../text/compare.js'
import { groupBy } from '../../text/group-by.js'

/** The hash (`sha256-…`) of the declarations. Inputs: `declaredImports`. */
export const declarationsKind = { name: 'declarations', schema: v.string(), locked: true }

/** Returns the hash of the declarations on disk, or undefined if they don't exist or can't be read. */
export async function hashOfDeclarations(types: string): Promise<string | undefined> {
  const bytes = await readRegularFile(types).catch(() => undefined)
  // Hash the bytes, because a large kit has megabytes of declarations. Git may have changed their line ends.
  return bytes && integrityOf(bytes.includes('\r\n') ? bytes.toString().replaceAll('\r\n', '\n') : bytes)
}

/** The parts of an import that affect declarations. */
type DeclaredImport = [specifier: string, id: string, use: 'whole' | 'named', names: string[] | null]

/**
 * Returns the imports of the source, each with the id of its module, with presets and aliases resolved. Returns
 * undefined if an import is invalid.
 */
export function declaredImports(
  uses: readonly Use[],
  parse: (specifier: string) => Request,
): DeclaredImport[] | undefined {
  return attempt(() =>
    usesBySpecifier(uses).map(([specifier, own]) => {
      const names = usedNames(own)
      const use = own.some(isWhole) ? 'whole' : 'named'
      return [specifier, requestToId(parse(specifier)), use, names ? [...names].toSorted(compareStrings) : null]
    }),
  )
}

/** Groups the uses of a source. @returns sorted by specifier */
export function usesBySpecifier(uses: readonly Use[]): [specifier: string, uses: Use[]][] {
  return [...groupBy(uses, ({ specifier }) => specifier)].toSorted(([a], [b]) => compareStrings(a, b))
}

/** Returns whether a use reaches the default export, which contains all assets, or may reach any export. */
export function isWhole({ names }: Use): boolean {
  return names === undefined || names.includes('default')
}

/**
 * Returns the export names that uses of one module reach, including uses in types. Returns undefined if they may reach
 * all exports. A use without names may reach all exports, because its type may be the type of the whole module.
 */
export function usedNames(uses: readonly Use[]): ReadonlySet<string> | undefined {
  const all = uses.map(({ names, types = [] }) => (names === undefined ? [] : [...names, ...types]))
  return all.some((names) => names.length === 0) ? undefined : new Set(all.flat())
}

/**
 * Returns a fingerprint that changes exactly when the lockfile or the declarations would. A watching bundler requests
 * it after each rebuild.
 * @param changes the catalog's change counter before the imports were resolved
 */
export function stateOfDeclared(
  uses: readonly Use[],
  changes: number,
  {
    options,
    lock,
    stats,
  }: { options: ResolvedOptions; lock: Pick<LockSession, 'hasNewUses'>; stats: Pick<BuildStats, 'requests'> },
): string {
  const files = [options.lockfile, options.types].flatMap((path) => (path === false ? [] : statsOf(path)))
  const times = files.map((one) => one && [one.mtimeMs, one.ctimeMs, one.size, one.ino])
  return JSON.stringify([uses, changes, lock.hasNewUses(), stats.requests(), times])
}

/** The text of the declarations, and the number of specifiers in it. */
export interface WrittenDeclarations {
  declarations: string
  specifiers: number
}

/**
 * Returns whether the declarations must be written. A project without imports doesn't need declarations, but existing
 * ones are updated.
 */
export async function declarationsAreStale(
  { declarations, specifiers }: WrittenDeclarations,
  path: string | false,
): Promise<boolean> {
  if (path === false) return false
  const before = (await readRegularFile(path).catch(unreadable))?.toString().replaceAll('\r\n', '\n')
  return before !== declarations && (before !== undefined || specifiers > 0)
}

/**
 * Treats a file that this user can't read as missing, so that it is written again. Rethrows our own error, because only
 * regular files may be replaced.
 */
function unreadable(error: unknown): undefined {
  if (error instanceof ContentSpaceError) throw error
}

/**
 * @returns the path, if the file has changed
 * @throws ContentSpaceError `fileSystem` if the file can't be written
 */
export async function writeDeclarations(imports: WrittenDeclarations, path: string | false): Promise<string[]> {
  if (path === false || !(await declarationsAreStale(imports, path))) return []
  await replaceFile(path, imports.declarations)
  return [path]
}
