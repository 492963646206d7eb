import { mkdir, readFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { ContentSpaceError, type ErrorCode } from '../../errors.js'
import type { Diff } from '../diff/report.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { LockSession, VersionChange } from '../../lock/session.js'
import type { Described } from '../../modules/declarations.js'
import type { ResolvedOptions } from '../../config/options.js'
import { compareStrings } from '../../text/compare.js'
import { resolveImports, type ResolvedImports, type ImportProblem } from './resolve-imports.js'
import { offlineError } from '../../space/offline.js'

/** What `sync` found and did. */
export interface SyncReport {
  /** Specifiers in the source. */
  specifiers: number
  /** Files of the service that the source uses. */
  files: number
  refusals: ImportProblem[]
  /** What versions mean now that they did not mean in the lock. */
  versions: VersionChange[]
  /** Of an update: what has become of the assets of each kit that it looked at. */
  changes?: Diff
  /** Absolute paths of the files that have changed. */
  written: string[]
  warnings: string[]
}

export interface SyncContext {
  options: ResolvedOptions
  memory: Pick<LockSession, 'save' | 'drift' | 'versionChanges'>
  describe: (specifier: string) => Promise<Described>
  /** Makes sure that a file of the service is there. */
  fetch: (file: FileDescriptor) => Promise<unknown>
  warn: (message: string) => void
  warnings: () => string[]
}

/** Reads the source instead of a bundler. */
export interface Sync {
  /** @param signal once it is aborted, nothing is written */
  sync(this: void, signal?: AbortSignal): Promise<SyncReport>
  verify(this: void): Promise<string[]>
  /** Writes what a build has learned. What keeps the declarations from being made is a warning. */
  save(this: void): Promise<void>
  /** Throws `offline` with everything that the source needs and the cache does not have. */
  refuseMissing(this: void): Promise<void>
  /** `frozen`, with every difference from the lock in all kits that the source names; undefined when there is none. */
  refusal(this: void): Promise<ContentSpaceError | undefined>
}

/** The source, and what failed of the files that it uses. */
interface Whole {
  reading: ResolvedImports
  failures: ContentSpaceError[]
}

/** What says of a file that it is not what it was; any other failure says nothing of it. */
const untrue: readonly ErrorCode[] = ['integrity', 'contentMismatch', 'assetNotFound', 'fileCutUnavailable']

export function createSync(context: SyncContext): Sync {
  const { options, memory, describe, fetch, warn } = context
  const { root, types, frozen } = options

  async function typesAreStale({ types: text, specifiers }: ResolvedImports): Promise<boolean> {
    if (types === false) return false
    const before = await readFile(types, 'utf8').catch(() => undefined)
    // a project that imports nothing needs no declarations, and one that no longer does needs them empty
    return before !== text && (before !== undefined || specifiers > 0)
  }

  async function writeTypes(reading: ResolvedImports): Promise<string[]> {
    if (types === false || !(await typesAreStale(reading))) return []
    await mkdir(dirname(types), { recursive: true })
    await writeFileAtomic(types, reading.types)
    return [types]
  }

  /** Reads the source, and makes sure that its files are there. */
  async function readWhole(): Promise<Whole> {
    const reading = await resolveImports(options, describe)
    const failures = failed(await Promise.allSettled(reading.files.map(fetch)))
    const missing = [...reading.missing, ...failures.filter(({ code }) => code === 'offline')]
    if (missing.length > 0) throw missingError(missing)
    return { reading, failures }
  }

  /** How the lock, the declarations and the bytes differ from what is there now. */
  async function differences({ reading, failures }: Whole): Promise<string[]> {
    const other = failures.find(({ code }) => !untrue.includes(code))
    if (other) throw other
    const stale = (await typesAreStale(reading)) ? [staleTypes(options)] : []
    return [...memory.drift(), ...stale, ...failures.map(({ summary }) => summary)]
  }

  async function write(reading: ResolvedImports): Promise<string[]> {
    const locked = (await memory.save()) && options.lockfile !== false ? [options.lockfile] : []
    return [...locked, ...(await writeTypes(reading))]
  }

  return {
    async sync(signal) {
      const whole = await readWhole()
      signal?.throwIfAborted()
      const refusal = frozen ? refuse(await differences(whole)) : whole.failures[0]
      if (refusal) throw refusal
      const { specifiers, refusals, files } = whole.reading
      const report = {
        specifiers,
        refusals,
        files: files.length,
        versions: memory.versionChanges(),
        warnings: context.warnings(),
      }
      return { ...report, written: frozen ? [] : await write(whole.reading) }
    },
    async verify() {
      const whole = await readWhole()
      const refused = whole.reading.refusals.map(
        ({ specifier, reason, uses }) => `${specifier} (${places(uses)}): ${reason}`,
      )
      return [...new Set([...(await differences(whole)), ...refused])].toSorted(compareStrings)
    },
    async refusal() {
      // What the rest of the source names is looked at as far as it can be.
      await resolveImports(options, describe).catch(() => undefined)
      return refuse(memory.drift())
    },
    async save() {
      if (frozen) return
      const reading =
        types === false
          ? undefined
          : await resolveImports(options, describe).catch((error: unknown) => warn(unwritten(root, types, error)))
      await memory.save()
      if (reading?.missing.length === 0) await writeTypes(reading)
    },
    async refuseMissing() {
      await readWhole()
    },
  }
}

/** `src/a.ts:3, src/b.ts:1` */
export function places(uses: ImportProblem['uses']): string {
  return uses.map(({ file, line }) => `${file}:${line}`).join(', ')
}

function refuse(differences: readonly string[]): ContentSpaceError | undefined {
  if (differences.length === 0) return undefined
  return new ContentSpaceError('frozen', 'The lock is frozen, and not what the space and the source say:', {
    lines: [...new Set(differences)].toSorted(compareStrings),
    hint: 'Run `content-space sync` (or `content-space update` for new versions) and commit what it writes.',
  })
}

function staleTypes({ root, types }: ResolvedOptions): string {
  return `${relative(root, String(types))} does not say what the source imports`
}

function unwritten(root: string, types: string, error: unknown): string {
  return `${relative(root, types)} was not written: ${error instanceof Error ? error.message : String(error)}`
}

function failed(results: readonly PromiseSettledResult<unknown>[]): ContentSpaceError[] {
  return results.flatMap((result) => {
    if (result.status === 'fulfilled') return []
    if (result.reason instanceof ContentSpaceError) return [result.reason]
    throw result.reason
  })
}

function missingError(errors: readonly ContentSpaceError[]): ContentSpaceError {
  const lines = [...new Set(errors.map(({ summary }) => summary))].toSorted(compareStrings)
  const [only = ''] = lines
  const said = lines.length === 1 ? { summary: only, lines: [] } : { summary: 'Not in the cache, and offline:', lines }
  return offlineError(said.summary, { lines: said.lines })
}
