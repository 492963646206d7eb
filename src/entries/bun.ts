import { latePlugin } from '../bundlers/bun/late.js'

const loadBuild = async () => (await import('../bundlers/bun/bun.js')).setUpBuild
/** The plugin for `Bun.build` and, in the runtime, for `Bun.plugin`. `bunfig.toml` can list this module. */
const bun = latePlugin(loadBuild, async () => (await import('../frameworks/register/bun.js')).setUpRuntime)
export { bun as default, bun as 'module.exports' }
