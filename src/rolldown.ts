import { createRolldownPlugin } from 'unplugin'
import { contentSpace } from './bundlers/plugin.js'
import { rollupFamily } from './bundlers/rollup.js'

const rolldown = createRolldownPlugin(contentSpace(rollupFamily))
export { rolldown as default, rolldown as 'module.exports' }
