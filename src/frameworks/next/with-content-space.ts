import type { Options } from '../../config/options.js'
import { ContentSpaceError } from '../../errors.js'
import { addForBuild, addForDev, type NextConfig } from './settings.js'

/** A configuration of Next.js: an object, or a function that returns one. */
export type NextConfigInput<Config extends object, Context> =
  | Config
  | ((phase: string, context: Context) => Config | Promise<Config>)

/** The phases of Next.js in which code is built. The others need no content. */
const phases = { dev: 'phase-development-server', build: ['phase-production-build', 'phase-analyze'] }

/**
 * Adds content to a configuration of Next.js, for Turbopack and webpack.
 *
 * A build writes the modules of all ids in the source into `.content-space/next` before Next.js starts, because
 * Turbopack resolves real files only. In development, a server of this package makes modules when they are imported,
 * and files when the browser requests them. The declarations are written in both cases, and by `next typegen`.
 * @param nextConfig an object, or a function, which may be asynchronous
 * @param options as in `content-space.config.*`; they override the file and the environment
 * @returns a configuration for `export default` or `module.exports`. For a build, it rejects with ContentSpaceError if
 *   the content is not available.
 */
function withContentSpace<Config extends object, Context = unknown>(
  nextConfig: NextConfigInput<Config, Context>,
  options: Options = {},
): (phase: string, context: Context) => Promise<Config> {
  const root = process.cwd()
  // Next.js calls the function several times in one process.
  let dev: ReturnType<typeof startDev> | undefined
  let build: ReturnType<typeof startBuild> | undefined
  const wrapped = async (phase: string, context: Context): Promise<Config> => {
    const config = typeof nextConfig === 'function' ? await nextConfig(phase, context) : nextConfig
    const known: NextConfig = config
    if (phase === phases.dev) {
      dev ??= startDev(root, known, options)
      return { ...config, ...addForDev(known, root, await dev) }
    }
    if (!phases.build.includes(phase)) return config
    build ??= startBuild(root, options)
    return { ...config, ...addForBuild(known, root, await build) }
  }
  // A copy of the properties has no function that prepares content, and Turbopack panics on the scheme of ids.
  return Object.defineProperty(wrapped, 'turbopack', { enumerable: true, get: throwCopied })
}

function throwCopied(): never {
  throw new ContentSpaceError(
    'invalidOption',
    'A wrapper copies the result of withContentSpace, which is a function.',
    {
      hint: 'Write withContentSpace around the wrapper: export default withContentSpace(withMDX(nextConfig)).',
    },
  )
}

async function startDev(root: string, { basePath = '' }: NextConfig, options: Options) {
  const { openDevServer } = await import('./dev-server.js')
  return openDevServer(root, `${basePath}/`, options)
}

async function startBuild(root: string, options: Options) {
  const { prepareBuild } = await import('./build.js')
  return prepareBuild(root, options, process.argv[2] === 'typegen')
}

// A configuration in CommonJS gets the function itself, and may read it from an object as well.
const both = Object.assign(withContentSpace, { withContentSpace })
export { both as withContentSpace }
