import type { RequestListener } from 'node:http'
import { consoleLog } from '../print.js'
import type { DevFiles } from './dev-files.js'

/** The part of webpack's and Rspack's dev servers that is reached through the configuration. */
interface DevServer {
  setupMiddlewares?: (middlewares: Middleware[], server: unknown) => Middleware[]
}

type Middleware = { name?: string; middleware: unknown } | RequestListener

interface Compiler {
  options: { devServer?: unknown; output: { publicPath?: unknown } }
}

/**
 * Has the dev server, where its command runs this build, answer for our files.
 * Its command line sets a variable; a dev server made in code is not recognised, and gets files like any watching
 * build.
 * @returns whether there is one
 */
export function serveFiles(compiler: Compiler, files: DevFiles): boolean {
  const { WEBPACK_SERVE, RSPACK_SERVE } = process.env
  if (WEBPACK_SERVE !== 'true' && RSPACK_SERVE !== 'true') return false
  const configured: unknown = compiler.options.devServer
  if (configured === false) return false
  const server: DevServer = isServer(configured) ? configured : {}
  const { setupMiddlewares } = server
  const { publicPath } = compiler.options.output
  files.serveFrom({ base: typeof publicPath === 'string' && publicPath.startsWith('/') ? publicPath : '/', origin: '' })
  server.setupMiddlewares = (middlewares, instance) => {
    const all = setupMiddlewares?.(middlewares, instance) ?? middlewares
    // behind the check of the host, before what answers any path with a page
    const at = all.findIndex((entry) => 'middleware' in entry && entry.name === 'webpack-dev-middleware')
    const ours = { name: 'content-space', middleware: files.middleware((error) => consoleLog.error(error.message)) }
    return all.toSpliced(at === -1 ? all.length : at, 0, ours)
  }
  compiler.options.devServer = server
  return true
}

function isServer(value: unknown): value is DevServer {
  return typeof value === 'object' && value !== null
}
