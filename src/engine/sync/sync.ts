import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import { attempt } from '../../async/attempt.js'
import type { Catalog } from '../../catalog/catalog.js'
import type { ResolvedOptions } from '../../config/options.js'
import { integrityOf } from '../../disk/content.js'
import type { Derived } from '../../disk/derived.js'
import {
  ContentSpaceError,
  ignoreCodes,
  ignoreOwnErrors,
  messageOf,
  summaryAndHint,
  type ErrorCode,
} from '../../errors.js'
import type { Files } from '../../files/files.js'
import type { LockSession } from '../../lock/session.js'
import { lockedVersion, tableChanges, type VersionChange } from '../../lock/drift.js'
import { listedTable } from '../../lock/table.js'
import type { Described } from '../../modules/declarations.js'
import type { From, Names } from '../../modules/parts.js'
import type { BuildStats } from '../../progress.js'
import { withImportSite } from '../../source/import-site.js'
import { openSources, scanSources, type Use } from '../../source/scan.js'
import { isOffline, missingError } from '../../space/offline.js'
import type { Request } from '../../request/request.js'
import { compareStrings } from '../../text/compare.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { locationsOf } from '../../space/places.js'
import { shortList, versionText } from '../../text/quantities.js'
import {
  declarationsAreStale,
  declarationsKind,
  declaredImports,
  hashOfDeclarations,
  stateOfDeclared,
  writeDeclarations,
  type WrittenDeclarations,
} from './declared.js'
import { checkTokenFiles, writeMissingTokenFiles, writeTokenFiles, type TokenContext } from './token-files.js'
import { frozenError, type Differences } from './frozen.js'
import type { PicturesContext } from './pictures.js'
import { convertAll, fetchAll } from './fetch-files.js'
import type { ImportProblem, ResolvedImports } from './resolve-imports.js'

/** The findings of a sync, and the files that it wrote. */
export interface Synced {
  /** The number of different specifiers in the source. */
  specifiers: number
  /** The number of the service's files that the source uses. */
  files: number
  /** Invalid imports. */
  refusals: Refusal[]
  /** Selectors that now resolve to another version than in the previous lockfile. */
  versions: VersionChange[]
  /** Absolute paths of the files that have changed. */
  written: string[]
  /** With `convert`: how many conversions ran. */
  conversions?: number
}

/** Options of `sync`. */
export interface SyncOptions {
  /** Ends the call: it rejects with `aborted`, and writes nothing more. */
  signal?: AbortSignal | undefined
  /** Whether to drop entries from the lockfile that only builds use, such as content of dependencies. @default false */
  prune?: boolean | undefined
  /** Whether to also make what a build converts, in the local cache and the cache of option `remote`. @default false */
  convert?: boolean | undefined
}

/** An invalid import in the source: an invalid id, or content that the space doesn't have. */
export interface Refusal {
  code: ErrorCode
  specifier: string
  /** The problem, and the next step. */
  reason: string
  /** Where the source imports it. Files are relative to the root; lines and columns start at 1. */
  uses: { file: string; line: number; column?: number }[]
}

/** @internal */
export interface SyncContext extends TokenContext, PicturesContext {
  options: ResolvedOptions
  /** Whether the run is a dev server, which lists the kits so that editors can complete the names of all exports. */
  isServed: boolean
  lock: LockSession
  catalog: Pick<Catalog, 'changes' | 'listed' | 'isListed' | 'nameAgain' | 'nameWarning'>
  files: Pick<Files, 'use' | 'ensure' | 'value'>
  derived: Derived
  stats: Pick<BuildStats, 'warn' | 'requests' | 'conversions'>
  parse: (specifier: string) => Request
  describe: (specifier: string, names: Names, from: From) => Promise<Described>
}

/** @internal */
export type Sync = ReturnType<typeof createSync>

type SourceState = Awaited<ReturnType<typeof readSource>>

/** Errors about the content of a file. `verify` lists them as differences, but any other error ends it. */
const contentErrors: readonly ErrorCode[] = [
  'integrity',
  'contentMismatch',
  'assetNotFound',
  'fileCutUnavailable',
  'conversionFailed',
]

/** Errors of a temporarily unavailable service. A wrong token isn't among them, because it stays wrong. */
const unavailable: readonly ErrorCode[] = ['unreachable', 'serverError', 'rateLimited', 'sourceFailed']

const unchecked = 'Without the service, locked versions were not checked for replaced content.'

