import type { RequestListener } from 'node:http'
import { consoleLog } from '../print.js'
import { NAME } from './plugin.js'
import type { DevFiles } from './references/dev-files.js'

/** The options of webpack's and Rspack's dev servers that the adapter uses. */
interface DevServerOptions {
  setupMiddlewares?: (middlewares: Middleware[], server: unknown) => Middleware[]
}

type Middleware = { name?: string; middleware: unknown } | RequestListener

interface Compiler {
  options: { devServer?: unknown; output: { publicPath?: unknown } }
}

/**
 * Lets the dev server serve content files, if the command line of a dev server runs this build. The command line sets a
 * variable. A dev server that is started in code cannot be detected: its build emits files, like a build in watch mode.
 * @returns whether a dev server runs this build
 */
export function serveFiles(compiler: Compiler, files: DevFiles): boolean {
  const { WEBPACK_SERVE, RSPACK_SERVE } = process.env
  if (WEBPACK_SERVE !== 'true' && RSPACK_SERVE !== 'true') return false
  const configured: unknown = compiler.options.devServer
  if (configured === false) return false
  const options: DevServerOptions = isObject(configured) ? configured : {}
  const { setupMiddlewares } = options
  const { publicPath } = compiler.options.output
  files.serveFrom({ base: typeof publicPath === 'string' && publicPath.startsWith('/') ? publicPath : '/', origin: '' })
  options.setupMiddlewares = (middlewares, server) => {
    const all = setupMiddlewares?.(middlewares, server) ?? middlewares
    // After the host check, and before the middleware that answers any path with a page.
    const at = all.findIndex((entry) => 'middleware' in entry && entry.name === 'webpack-dev-middleware')
    const added = { name: NAME, middleware: files.middleware((error) => consoleLog.error(error.message)) }
    return all.toSpliced(at === -1 ? all.length : at, 0, added)
  }
  compiler.options.devServer = options
  return true
}

function isObject(value: unknown): value is DevServerOptions {
  return typeof value === 'object' && value !== null
}
