import { rolldownDriver } from './drivers/rolldown.js'
import { suite } from './suite.js'

suite(rolldownDriver)
