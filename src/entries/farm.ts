import { createFarmPlugin } from 'unplugin'
import { contentSpace } from '../bundlers/plugin.js'
import { farmAdapter, onlyForIds } from '../bundlers/farm/farm.js'

const farm = onlyForIds(createFarmPlugin(contentSpace(farmAdapter)))
export { farm as default, farm as 'module.exports' }
