import { bunPlugin } from '../frameworks/bun.js'

export { bunPlugin as default, bunPlugin as 'module.exports' }
