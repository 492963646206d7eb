import { resolve } from 'node:path'
import { rspack } from '@rspack/core'
import webpack from 'webpack'

const [, , bundler, folder] = process.argv
const build = bundler === 'webpack' ? webpack : rspack

build({ mode: 'production', entry: './src/main.js', output: { path: resolve(folder) } }, (error, stats) => {
  if (error) throw error
  if (stats.hasErrors()) throw new Error(stats.toString())
})
