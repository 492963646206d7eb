import type { KitSummary, KnownKit } from './asset.js'
import type { AppIconsOptions, AppIconsReport } from './commands/app-icons/run.js'
import type { AuditOptions, AuditReport } from './commands/shared/findings/report.js'
import type { ProjectUsage } from './commands/usage/report.js'
import type { MergeUsageOptions, MergeUsageReport, UsageOptions } from './commands/usage/run.js'
import type { DiffOptions } from './commands/shared/changes/diff.js'
import type { Diff } from './commands/shared/changes/report.js'
import { readKit, readKits, readVersions, refresh, type CallOptions } from './commands/shared/kits.js'
import type { MirrorOptions, MirrorReport } from './commands/mirror/run.js'
import type { PullOptions } from './commands/pull/options.js'
import type { PullReport } from './commands/pull/run.js'
import { sync, type SyncReport } from './commands/shared/sync.js'
import type { TokensOptions, TokensReport } from './commands/tokens/run.js'
import type { Host, Options } from './config/options.js'
import { abortSignal, checkEach, flag } from './config/validate.js'
import type { SyncOptions } from './engine/sync/sync.js'
import { openEngine, type Engine } from './engine/engine.js'
import { ContentSpaceError } from './errors.js'
import type { UpdateOptions } from './lock/recorder.js'
import type { KitVersion } from './space/space.js'

/** Reads a space and writes its content into a project. `createImporter` returns one. */
export interface Importer {
  /**
   * Lists all kits of the space.
   * @throws ContentSpaceError any error of the space; `aborted`, as for every method that takes a signal;
   *   `invalidOption` for wrong options, as for every method that takes options
   */
  kits(call?: CallOptions): Promise<KitSummary[]>
  /**
   * Loads a kit with its sections and the metadata of its assets, in display order. Doesn't download files.
   * @param id a kit as in `content-space:kit/<kit>`: an alias, uuid or slug, with an optional `@<version>`
   * @throws ContentSpaceError `invalidId`, `kitNotFound`, `versionNotFound`, `aborted`
   */
  kit(id: string, call?: CallOptions): Promise<KnownKit>
  /**
   * Lists the versions of a kit by number. The draft, version 0, comes first.
   * @param id as for `kit`
   * @throws ContentSpaceError any error of `kit`
   */
  versions(id: string, call?: CallOptions): Promise<KitVersion[]>
  /**
   * Checks for changes: reloads drafts from the space, and the lockfile from disk.
   * @returns whether any generated module changes
   * @throws ContentSpaceError any error of the space, such as `unreachable`; the loaded content stays in use
   */
  refresh(): Promise<boolean>
  /**
   * Downloads everything the source imports, and writes the lockfile and the declarations, without a bundler.
   * @throws ContentSpaceError `frozen`, `offline` with a list of everything that is missing, `aborted`, and any error
   *   of the space
   */
  sync(call?: SyncOptions): Promise<SyncReport>
  /**
   * Writes kits into a folder: files by section, a module for each file, an index and `manifest.json`. Respects the
   * lockfile, and updates it.
   * @throws ContentSpaceError any error of `kit` or a download; `invalidOption`, `sectionNotFound`, `headingNotFound`,
   *   `assetNotFound`, `ambiguousName`, `fileCutUnavailable`; `fileSystem`, including when a file that wasn't pulled is
   *   in the way; `aborted`
   */
  pull(options: PullOptions): Promise<PullReport>
  /**
   * Compares the lockfile, the declarations and the cache with the source and the space. Writes neither the lockfile
   * nor the declarations. Downloads files that the source uses and the cache lacks, to compare them.
   * @returns all differences, one line each, sorted; empty when everything is up to date
   */
  verify(): Promise<string[]>
  /**
   * Compares the assets of a kit between two versions, or between the lockfile and the space to show what `update`
   * would change. Doesn't write anything, and downloads files only with the option `pictures` or `download`. The
   * current state of the space is loaded once per importer; `refresh` reloads it.
   * @param request default: every kit of the lockfile, from its locked to its current state
   * @returns the assets that were added, removed, renamed or changed, and the lines of the source that would break
   * @throws ContentSpaceError `kitNotFound`, including for a kit that isn't in the lockfile when `from` is missing;
   *   `versionNotFound`, `invalidId`, `invalidOption`, `aborted`, and any error of the space
   */
  diff(request?: DiffOptions): Promise<Diff>
  /**
   * Writes kits as an embedded space: a folder from which builds give identical results without a service or a token.
   * @throws ContentSpaceError `kitNotFound`, `versionNotFound`; `invalidOption`, including for a folder with other
   *   content; any error of the space
   */
  mirror(request: MirrorOptions): Promise<MirrorReport>
  /**
   * Writes a file with the colors and fonts of a kit, if it has changed. Respects the lockfile, and updates it.
   * @throws ContentSpaceError any error of `kit` or a download; `invalidOption`; `fileSystem`, including when a file
   *   that this method didn't write is in the way; `frozen`, `aborted`
   */
  tokens(request: TokensOptions): Promise<TokensReport>
  /**
   * Makes the icons of an application from one SVG, and writes them and the web app manifest into a folder. Respects
   * the lockfile, and updates it.
   * @throws ContentSpaceError any error of `kit` or a download; `invalidId` for an asset that can't become icons;
   *   `invalidQuery`, `invalidOption`; `fileSystem`, including when files that this method didn't write are in the way;
   *   `frozen`, `aborted`
   */
  appIcons(request: AppIconsOptions): Promise<AppIconsReport>
  /**
   * Finds kit content that the project uses without importing it. Doesn't send anything about the project. Downloads
   * SVGs that the cache lacks, to compare them, unless `download` is `false`.
   * @throws ContentSpaceError any error of `kit` or a download; `invalidOption` for a path that doesn't exist;
   *   `fileSystem`, `aborted`
   */
  audit(options?: AuditOptions): Promise<AuditReport>
  /**
   * Lists the assets that the project uses, by imports and as copies. Doesn't download SVGs for comparison.
   * @throws ContentSpaceError any error of `kit` or `audit`
   */
  usage(options?: UsageOptions): Promise<ProjectUsage>
  /**
   * Writes a page that combines the usage of several projects: which project uses each asset, where, and in which
   * version.
   * @throws ContentSpaceError `invalidOption` for a file that `usage` didn't create; `fileSystem`, including when a
   *   page that this method didn't write is in the way
   */
  mergeUsage(options: MergeUsageOptions): Promise<MergeUsageReport>
  /** Closes the importer. Pending requests, and later calls, fail with `aborted`. */
  close(): Promise<void>
}

