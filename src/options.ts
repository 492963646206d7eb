import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import envPaths from 'env-paths'
import { checkOptions } from './check-options.js'
import { readConfig, readEnvironment, type Environment } from './config.js'
import { ContentSpaceError } from './errors.js'
import { affordable } from './open-files.js'
import { canonicalName, parseVersion, type KitReference } from './request.js'
import { readAddress, type Credentials } from './space/credentials.js'

/**
 * What users set, inline or in `content-space.config.*`; inline options win, and the environment fills what is left.
 */
export interface Options {
  /** An `http(s)` address, or the path of a folder (an embedded space). */
  space?: string
  spaceId?: number | string
  token?: string
  /** Aliases: `{ brand: '3BD9…', icons: { kit: '237C…', version: 2 } }` */
  kits?: Record<string, string | { kit: string; version?: number | 'draft' | 'use' }>
  /** Named queries: `{ hero: 'w=640;1280&format=avif;webp' }` */
  presets?: Record<string, string>
  metadata?: 'default' | 'full'
  /** Globs of the sources that are read for specifiers. */
  scan?: string[]
  /** Path of the declarations, or false for none. */
  types?: string | false
  lockfile?: string | false
  cacheDir?: string
  frozen?: boolean
  offline?: boolean
  strict?: boolean
  svg?: 'sanitize' | 'strict' | 'trust'
  /** Where the bundler has no setting of its own. */
  publicPath?: string
  /** Where we name. Default `assets/[name]-[hash][extname]`. */
  assetFileNames?: string
  /** False in server builds whose client build emits the files. */
  emitFiles?: boolean
  /** Seconds between looks at a draft in dev, or false. Default 30. */
  refresh?: false | number
  /** Requests under way at once. Default 32; fewer where the process may have fewer files open. */
  concurrency?: number
  /** Downloads in any rolling window. Default 2000 in 300 s. */
  rateLimit?: { requests: number; seconds: number } | false
  /** Milliseconds without progress after which a request is given up and tried again. Default 30 000. */
  timeout?: number
  /** Allows plain http beyond loopback. */
  insecure?: boolean
  onProgress?: (event: ProgressEvent) => void
}

/** One step of the work. Sizes are bytes. */
export type ProgressEvent =
  | { type: 'kit'; kit: string; version: number; assets: number }
  | { type: 'download'; asset: string; name: string; cut?: string; size: number; done: number; total: number; cached: boolean }
  /**
   * What a pull of a kit has to do: files to write, of which so many have to be downloaded; `reused` ones are right
   * as they are.
   */
  | { type: 'plan'; kit: string; version: number; files: number; bytes: number; downloads: number; reused: number }
  /** A file of a pull is written. `bytes` are those of the originals so far, of `totalBytes`. */
  | { type: 'file'; kit: string; name: string; done: number; total: number; bytes: number; totalBytes: number }
  /** Requests are held back, because the rate of downloads is used up or the service asks to wait. */
  | { type: 'wait'; seconds: number }

/** Options with nothing optional behind them; paths are absolute. */
export interface ResolvedOptions {
  root: string
  mode: string
  /** Where content comes from. Credentials print as `[secret]`. */
  space: { address: URL; credentials: Credentials } | { folder: string }
  kits: ReadonlyMap<string, KitReference>
  presets: Readonly<Record<string, string>>
  /** `metadata: 'full'` */
  full: boolean
  scan: string[]
  types: string | false
  lockfile: string | false
  cacheDir: string
  frozen: boolean
  offline: boolean
  strict: boolean
  svg: 'sanitize' | 'strict' | 'trust'
  publicPath: string | undefined
  assetFileNames: string
  emitFiles: boolean
  refresh: false | number
  concurrency: number
  rateLimit: { requests: number; seconds: number } | false
  timeout: number
  insecure: boolean
  onProgress: (event: ProgressEvent) => void
}

/** Where options are read: paths are relative to `root`, and so are `.env` files and the configuration file. */
export interface Host {
  /** Absolute path of the project. */
  root: string
  /** Picks `.env.<mode>` files. */
  mode: string
  /** Path of the configuration file; default `content-space.config.{ts,js,mjs,json}` where there is one. */
  config?: string
  /** One build, builds as files change, or a dev server, which locks no sha256 of files. Default `build`. */
  command?: 'build' | 'watch' | 'serve'
  /** Folder of the `.env` files, or false for none. Default: `root`. */
  envDir?: string | false
  /** Default `process.env`. */
  env?: Record<string, string | undefined>
}

