import { createRollupPlugin } from 'unplugin'
import { contentSpace } from './bundlers/plugin.js'
import { rollupFamily } from './bundlers/rollup.js'

const rollup = createRollupPlugin(contentSpace(rollupFamily))
export { rollup as default, rollup as 'module.exports' }
