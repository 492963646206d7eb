import { createEsbuildPlugin } from 'unplugin'
import { contentSpace } from '../bundlers/plugin.js'
import { esbuildAdapter } from '../bundlers/esbuild/esbuild.js'

const esbuild = createEsbuildPlugin(contentSpace(esbuildAdapter))
export { esbuild as default, esbuild as 'module.exports' }
