import { fileURLToPath } from 'node:url'

/** The preset of Jest: `preset: 'unplugin-content-space/jest'`. */
const preset = { resolver: fileURLToPath(new URL('jest-resolver.js', import.meta.url)) }
export { preset as default, preset as 'module.exports' }
