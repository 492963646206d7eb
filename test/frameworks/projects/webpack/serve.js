import { rspack } from '@rspack/core'
import { RspackDevServer } from '@rspack/dev-server'
import express from 'express'
import contentSpaceRspack from 'unplugin-content-space/rspack'
import contentSpaceWebpack from 'unplugin-content-space/webpack'
import webpack from 'webpack'
import webpackDevMiddleware from 'webpack-dev-middleware'
import WebpackDevServer from 'webpack-dev-server'
import { server, shared } from './shared.js'

/*
 * Starts a server in code: `node serve.js <name> <port>`. The dev servers' options aren't part of the configurations.
 */
const [name, text] = process.argv.slice(2)
const port = Number(text)
const webpackCompiler = () => webpack({ ...shared, plugins: [contentSpaceWebpack()] })
const servers = {
  webpack: () => new WebpackDevServer({ ...server, port }, webpackCompiler()).start(),
  rspack: () =>
    new RspackDevServer({ ...server, port }, rspack({ ...shared, plugins: [contentSpaceRspack()] })).start(),
  express: () => listen(webpackDevMiddleware(webpackCompiler())),
  // Writes all files to disk, where servers in other processes may serve them.
  disk: () => listen(webpackDevMiddleware(webpackCompiler(), { writeToDisk: true })),
  production: () => listen(express().use('/shop', express.static('dist'))),
}
const listen = (middleware) => express().use(express.static('public')).use(middleware).listen(port, '127.0.0.1')

await servers[name]()
