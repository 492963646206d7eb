import { createRollupPlugin } from 'unplugin'
import { contentSpace } from '../bundlers/plugin.js'
import { rollupAdapter } from '../bundlers/rollup/rollup.js'

const rollup = createRollupPlugin(contentSpace(rollupAdapter))
export { rollup as default, rollup as 'module.exports' }
