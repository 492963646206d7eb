import { createRspackPlugin } from 'unplugin'
import { contentSpace } from './bundlers/plugin.js'
import { rspackFamily } from './bundlers/webpack.js'

const rspack = createRspackPlugin(contentSpace(rspackFamily))
export { rspack as default, rspack as 'module.exports' }
