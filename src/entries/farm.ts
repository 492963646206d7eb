import { latePlugins } from '../bundlers/farm/late.js'

const farm = latePlugins(async () => (await import('../bundlers/farm/farm.js')).farm)
export { farm as default, farm as 'module.exports' }
