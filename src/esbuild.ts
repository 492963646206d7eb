import { createEsbuildPlugin } from 'unplugin'
import { contentSpace } from './bundlers/plugin.js'
import { esbuildFamily } from './bundlers/esbuild.js'

const esbuild = createEsbuildPlugin(contentSpace(esbuildFamily))
export { esbuild as default, esbuild as 'module.exports' }
