import { createRolldownPlugin, createRollupPlugin } from 'unplugin'
import { contentSpace } from '../plugin.js'
import { rollupAdapter } from './rollup.js'
import { startWith } from './start.js'

const factory = contentSpace(rollupAdapter)

// The plugins that `late-rollup.ts` stands for.
export const rollup = createRollupPlugin(factory)
export const rolldown = createRolldownPlugin(factory)
export const startRollup = startWith(rollup)
export const startRolldown = startWith(rolldown)
