import type { Compiler } from 'webpack'
import { separatePlugins } from '../bundlers/pack/late.js'
import type { Options } from '../config/options.js'

const webpack: (options?: Options) => { apply(compiler: Compiler): void } = separatePlugins('webpack')
export { webpack as default, webpack as 'module.exports' }
