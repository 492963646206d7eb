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
  /** Requests under way at once. Default 32. */
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

/** Options with nothing optional behind them; credentials are in `credentials` alone, which prints as `[secret]`. */
export interface ResolvedOptions {
  root: string
}
