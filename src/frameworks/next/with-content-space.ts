import type { Options } from '../../config/options.js'
import { ContentSpaceError } from '../../errors.js'
import { addForBuild, addForDev, addLostError, type NextConfig } from './settings.js'

type NextConfigFunction<Config extends object, Context> = (phase: string, context: Context) => Config | Promise<Config>

/** Adds to a configuration the settings that a phase needs. */
type Add = <Config extends object>(config: Config, phase: string) => Promise<Config>

/** The Next.js phases that build code. Other phases don't need content. */
const phases = { dev: 'phase-development-server', build: ['phase-production-build', 'phase-analyze'] } as const

/**
 * Adds content to a Next.js configuration, for Turbopack and webpack.
 *
 * A build writes the modules of all ids in the source into `.content-space/next` before Next.js starts, because
 * Turbopack resolves only real files. In development, a server of this package makes modules when they are imported,
 * and files when the browser requests them. Both write the declarations, as does `next typegen`.
 * @param nextConfig an object, or a function, which may be asynchronous
 * @param options as in `content-space.config.*`; they override the file and the environment
 * @returns a configuration for `export default`, `module.exports` or another wrapper: an object for an object, and a
 *   function for a function. In a build, Next.js fails with ContentSpaceError if the content is unavailable.
 */
function withContentSpace<Config extends object, Context = unknown>(
  nextConfig: NextConfigFunction<Config, Context>,
  options?: Options,
): (phase: string, context: Context) => Promise<Config>
function withContentSpace<Config extends object>(nextConfig: Config, options?: Options): Config
function withContentSpace(nextConfig: object, options: Options = {}): object {
  const add = addWhenBuilding(process.cwd(), options)
  if (typeof nextConfig !== 'function') return withThen(nextConfig, add)
  const wrapped = async (phase: string, context: unknown): Promise<object> =>
    add(await nextConfig(phase, context), phase)
  // A copy of the properties lacks the function that prepares content, and then Turbopack panics because of the scheme
  // of ids.
  return Object.defineProperty(wrapped, 'turbopack', { enumerable: true, get: throwCopied })
}

function throwCopied(): never {
  throw new ContentSpaceError(
    'invalidOption',
    'A wrapper copies the result of withContentSpace, which is a function because it received a function.',
    { hint: 'Write withContentSpace around the wrapper: export default withContentSpace(withMDX(nextConfig)).' },
  )
}

function addWhenBuilding(root: string, options: Options): Add {
  // Next.js reads the configuration several times per process.
  let dev: ReturnType<typeof startServer> | undefined
  let build: ReturnType<typeof startBuild> | undefined
  return async (config, phase) => {
    const known: NextConfig = config
    if (phase === phases.dev) {
      dev ??= startServer(root, options, known.basePath, 'serve')
      return { ...config, ...addForDev(known, root, await dev) }
    }
    if (!phases.build.some((one) => one === phase)) return config
    build ??= startBuild(root, known, options)
    return { ...config, ...addForBuild(known, root, await build) }
  }
}

/**
 * Returns an object that Next.js awaits, as it awaits every configuration. A wrapper that copies its properties also
 * copies `then`, which adds content to the copy after all wrappers have run.
 */
function withThen(config: object, add: Add): object {
  const phase = phaseOfProcess()
  if (phase === undefined) return config
  return {
    ...config,
    ...addLostError(config, process.cwd()),
    // oxlint-disable-next-line unicorn/no-thenable -- see above
    then(this: { then: unknown }, ...settled: Parameters<Promise<object>['then']>) {
      const { then: _then, ...copied } = this
      return add(copied, phase).then(...settled)
    },
  }
}

/** Returns the phase of this process, because Next.js passes its phase only to functions. */
function phaseOfProcess(): string | undefined {
  const { NODE_ENV, NEXT_PRIVATE_BUILD_WORKER } = process.env
  const isBuild = /^(?:build|typegen|(?:experimental-)?analyze)$/.test(process.argv[2] ?? '')
  if (isBuild || NEXT_PRIVATE_BUILD_WORKER !== undefined) return phases.build[0]
  return NODE_ENV === 'development' ? phases.dev : undefined
}

async function startServer(root: string, options: Options, basePath: string | undefined, command: 'serve' | 'build') {
  const { openServer } = await import('./server.js')
  return openServer(root, `${basePath ?? ''}/`, options, command)
}

async function startBuild(root: string, { basePath }: NextConfig, options: Options) {
  const { prepareBuild } = await import('./build.js')
  const modules = await prepareBuild(root, options, process.argv[2] === 'typegen')
  return { modules, server: await startServer(root, options, basePath, 'build') }
}

// `require` returns the function itself, which is also available as a named property.
const both = Object.assign(withContentSpace, { withContentSpace })
export { both as withContentSpace }