/** Opens an importer. See `createImporter` in `index.ts`. */
export async function createImporter(
  options?: Options,
  host?: Partial<Host>,
  update?: UpdateOptions,
): Promise<Importer> {
  return importerOf(await openEngine(options, host, update))
}

/**
 * Returns the commands of an engine as methods. The first call of most methods loads their code.
 * @internal
 */
export function importerOf(engine: Engine): Importer {
  let isClosed = false
  engine.closers.add(() => (isClosed = true))
  const opened = (): Engine => {
    if (isClosed) throw new ContentSpaceError('aborted', 'The importer was closed.')
    return engine
  }
  /** Checks the options of a call, because callers may not use types. */
  const openedFor = (method: string, call: CallOptions = {}): Engine => {
    checkEach(call, { signal: abortSignal }, method)
    return opened()
  }
  return {
    kits: async (call) => readKits(openedFor('kits', call), call),
    kit: async (id, call) => readKit(openedFor('kit', call), id, call),
    versions: async (id, call) => readVersions(openedFor('versions', call), id, call),
    refresh: async () => refresh(opened()),
    async sync(call = {}) {
      checkEach(call, { signal: abortSignal, prune: flag, convert: flag }, 'sync')
      return sync(opened(), call)
    },
    verify: async () => {
      const { lock, sync: own } = opened()
      // Another process may have written the lockfile since we read it.
      if (!lock.isAsRead()) await refresh(engine)
      return [...(await own.verify()).lines]
    },
    pull: async (request) => (await import('./commands/pull/run.js')).pull(opened(), request),
    diff: async (request) => (await import('./commands/shared/changes/diff.js')).diff(opened(), request),
    mirror: async (request) => (await import('./commands/mirror/run.js')).mirror(opened(), request),
    tokens: async (request) => (await import('./commands/tokens/run.js')).tokens(opened(), request),
    appIcons: async (request) => (await import('./commands/app-icons/run.js')).appIcons(opened(), request),
    audit: async (options) => (await import('./commands/audit/run.js')).audit(opened(), options),
    usage: async (options) => (await import('./commands/usage/run.js')).usage(opened(), options),
    mergeUsage: async (options) => opened() && (await import('./commands/usage/run.js')).mergeUsage(options),
    close: engine.close,
  }
}