async function resolveImports(context: SyncContext, from: From): Promise<ResolvedImports> {
  const { options, derived } = context
  return resolveUses(await scanSources(options.root, options.scan, derived), context, from)
}

/** Resolves the uses. Loads the code on demand, because a build with unchanged content doesn't resolve anything. */
async function resolveUses(
  uses: readonly Use[],
  { describe, lock, options, parse, catalog }: SyncContext,
  from: From,
  unfit?: readonly ContentSpaceError[],
): Promise<ResolvedImports> {
  const [resolving, { recordUses }] = await Promise.all([import('./resolve-imports.js'), import('./scan-uses.js')])
  let resolved = await resolving.resolveImports(uses, describe, from, unfit)
  recordUses(resolved.imports, options.full, lock)
  if (from === 'listing' && lock.settle()) {
    await catalog.nameAgain()
    resolved = await resolving.resolveImports(uses, describe, from, unfit)
    recordUses(resolved.imports, options.full, lock)
  }
  for (const { kind, specifier } of resolved.imports) {
    // The service may restore removed content that the source still names, so keep its kit.
    const request = kind === 'refused' ? attempt(() => parse(specifier), ignoreOwnErrors) : undefined
    if (request && 'kit' in request && request.kit) lock.keepKit(request.kit.kit)
  }
  return resolved
}

/**
 * Reads the source of a project, as a bundler would.
 * @internal
 */
export function createSync(context: SyncContext) {
  const { options, lock, derived, catalog } = context
  const { stats } = context
  const { warn } = stats
  const { root, types, frozen, lockfile } = options
  const renewal = createRenewal(context)
  const warnOfTypes = (error: unknown) => warn(`${relative(root, String(types))} was not written: ${messageOf(error)}`)

  /** Throws an error that lists everything missing, if token files can't be made offline. */
  async function withSource(error: unknown): Promise<never> {
    if (isOffline(error)) await readSource(context, 'lock')
    throw error
  }

  return {
    async sync(this: void, { signal, prune = false, convert = false }: SyncOptions = {}): Promise<Synced> {
      const before = stats.conversions()
      lock.takeOver()
      await lock.forgetSource()
      // Write token files before reading the source, because they are part of it.
      const tokens = frozen ? [] : await writeTokenFiles(context, signal).catch(withSource)
      const state = await readSource(context, frozen ? 'lock' : 'listing')
      signal?.throwIfAborted()
      const error = frozen ? frozenError(await findDifferences(state, context)) : state.failures[0]
      if (error) throw error
      const { specifiers, files } = state.imports
      const refusals = state.imports.refusals.map((problem) => refusalOf(problem, root))
      for (const { message, lines } of state.imports.unclear.map(catalog.nameWarning)) warn(message, lines)
      if (!frozen) lock.dropUnused(prune)
      const report = { specifiers, refusals, files: files.length, versions: lock.versionChanges() }
      const locked = (await lock.save()) && lockfile !== false ? [lockfile] : []
      // A frozen lockfile contains only used content, so leave declarations of all exports unchanged.
      const isKept = (frozen || state.imports.isPartial) && types !== false && existsSync(types)
      const declarations = isKept ? [] : await writeDeclarations(await withPictures(state.imports, context), types)
      const written = [...locked, ...declarations, ...tokens]
      if (!convert) return { ...report, written }
      await convertAll(state.imports, context)
      return { ...report, written, conversions: stats.conversions() - before }
    },
    /** Returns everything that is out of date or invalid, sorted. */
    async verify(this: void): Promise<Differences> {
      const state = await readSource(context, 'listing')
      const { imports } = state
      const refusals = imports.refusals.map((problem) => refusalOf(problem, root))
      const problems = refusals.map(({ specifier, reason, uses }) => `${specifier} (${places(uses)}): ${reason}`)
      const { lines, replaced } = await findDifferences(state, context)
      // Without a listing, we don't know all exports, so we can't compare the declarations.
      const isStale = !imports.isPartial && (await declarationsAreStale(await withPictures(imports, context), types))
      const listed = options.offline ? undefined : await changedVersions(context).catch(ignoreCodes(...unavailable))
      const changed = listed ?? []
      lock.dropUnused()
      const all = new Set([
        ...lines,
        ...problems,
        ...lock.unused(),
        ...(isStale ? [`${relative(root, String(types))} is out of date`] : []),
        ...changed.map(({ difference }) => difference),
      ])
      return {
        lines: [...all].toSorted(compareStrings),
        replaced: [...replaced, ...changed.map(({ kit }) => kit)],
        ...(listed === undefined && locationsOf(options).some((place) => 'address' in place) && { unchecked }),
      }
    },
    /**
     * Writes the files of option `tokens` before a build, because the build may include them.
     * @throws ContentSpaceError `frozen` if a file is out of date; any error of `writeTokenFiles`
     */
    async prepare(this: void): Promise<void> {
      if (frozen) {
        const outdated = await writeMissingTokenFiles(context)
        const error = frozenError({ lines: [...lock.drift(), ...outdated], replaced: replacedIn(lock) })
        if (error) throw error
      } else await writeTokenFiles(context)
    },
    /** Returns an error with all differences between a frozen lockfile and the kits of the source, if any. */
    async frozenError(this: void): Promise<ContentSpaceError | undefined> {
      // Load the kits of the other imports as well, if possible, so that the error is complete.
      const { unlocked = [] } = (await resolveImports(context, 'lock').catch(() => undefined)) ?? {}
      return frozenError({ lines: [...unlocked, ...lock.drift()], replaced: replacedIn(lock) })
    },
    /**
     * Returns an error with everything that the source imports but the cache lacks, or the error that prevented us from
     * finding out. Returns undefined if nothing is missing.
     */
    async missingError(this: void): Promise<unknown> {
      return readSource(context, 'lock').then(
        () => undefined,
        (error: unknown) => error,
      )
    },
    /**
     * Writes the lockfile, declarations and token files after a build. Errors about declarations and token files become
     * warnings.
     * @param changed absolute paths of the files that may have changed since the last call, if known
     */
    async save(this: void, changed?: ReadonlySet<string>): Promise<void> {
      if (!frozen) {
        await writeTokenFiles(context).catch((error: unknown) => warn(messageOf(error)))
        const imports = await renewal.resolve(types, changed).catch(warnOfTypes)
        await lock.save()
        if (imports && types !== false) await renewal.write(imports, types).catch(warnOfTypes)
      }
      // A rebuild needs only what this process knows, so it doesn't write to the cache.
      if (changed === undefined) await derived.save(lock.digest)
    },
  }
}

