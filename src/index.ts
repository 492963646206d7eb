export type * from './asset.js'
export { unplugin as default, unplugin } from './bundlers/unplugin.js'
export { ContentSpaceError, type ErrorCode, type ErrorFacts } from './errors.js'
export type {
  Diff,
  DiffEntry,
  DiffRequest,
  DiffSide,
  Importer,
  PulledKit,
  PullOptions,
  PullReport,
  Summary,
  SyncReport,
} from './importer.js'
export { defineConfig, type Options } from './config/options.js'
export type { ProgressEvent } from './progress.js'

/** Opens an importer. Its code is loaded by the first call, so that bundlers which import the plugins do not wait. */
export const createImporter: typeof import('./importer.js').createImporter = async (...given) => {
  const importer = await import('./importer.js')
  return importer.createImporter(...given)
}
