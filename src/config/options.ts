import type { ProgressEvent } from '../progress.js'
import type { KitReference } from '../request/request.js'
import type { SpaceLocation } from '../space/open.js'

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

/** Options with nothing optional behind them; paths are absolute. */
export interface ResolvedOptions {
  root: string
  mode: string
  /** Where content comes from. Credentials print as `[secret]`. */
  space: SpaceLocation
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
