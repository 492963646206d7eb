import type { RspackCompiler } from 'unplugin'
import { separatePlugins } from '../bundlers/pack/late.js'
import type { Options } from '../config/options.js'

const rspack: (options?: Options) => { apply(compiler: RspackCompiler): void } = separatePlugins('rspack')
export { rspack as default, rspack as 'module.exports' }
