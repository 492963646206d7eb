import { ownFile } from '../disk/own-file.js'

/** The Jest preset: `preset: 'unplugin-content-space/jest'`. */
const preset = { resolver: ownFile('entries/jest-resolver.js') }
export { preset as default, preset as 'module.exports' }
