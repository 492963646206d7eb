import { createVitePlugin } from 'unplugin'
import { contentSpace } from './bundlers/plugin.js'
import { viteFamily } from './bundlers/vite.js'

const vite = createVitePlugin(contentSpace(viteFamily))
export { vite as default, vite as 'module.exports' }
