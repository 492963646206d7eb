import { farmDriver } from './drivers/farm.js'
import { suite } from './suite.js'

suite(farmDriver)
