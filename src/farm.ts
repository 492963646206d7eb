import { createFarmPlugin } from 'unplugin'
import { contentSpace } from './bundlers/plugin.js'
import { farmFamily } from './bundlers/farm.js'

const farm = createFarmPlugin(contentSpace(farmFamily))
export { farm as default, farm as 'module.exports' }
