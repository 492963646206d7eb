import { viteDriver } from './drivers/vite.js'
import { suite } from './suite.js'

suite(viteDriver)
