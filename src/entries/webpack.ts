import { createWebpackPlugin } from 'unplugin'
import { contentSpace } from '../bundlers/plugin.js'
import { onlyFor, webpackAdapter } from '../bundlers/pack/pack.js'

const webpack = onlyFor('webpack', createWebpackPlugin(contentSpace(webpackAdapter)))
export { webpack as default, webpack as 'module.exports' }
