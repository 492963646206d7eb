import { existsSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { Compiler } from 'webpack'
import { ownFile } from '../../disk/own-file.js'
import { projectFolder } from '../../disk/project-folder.js'
import { insertLoaders } from '../../bundlers/markup/pack-rules.js'
import type { LoaderOptions } from './loader.js'
import type { Server } from './server.js'
import { replaceInSheet } from './requests.js'
import { exceptFiles, withLoader } from './turbopack-rules.js'

/** The Next.js settings that are read or changed here. */
export interface NextConfig {
  basePath?: string
  turbopack?: { resolveAlias?: Record<string, unknown>; rules?: Record<string, unknown>; ignoreIssue?: unknown[] }
  webpack?: ((config: WebpackConfig, context: WebpackContext) => WebpackConfig) | null
  rewrites?: () => Promise<Rewrites>
  compiler?: { runAfterProductionCompile?: (build: Output) => Promise<void> }
}

interface Output {
  projectDir: string
  distDir: string
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

/** The folder for files that modules and style sheets of a build refer to. */
const FILES = '.content-space/next/files/'

/** Matches a request for one of these files from a style sheet or from a Next.js entry. */
const IN_FILES = /^[^!]*[\\/]\.content-space[\\/]next[\\/]files[\\/]/

/** Matches Next.js loaders that resolve addresses in style sheets. */
const SHEET_LOADER = /(?:^|[\\/])(?:lightning)?css-loader(?:[\\/]|$)/

/** Returns the settings for development, where the loader gets every module from the server. */
export function addForDev(config: NextConfig, root: string, { origin, loader }: Server): NextConfig {
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

/** The absolute paths of modules by specifier, and the server that replaces ids in style sheets. */
interface Build {
  modules: ModulePaths
  server: Server
}

/** Returns the settings for a build, where ids are resolved to written modules. */
export function addForBuild(config: NextConfig, root: string, { modules, server }: Build): NextConfig {
  const options = { ...server.loader, hint: 'Add the importing file to option scan.' }
  const rules = exceptFiles(config.turbopack?.rules, FILES)
  const added = addModules({ ...config, turbopack: { ...config.turbopack, rules } }, root, modules, options)
  const ignored = [...(config.turbopack?.ignoreIssue ?? []), avifIssue]
  const { compiler } = config
  return {
    ...added,
    turbopack: { ...added.turbopack, ignoreIssue: ignored },
    compiler: {
      ...compiler,
      // Needed because Turbopack doesn't have plugins that could check its output.
      async runAfterProductionCompile(build) {
        await compiler?.runAfterProductionCompile?.(build)
        await server.warnOfTexts(resolve(build.projectDir, build.distDir))
      },
    },
  }
}

/** Ignores Turbopack's warning that it can't make a preview of an AVIF picture, because the preview isn't used. */
const avifIssue = { path: `**/${FILES}**`, title: 'AVIF image not supported' }

/**
 * Returns settings that make every id an error, for a wrapper that copies only the plain properties of a configuration.
 */
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
  // Turbopack doesn't resolve absolute paths on Windows.
  const aliases = [...modules].map(([specifier, path]) => [
    specifier,
    `./${relative(root, path).replaceAll('\\', '/')}`,
  ])
  return {
    ...turbopack,
    rules: {
      ...withLoader(turbopack.rules, '*.css', /content-space:/, { loader: ownLoader(), options: { ...options } }),
      [`**/${ENTRY}`]: { loaders: [{ loader: ownLoader(), options: { ...options } }] },
    },
    resolveAlias: { ...turbopack.resolveAlias, ...Object.fromEntries(aliases), 'content-space:*': `./${ENTRY}?id=*` },
  }
}

function addModules(config: NextConfig, root: string, modules: ModulePaths, options: LoaderOptions): NextConfig {
  const entry = join(root, ENTRY)
  return {
    turbopack: addToTurbopack(config, root, modules, options),
    webpack(given, context) {
      const result = config.webpack?.(given, context) ?? given
      result.plugins.push(resolvePlugin(root, modules))
      insertLoaders(result.module.rules, ownFile('bundlers/pack/loader.js'), [
        {
          loader: SHEET_LOADER,
          replace: (code, sheet, loader) => {
            loader.cacheable(false)
            return replaceInSheet(code, sheet, options, (file) => loader.addDependency(file))
          },
        },
      ])
      result.module.rules.push({ include: entry, use: [{ loader: ownLoader(), options }] }, fileRule(root, context))
      return result
    },
  }
}

/**
 * Resolves ids, because webpack doesn't pass requests with an unknown scheme to resolvers and aliases. Also prevents
 * loaders of other rules from processing our files.
 */
function resolvePlugin(root: string, modules: ModulePaths): { apply(compiler: Compiler): void } {
  const name = 'content-space'
  const entry = join(root, ENTRY)
  const written = new Set(modules.values())
  return {
    apply: ({ hooks }) =>
      hooks.normalModuleFactory.tap(name, (factory) =>
        factory.hooks.beforeResolve.tap(name, (data) => {
          const isOwn = written.has(data.contextInfo.issuer) && data.request.startsWith('./files/')
          if (isOwn || IN_FILES.test(data.request)) data.request = `!${data.request}`
          if (!data.request.startsWith('content-space:')) return
          // An unescaped `!` separates loaders.
          const encoded = encodeURIComponent(data.request.slice('content-space:'.length)).replaceAll('!', '%21')
          data.request = modules.get(data.request) ?? `${entry}?encoded=${encoded}`
        }),
      ),
  }
}

/** Puts files where Next.js serves them, even files of server components. */
function fileRule(root: string, { isServer, nextRuntime }: WebpackContext): object {
  return {
    include: join(root, FILES),
    type: 'asset/resource',
    generator: {
      filename: 'static/media/[name].[contenthash:8][ext]',
      // The path from the server's output to the browser's output.
      ...(isServer ? { outputPath: nextRuntime === 'edge' ? '../' : '../../' } : {}),
    },
  }
}
