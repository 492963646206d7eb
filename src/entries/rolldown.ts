import { createRolldownPlugin } from 'unplugin'
import { contentSpace } from '../bundlers/plugin.js'
import { rollupAdapter } from '../bundlers/rollup/rollup.js'

const rolldown = createRolldownPlugin(contentSpace(rollupAdapter))
export { rolldown as default, rolldown as 'module.exports' }
