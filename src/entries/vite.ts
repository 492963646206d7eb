import { createVitePlugin } from 'unplugin'
import { contentSpace } from '../bundlers/plugin.js'
import { viteAdapter } from '../bundlers/rollup/vite.js'

const vite = createVitePlugin(contentSpace(viteAdapter))
export { vite as default, vite as 'module.exports' }
