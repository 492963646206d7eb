/*
 * Exports everything that a build needs when a file imports content. Hooks import this module late and all at once,
 * because Node takes longer to find several modules than to load one.
 */

export {
  finish,
  parseImport,
  planAddress,
  planIcons,
  prepare,
  readFile,
  readSmall,
  readValue,
} from '../../engine/build.js'
export { openEngine } from '../../engine/engine.js'
export { createBuildCounts, createWaitListener } from '../../progress.js'
export { frameworkOf } from '../../request/frameworks.js'
export { withPick } from '../../request/pick.js'
export { idToRequest, labelOfId, requestToId } from '../../request/request.js'
export { narrow, usedNames } from '../../source/narrow.js'
export { checkPolicy, invalidReference, readDescriptor, readMarkTarget } from '../references/read-descriptors.js'
export { summaryLines } from './build-report.js'
export { mockedIds } from './mocked-ids.js'
