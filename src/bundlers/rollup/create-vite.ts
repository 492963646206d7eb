import { createVitePlugin } from 'unplugin'
import { contentSpace } from '../plugin.js'
import { startWith } from './start.js'
import { viteAdapter } from './vite.js'

// The plugins that `late-vite.ts` stands for.
export const vite = createVitePlugin(contentSpace(viteAdapter))
export const startVite = startWith(vite)