/** Types a configuration file: `export default defineConfig({ … })`. */
export function defineConfig(options: Options): Options {
  return options
}

/**
 * Completes options: inline ones win over the configuration file, that over the environment, that over defaults.
 * @throws ContentSpaceError `invalidOption` naming the option, and for an unknown one the nearest that exists
 */
export async function resolveOptions(inline: Options, host: Host): Promise<ResolvedOptions> {
  checkOptions(inline, 'the options')
  const { root, mode } = host
  const given = { ...(await readConfig(root, host.config)), ...withoutUndefined(inline) }
  const environment = readEnvironment(host.envDir ?? root, mode, host.env ?? process.env)
  const lockfile = given.lockfile === false ? false : resolve(root, given.lockfile ?? 'content-space.lock.json')
  return {
    root,
    mode,
    space: readSpace(given, environment, root),
    kits: readAliases(given.kits ?? {}),
    presets: given.presets ?? {},
    full: given.metadata === 'full',
    scan: given.scan ?? ['**/*.{js,jsx,cjs,mjs,ts,tsx,cts,mts,vue,svelte,astro,mdx}'],
    types: given.types === false ? false : resolve(root, given.types ?? defaultTypes(root)),
    lockfile,
    cacheDir: cacheDirOf(given, environment, root),
    frozen: given.frozen ?? (environment.ci && lockfile !== false && existsSync(lockfile)),
    offline: given.offline ?? false,
    strict: given.strict ?? false,
    svg: given.svg ?? 'sanitize',
    publicPath: given.publicPath,
    assetFileNames: given.assetFileNames ?? 'assets/[name]-[hash][extname]',
    emitFiles: given.emitFiles ?? true,
    refresh: given.refresh ?? 30,
    concurrency: affordable(given.concurrency ?? 32),
    rateLimit: given.rateLimit ?? { requests: 2000, seconds: 300 },
    timeout: given.timeout ?? 30_000,
    insecure: given.insecure ?? false,
    onProgress: given.onProgress ?? (() => {}),
  }
}

/**
 * The cache folder alone, as `resolveOptions` finds it: it needs no space.
 * @throws ContentSpaceError `invalidOption`
 */
export async function resolveCacheDir(inline: Options, { root, mode, config, envDir = root, env = process.env }: Host): Promise<string> {
  checkOptions(inline, 'the options')
  const given = { ...(await readConfig(root, config)), ...withoutUndefined(inline) }
  return cacheDirOf(given, readEnvironment(envDir, mode, env), root)
}

function cacheDirOf({ cacheDir }: Options, { cache }: Environment, root: string): string {
  return resolve(root, cacheDir ?? cache ?? envPaths('content-space', { suffix: '' }).cache)
}

function withoutUndefined(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

function readSpace(given: Options, environment: Environment, root: string): ResolvedOptions['space'] {
  const space = given.space ?? environment.url
  if (space === undefined) {
    throw new ContentSpaceError('invalidOption', 'Option space is missing.', {
      hint: 'Set it, or CONTENT_SPACE_URL, to the address of a Content Space or to the path of a folder.',
    })
  }
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(space)) return { folder: resolve(root, space) }
  // Credentials in an address belong to it; those of the environment may be another space's.
  const own = given.space !== undefined && URL.canParse(space) && new URL(space).username !== ''
  const spaceId = given.spaceId ?? (own ? undefined : environment.id)
  return readAddress(space, spaceId === undefined ? undefined : String(spaceId), given.token ?? (own ? undefined : environment.token))
}

function readAliases(kits: NonNullable<Options['kits']>): ReadonlyMap<string, KitReference> {
  return new Map(
    Object.entries(kits).map(([alias, value]) => {
      const { kit, version = 'use' } = typeof value === 'string' ? { kit: value } : value
      return [alias, { kit: canonicalName(kit), version: parseVersion(String(version)) ?? 'use' }]
    }),
  )
}

/** In `src/` where there is one, for the usual tsconfig includes that. */
function defaultTypes(root: string): string {
  return existsSync(join(root, 'src')) ? 'src/content-space.d.ts' : 'content-space.d.ts'
}