/** Writes the declarations after builds, unless their inputs are unchanged. */
function createRenewal(context: SyncContext) {
  const { options, derived, parse, catalog, isServed } = context
  const findUses = openSources(options.root, options.scan, derived)
  /** The state of the project when this process last found or made its declarations up to date. */
  let last: string | undefined
  /** The catalog's change counter before the imports were last resolved. */
  let changes = 0

  /** Returns whether all kits of the source are already listed. */
  async function areListed(uses: readonly Use[]): Promise<boolean> {
    for (const { specifier } of uses) {
      const request = attempt(() => parse(specifier), ignoreOwnErrors)
      if (request && 'kit' in request && request.kit && !(await catalog.isListed(request.kit))) return false
    }
    return true
  }

  return {
    /**
     * Resolves the imports if the lockfile or the declarations may need an update. Builds of locked content don't list
     * kits, so they leave the declarations unchanged.
     */
    async resolve(
      path: string | false,
      changed: ReadonlySet<string> | undefined,
    ): Promise<ResolvedImports | undefined> {
      const uses = await findUses(changed)
      changes = catalog.changes()
      const state = stateOfDeclared(uses, changes, context)
      if (last === state) return undefined
      const declared = declaredImports(uses, parse)
      const known = declared && derived.find(declarationsKind, declared)
      const isDeclared = path === false || (known !== undefined && known === (await hashOfDeclarations(path)))
      const isNew = context.lock.hasNewUses()
      if (isDeclared && !isNew) return void (last = state)
      return resolveUses(uses, context, isServed || isNew || (await areListed(uses)) ? 'listing' : 'lock')
    },
    async write(imports: ResolvedImports, path: string): Promise<void> {
      if (imports.missing.length > 0 || (imports.isPartial && existsSync(path))) return
      const written = await withPictures(imports, context)
      await writeDeclarations(written, path)
      last = stateOfDeclared(imports.uses, changes, context)
      const declared = imports.isLocked ? declaredImports(imports.uses, parse) : undefined
      if (declared) derived.keep(declarationsKind, declared, integrityOf(written.declarations))
    },
  }
}

