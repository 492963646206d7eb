import type { Host, Options } from './config/options.js'
import type { Importer } from './importer.js'
import type { UpdateOptions } from './lock/recorder.js'

export type * from './asset.js'
export { unplugin as default, unplugin } from './bundlers/unplugin.js'
export type { AuditOptions, AuditReport, Finding, Fixes } from './commands/shared/findings/report.js'
export type { AssetUsage, ProjectUsage, UsagePlace } from './commands/usage/report.js'
export type { MergeUsageOptions, MergeUsageReport, UsageOptions } from './commands/usage/run.js'
export type { AuditConfig, FindingKind } from './config/findings.js'
export type { Break } from './commands/shared/changes/breaks.js'
export type { DiffOptions } from './commands/shared/changes/diff.js'
export type { Ground, SmallPicture } from './commands/shared/page/picture.js'
export type { KitEntry, KitsDiff } from './commands/shared/changes/kits.js'
export type {
  CutsSide,
  HeadingSide,
  ItemEntry,
  ItemSide,
  PartEntry,
  PartsDiff,
  PlaceSide,
  SectionSide,
  TokenSide,
} from './commands/shared/changes/parts.js'
export type { Diff, DiffEntry, DiffSide } from './commands/shared/changes/report.js'
export type { ComparedVersions, Release } from './commands/shared/changes/versions.js'
export type { MirrorReport, MirrorOptions } from './commands/mirror/run.js'
export type { MirroredVersion, MissingFile } from './commands/mirror/write-version.js'
export type { FolderReport, PullOptions } from './commands/pull/options.js'
export type { ModuleKind } from './commands/pull/module-kinds.js'
export type { PulledKit, PullReport } from './commands/pull/run.js'
export type { ImportProblem } from './engine/sync/resolve-imports.js'
export type { Place } from './source/misplaced.js'
export type { TokenMember } from './source/token-members.js'
export type { Use } from './source/use.js'
export type { Refusal, Synced, SyncOptions } from './engine/sync/sync.js'
export type { Renamed, RenamedLine } from './commands/shared/rename-imports.js'
export type { SyncReport } from './commands/shared/sync.js'
export type { AppIconsOptions, AppIconsReport } from './commands/app-icons/run.js'
export type { AppIconsQuery } from './request/app-icons.js'
export type { TokensOptions, TokensReport } from './commands/tokens/run.js'
export type { TokenFile, TokenFormat } from './config/token-files.js'
export { defineConfig, type Host, type KitOption, type Options, type ServiceSource } from './config/options.js'
export type { FolderChanges } from './disk/write-folder.js'
export { ContentSpaceError, type ErrorCode, type ErrorDetails, type ErrorFacts, type SourcePlace } from './errors.js'
export type { CallOptions } from './commands/shared/kits.js'
export type { Importer } from './importer.js'
export type { Selection } from './kit/select.js'
export type { LockedVersion } from './lock/schema.js'
export type { VersionChange } from './lock/drift.js'
export type { UpdateOptions } from './lock/recorder.js'
export type { ProgressEvent, Summary } from './progress.js'
export type { Framework } from './request/frameworks.js'
export {
  defineSource,
  type Source,
  type SourceAsset,
  type SourceContext,
  type SourceKit,
} from './space/sources/source.js'
export type { KitVersion } from './space/space.js'

/**
 * Opens an importer. Missing options are read from the configuration file and the environment.
 * @param options as in `content-space.config.*`; they override the file and the environment
 * @param host where the project is; default: the working directory, and `NODE_ENV` or `production` as the mode
 * @param update resolves versions, hashes and, with `rename`, names of the lockfile again, like `content-space update`
 * @throws ContentSpaceError `invalidOption`, `invalidLock`
 */
export async function createImporter(
  options?: Options,
  host?: Partial<Host>,
  update?: UpdateOptions,
): Promise<Importer> {
  // Load its code only with the first call, so that it doesn't slow down bundlers that import the plugins.
  const importer = await import('./importer.js')
  return importer.createImporter(options, host, update)
}
