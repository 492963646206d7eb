import { webpackDriver } from './drivers/webpack.js'
import { suite } from './suite.js'

suite(webpackDriver)
