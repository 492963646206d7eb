import { resolveForJest } from '../frameworks/jest/resolver.js'

export { resolveForJest as default, resolveForJest as 'module.exports' }
