import { createRspackPlugin } from 'unplugin'
import { contentSpace } from '../bundlers/plugin.js'
import { onlyFor, rspackAdapter } from '../bundlers/pack/pack.js'

const rspack = onlyFor('rspack', createRspackPlugin(contentSpace(rspackAdapter)))
export { rspack as default, rspack as 'module.exports' }
