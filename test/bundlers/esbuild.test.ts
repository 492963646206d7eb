import { esbuildDriver } from './drivers/esbuild.js'
import { suite } from './suite.js'

suite(esbuildDriver)
