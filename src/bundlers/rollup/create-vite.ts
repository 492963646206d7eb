import { createVitePlugin } from 'unplugin'
import { contentSpace } from '../plugin.js'
import { startWith } from './start.js'
import { viteAdapter } from './vite.js'

// The real plugins, for which `late-vite.ts` contains placeholders.
export const vite = createVitePlugin(contentSpace(viteAdapter))
export const startVite = startWith(vite)
