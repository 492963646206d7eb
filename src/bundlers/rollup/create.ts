import { createRolldownPlugin, createRollupPlugin } from 'unplugin'
import { contentSpace } from '../plugin.js'
import { rollupAdapter } from './rollup.js'
import { startWith } from './start.js'

const factory = contentSpace(rollupAdapter)

// The real plugins, for which `late-rollup.ts` contains placeholders.
export const rollup = createRollupPlugin(factory)
export const rolldown = createRolldownPlugin(factory)
export const startRollup = startWith(rollup)
export const startRolldown = startWith(rolldown)
