import { createRolldownPlugin, createRollupPlugin } from 'unplugin'
import { contentSpace } from '../plugin.js'
import { rollupAdapter } from './rollup.js'

const factory = contentSpace(rollupAdapter)

// The plugins that `late.ts` stands for.
export const rollup = createRollupPlugin(factory)
export const rolldown = createRolldownPlugin(factory)
