import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Compiler } from 'webpack'
import { ownFile } from '../../disk/own-file.js'
import { projectFolder } from '../../disk/project-folder.js'
import type { DevServer } from './dev-server.js'
import type { LoaderOptions } from './loader.js'

/** The settings of Next.js that are read or added here. */
export interface NextConfig {
  basePath?: string
  turbopack?: { resolveAlias?: Record<string, unknown>; rules?: Record<string, unknown>; ignoreIssue?: unknown[] }
  webpack?: ((config: WebpackConfig, context: WebpackContext) => WebpackConfig) | null
  rewrites?: () => Promise<Rewrites>
}

type Rewrites = Rewrite[] | { beforeFiles?: Rewrite[]; afterFiles?: Rewrite[]; fallback?: Rewrite[] }

interface Rewrite {
  source: string
  destination: string
}

interface WebpackConfig {
  plugins: unknown[]
  module: { rules: unknown[] }
}

interface WebpackContext {
  isServer: boolean
  nextRuntime?: string
}

const ownLoader = (): string => ownFile('frameworks/next/loader.js')

/** The file that ids are resolved to, with the id in its query. The loader replaces its text. */
const ENTRY = '.content-space/next.js'

/** Returns the settings of development, in which the loader gets every module from the server. */
export function addForDev(config: NextConfig, root: string, { origin, loader }: DevServer): NextConfig {
  return {
    ...addModules(config, root, new Map(), loader),
    rewrites: async () => {
      const given = (await config.rewrites?.()) ?? []
      const { beforeFiles = [], ...others } = Array.isArray(given) ? { afterFiles: given } : given
      const source = '/__content-space/:path*'
      const destination = `${origin}${config.basePath ?? ''}${source}`
      return { ...others, beforeFiles: [{ source, destination }, ...beforeFiles] }
    },
  }
}

/**
 * Returns the settings of a build, in which ids are resolved to written modules.
 * @param modules absolute paths of modules by specifier
 */
export function addForBuild(config: NextConfig, root: string, modules: ModulePaths): NextConfig {
  const added = addModules(config, root, modules, { hint: 'Add the importing file to option scan.' })
  const ignored = [...(config.turbopack?.ignoreIssue ?? []), avifIssue]
  return { ...added, turbopack: { ...added.turbopack, ignoreIssue: ignored } }
}

/** Turbopack warns that it cannot make a preview of an AVIF picture. No such preview is used. */
const avifIssue = { path: '**/.content-space/next/files/**', title: 'AVIF image not supported' }

/** Returns settings in which every id is an error, for a configuration of which a wrapper keeps no more than data. */
export function addLostError(config: NextConfig, root: string): NextConfig {
  const hint =
    'A wrapper around withContentSpace drops a part of its result. Write withContentSpace around the wrapper.'
  return { turbopack: addToTurbopack(config, root, new Map(), { hint }) }
}

type ModulePaths = ReadonlyMap<string, string>

function addToTurbopack({ turbopack = {} }: NextConfig, root: string, modules: ModulePaths, options: LoaderOptions) {
  projectFolder(root)
  const entry = join(root, ENTRY)
  if (!existsSync(entry)) writeFileSync(entry, '// Replaced by the loader of unplugin-content-space.\n')
  // Turbopack does not resolve absolute paths on Windows.
  const aliases = [...modules].map(([specifier, path]) => [
    specifier,
    `./${relative(root, path).replaceAll('\\', '/')}`,
  ])
  return {
    ...turbopack,
    rules: { ...turbopack.rules, [`**/${ENTRY}`]: { loaders: [{ loader: ownLoader(), options: { ...options } }] } },
    resolveAlias: { ...turbopack.resolveAlias, ...Object.fromEntries(aliases), 'content-space:*': `./${ENTRY}?id=*` },
  }
}

function addModules(config: NextConfig, root: string, modules: ModulePaths, options: LoaderOptions): NextConfig {
  const entry = join(root, ENTRY)
  return {
    turbopack: addToTurbopack(config, root, modules, options),
    webpack(given, context) {
      const result = config.webpack?.(given, context) ?? given
      result.plugins.push(resolvePlugin(entry, modules))
      result.module.rules.push({ include: entry, use: [{ loader: ownLoader(), options }] }, fileRule(root, context))
      return result
    },
  }
}

/** webpack passes requests with an unknown scheme to no resolver and no alias. */
function resolvePlugin(entry: string, modules: ModulePaths): { apply(compiler: Compiler): void } {
  const name = 'content-space'
  return {
    apply: ({ hooks }) =>
      hooks.normalModuleFactory.tap(name, (factory) =>
        factory.hooks.beforeResolve.tap(name, (data) => {
          if (!data.request.startsWith('content-space:')) return
          // An unescaped `!` separates loaders.
          const encoded = encodeURIComponent(data.request.slice('content-space:'.length)).replaceAll('!', '%21')
          data.request = modules.get(data.request) ?? `${entry}?encoded=${encoded}`
        }),
      ),
  }
}

/**
 * Puts files that are not pictures where Next.js serves them, also those of server components. Next.js does this for
 * pictures.
 */
function fileRule(root: string, { isServer, nextRuntime }: WebpackContext): object {
  return {
    include: join(root, '.content-space/next/files/'),
    dependency: 'url',
    type: 'asset/resource',
    generator: {
      filename: 'static/media/[name].[contenthash:8][ext]',
      // From the output of the server to that of the browser.
      ...(isServer ? { outputPath: nextRuntime === 'edge' ? '../' : '../../' } : {}),
    },
  }
}
