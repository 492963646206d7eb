import { rspackDriver } from './drivers/rspack.js'
import { suite } from './suite.js'

suite(rspackDriver)
