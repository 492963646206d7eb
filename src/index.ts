export type * from './asset.js'
export { unplugin as default, unplugin } from './bundlers/unplugin.js'
export { ContentSpaceError, type ErrorCode, type ErrorFacts } from './errors.js'
export {
  createImporter,
  type Diff,
  type DiffEntry,
  type DiffRequest,
  type DiffSide,
  type Importer,
  type PulledKit,
  type PullOptions,
  type PullReport,
  type Summary,
  type SyncReport,
} from './importer.js'
export { defineConfig, type Options } from './config/options.js'
export type { ProgressEvent } from './progress.js'
