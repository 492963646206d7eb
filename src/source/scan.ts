import { breathe } from '../async/breathe.js'
import { noDerived, type Derived } from '../disk/derived.js'
import { hasCode } from '../disk/file-error.js'
import { readRegularFileSync } from '../disk/read-file.js'
import { stateOfFile } from '../disk/state.js'
import { ContentSpaceError } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import { findFiles } from './find-files.js'
import { usesKind, type Use } from './use.js'

export type { Use } from './use.js'

/**
 * Finds every use of a `content-space:` module in the source files of a project.
 * @param derived the parser is loaded only for files without a record of their uses
 * @returns sorted by file and line
 * @throws ContentSpaceError `fileSystem` for a file that can't be read
 */
export function scanSources(root: string, globs: readonly string[], derived: Derived = noDerived): Promise<Use[]> {
  return openSources(root, globs, derived)()
}

/**
 * Finds the ids that remain text, because nothing resolves them. The parameters and the order are the same as for
 * `scanSources`.
 */
export function findMisplaced(root: string, globs: readonly string[], derived: Derived = noDerived): Promise<Use[]> {
  return openScan(root, globs, derived, ({ misplaced }) => misplaced !== undefined)()
}

/**
 * Returns a function that returns the result of `scanSources`, for a process that needs it repeatedly. Takes the same
 * parameters.
 */
export function openSources(root: string, globs: readonly string[], derived: Derived) {
  return openScan(root, globs, derived, ({ misplaced }) => misplaced === undefined)
}

/** @param isWanted whether to return a use */
function openScan(root: string, globs: readonly string[], derived: Derived, isWanted: (use: Use) => boolean) {
  /** The source files that were last found, by absolute path. */
  let files = new Map<string, string>()
  const using = new Map<string, readonly Use[]>()
  /** Files that were reported as changed, but that aren't part of the source. */
  const others = new Set<string>()
  let isComplete = false

  /** @param changed absolute paths; only these files and files with uses are checked again. Absent for all files. */
  return async (changed?: ReadonlySet<string>): Promise<Use[]> => {
    const reported = [...(changed ?? [])]
    const isPart = isComplete && changed !== undefined && reported.every((path) => files.has(path) || others.has(path))
    isComplete = false
    if (!isPart) {
      files = new Map([...(await findFiles(root, globs))].map(([file, path]) => [path, file]))
      using.clear()
      for (const path of reported) if (!files.has(path)) others.add(path)
    }
    for (const path of isPart ? new Set([...using.keys(), ...reported]) : files.keys()) {
      const file = files.get(path)
      if (file === undefined) continue
      const uses = knownUses(path, derived) ?? (await usesIn(file, path, derived))
      if (uses.length > 0) using.set(path, uses)
      else using.delete(path)
    }
    isComplete = true
    const found = [...using].map(([path, uses]) => ({ file: files.get(path) ?? path, uses }))
    const sorted = found.toSorted((a, b) => compareStrings(a.file, b.file))
    return sorted.flatMap(({ file, uses }) => uses.filter(isWanted).map((use) => ({ ...use, file })))
  }
}

/**
 * Returns the uses of an unchanged file. Leaves out files with derived uses, because derived values are kept only if
 * they are requested.
 */
function knownUses(path: string, derived: Derived): readonly Use[] | undefined {
  const known = scanned.get(path)
  const isKept = known !== undefined && (known.uses.length === 0 || derived === noDerived)
  return isKept && known.state === stateOfFile(path, Date.now()) ? known.uses : undefined
}

async function usesIn(file: string, path: string, derived: Derived): Promise<readonly Use[]> {
  const readAt = Date.now()
  const code = await readSource(path)
  const make = async () => (await import('./uses.js')).usesOf(code, file)
  const uses = code.includes('content-space:') ? await derived.get(usesKind, [file, code], make) : []
  const state = stateOfFile(path, readAt)
  if (state !== undefined) scanned.set(path, { state, uses })
  return uses
}

/**
 * The uses in files, by path, with the state of each file. Cached because a watching bundler requests the imports after
 * each edit.
 */
const scanned = new Map<string, { state: string; uses: readonly Use[] }>()

/** Reads a file synchronously, which takes a fraction of the time for the short files of a source. */
async function readSource(path: string): Promise<string> {
  await breathe()
  try {
    return readRegularFileSync(path).toString()
  } catch (cause) {
    // An editor may briefly remove a file while saving it.
    if (hasCode(cause, 'ENOENT')) return ''
    throw new ContentSpaceError('fileSystem', `${path} cannot be read.`, { cause, hint: String(cause) })
  }
}
