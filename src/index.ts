export type * from './asset.js'
export { ContentSpaceError, type ErrorCode, type ErrorFacts } from './errors.js'
export { createImporter, type Importer, type Summary } from './importer.js'
export { defineConfig, type Options, type ProgressEvent } from './options.js'