async function readSource(context: SyncContext, from: From) {
  const imports = await resolveImports(context, from)
  const failures = await fetchAll(imports.files, context.files)
  const missing = [...imports.missing, ...failures.filter(isOffline)]
  if (missing.length > 0) {
    const other: unknown[] = await checkTokenFiles(context).catch((error: unknown) => [error])
    throw missingError([...missing, ...other.filter(isOffline)])
  }
  // Report the error about an SVG with several colors at its import, because the import is wrong. No other conversion
  // error here lacks a cause.
  const unfit = failures.filter(({ code, cause }) => code === 'conversionFailed' && cause === undefined)
  const resolved = unfit.length === 0 ? imports : await resolveUses(imports.uses, context, from, unfit)
  const { misplacedIds, unreadableValues } = await import('./refusals.js')
  const unreadable = await unreadableValues(resolved, failures, context)
  return {
    imports: { ...resolved, refusals: [...resolved.refusals, ...unreadable, ...(await misplacedIds(context))] },
    failures: failures.filter((error) => !unfit.includes(error)),
  }
}

/** Lists the locked versions again. @returns how the service has changed their locked content */
async function changedVersions({
  lock,
  catalog,
  options,
}: SyncContext): Promise<{ kit: string; difference: string }[]> {
  const versions = Object.keys(lock.kits()).flatMap((uuid) => {
    const kit = lock.lockedKit(uuid)
    return Object.keys(kit?.versions ?? {}).flatMap((version) => (kit ? [{ uuid, kit, version: Number(version) }] : []))
  })
  const found = versions.map(async ({ uuid, kit, version }) => {
    const table = lock.table(uuid, version)
    if (table === undefined || options.offline) return []
    const named = await catalog.listed(uuid, version)
    if (named === undefined) return []
    const { versionIdentifier } = lockedVersion(kit, version) ?? {}
    const lines = tableChanges(table, listedTable(table, named))
    const what = `kit ${kit.slug} (${versionText(version, versionIdentifier)}) has changed in the service`
    return lines.length === 0 ? [] : [{ kit: kit.slug, difference: `${what}: ${shortList(lines)}` }]
  })
  return (await Promise.all(found)).flat()
}

async function findDifferences({ imports, failures }: SourceState, context: SyncContext): Promise<Differences> {
  const other = failures.find(({ code }) => !contentErrors.includes(code))
  if (other) throw other
  const { lock } = context
  const lines = [
    ...imports.unlocked,
    ...lock.drift(),
    ...(await checkTokenFiles(context).catch(unlockedTokens)),
    ...failures.map(({ summary }) => summary),
  ]
  return { lines, replaced: replacedIn(lock, failures) }
}

/** Returns the line about a token file whose kit isn't locked. */
function unlockedTokens(error: unknown): string[] {
  if (!(error instanceof ContentSpaceError) || error.code !== 'frozen') throw error
  return [`${error.facts.importer}: ${error.summary}`]
}

/** Returns the slugs of kits with replaced files, including kits with a download that doesn't match the lock. */
function replacedIn(lock: SyncContext['lock'], failures: readonly ContentSpaceError[] = []): string[] {
  const assets = failures.flatMap(({ code, facts }) => (code === 'integrity' ? (facts.asset ?? []) : []))
  return [...[...lock.replaced().values()].map(({ slug }) => slug), ...assets.flatMap((one) => lock.kitOf(one) ?? [])]
}

function refusalOf({ specifier, error, uses }: ImportProblem, root: string): Refusal {
  // The error about a file may name another import of the same file.
  const { kit, section, asset, export: exported } = error.facts
  const here = new ContentSpaceError(
    error.code,
    error.summary,
    omitUndefined({ kit, section, asset, export: exported }),
  )
  const placed = uses.map(({ file, line }) => {
    const located = withImportSite(here, { specifier, importer: file, line, root })
    const { facts } = located instanceof ContentSpaceError ? located : here
    return { file, line: facts.line ?? line, ...omitUndefined({ column: facts.column }) }
  })
  return { code: error.code, specifier, reason: summaryAndHint(error), uses: placed }
}

/** Formats places in the source: `src/a.ts:3:8, src/b.ts:1:23` */
export function places(uses: Refusal['uses']): string {
  return uses
    .map(({ file, line, column }) => [file, line, ...(column === undefined ? [] : [column])].join(':'))
    .join(', ')
}

/** Adds the pictures. Loads the code only when declarations are made. */
async function withPictures(imports: ResolvedImports, context: SyncContext): Promise<WrittenDeclarations> {
  const pictures = await import('./pictures.js')
  return pictures.withPictures(imports, context)
}
