import { createFarmPlugin } from 'unplugin'
import { contentSpace } from './bundlers/plugin.js'
import { farmAdapter } from './bundlers/farm.js'

const farm = createFarmPlugin(contentSpace(farmAdapter))
export { farm as default, farm as 'module.exports' }
