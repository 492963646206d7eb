import type { Host, Options } from './config/options.js'
import type { Importer } from './importer.js'
import type { UpdateOptions } from './lock/recorder.js'

export type * from './asset.js'
export { unplugin as default, unplugin } from './bundlers/unplugin.js'
export type { AuditOptions } from './commands/audit/audit.js'
export type { AuditReport, Finding, Fixes } from './commands/audit/report.js'
export type { AssetUsage, ProjectUsage, UsagePlace } from './commands/usage/report.js'
export type { MergeUsageOptions, MergeUsageReport, UsageOptions } from './commands/usage/usage.js'
export type { AuditConfig, FindingKind } from './config/findings.js'
export type { Break } from './commands/diff/breaks.js'
export type { DiffOptions } from './commands/diff/diff.js'
export type { Ground, SmallPicture } from './commands/page/picture.js'
export type { KitEntry, KitsDiff } from './commands/diff/kits.js'
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
} from './commands/diff/parts.js'
export type { Diff, DiffEntry, DiffSide } from './commands/diff/report.js'
export type { ComparedVersions, Release } from './commands/diff/versions.js'
export type { MirrorReport, MirrorOptions } from './commands/mirror/mirror.js'
export type { MirroredVersion, MissingFile } from './commands/mirror/write-version.js'
export type { FolderReport, PullOptions } from './commands/pull/options.js'
export type { ModuleKind } from './commands/module-kinds.js'
export type { PulledKit, PullReport } from './commands/pull/pull.js'
export type { ImportProblem } from './engine/sync/resolve-imports.js'
export type { Place } from './source/misplaced.js'
export type { TokenMember } from './source/token-members.js'
export type { Use } from './source/use.js'
export type { Refusal, Synced } from './engine/sync/sync.js'
export type { Renamed, RenamedLine } from './commands/rename-imports.js'
export type { SyncOptions, SyncReport } from './commands/sync.js'
export type { AppIconsOptions, AppIconsReport } from './commands/app-icons.js'
export type { AppIconsQuery } from './request/app-icons.js'
export type { TokensOptions, TokensReport } from './commands/tokens/tokens.js'
export type { TokenFile, TokenFormat } from './config/token-files.js'
export { defineConfig, type Host, type KitOption, type Options, type ServiceSource } from './config/options.js'
export type { FolderChanges } from './disk/write-folder.js'
export { ContentSpaceError, type ErrorCode, type ErrorDetails, type ErrorFacts, type SourcePlace } from './errors.js'
export type { CallOptions } from './commands/kits.js'
export type { Importer } from './importer.js'
export type { Selection } from './kit/select.js'
export type { LockedVersion } from './lock/schema.js'
export type { VersionChange } from './lock/drift.js'
export type { UpdateOptions } from './lock/recorder.js'
export type { ProgressEvent, Summary } from './progress.js'
export type { Framework } from './request/frameworks.js'
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
  // Its code is loaded by the first call, so that bundlers which import the plugins do not wait.
  const importer = await import('./importer.js')
  return importer.createImporter(options, host, update)
}
