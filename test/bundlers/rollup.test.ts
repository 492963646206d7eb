import { rollupDriver } from './drivers/rollup.js'
import { suite } from './suite.js'

suite(rollupDriver)
