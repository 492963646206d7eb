import { createWebpackPlugin } from 'unplugin'
import { contentSpace } from './bundlers/plugin.js'
import { webpackFamily } from './bundlers/webpack.js'

const webpack = createWebpackPlugin(contentSpace(webpackFamily))
export { webpack as default, webpack as 'module.exports' }
