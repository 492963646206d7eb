import type { ChosenNames } from '../kit/chosen-names.js'
import type { ProgressEvent } from '../progress.js'
import type { RemoteAddress } from '../remote/address.js'
import type { Signer } from '../remote/signature.js'
import type { Framework } from '../request/frameworks.js'
import type { KitReference } from '../request/request.js'
import type { SpaceLocation } from '../space/open.js'
import type { AuditConfig } from './findings.js'
import type { ResolvedTokenFile } from './token-files.js'

/** The names that a kit of option `kits` gives. */
export interface KitNames extends ChosenNames {
  /** The kit as the option names it: a canonical uuid or a slug. */
  kit: string
}

/** Options with all defaults. Paths are absolute. */
export interface ResolvedOptions {
  /** The folder of the configuration file, or the root of the host if there is no such file. */
  root: string
  mode: string
  /** Where content comes from. Credentials print as `[secret]`. */
  space: SpaceLocation
  kits: ReadonlyMap<string, KitReference>
  /** The names of assets in option `kits`. */
  names: readonly KitNames[]
  presets: Readonly<Record<string, string>>
  tokens: readonly ResolvedTokenFile[]
  /** Returns the framework of `as=component`. Throws `invalidOption` if it is unknown. */
  framework: (this: void) => Framework
  /** `metadata: 'full'` */
  full: boolean
  darkMode: string
  scan: string[]
  types: string | false
  /** Whether the comments of declarations have pictures. */
  previews: boolean
  lockfile: string | false
  cacheDir: string
  frozen: boolean
  offline: boolean
  strict: boolean
  svg: 'sanitize' | 'strict' | 'trust'
  publicPath: string | undefined
  siteUrl: string | undefined
  jestPaths: boolean
  assetFileNames: string
  emitFiles: boolean
  refresh: false | number
  concurrency: number
  rateLimit: { requests: number; seconds: number } | false
  timeout: number
  insecure: boolean
  audit: Required<AuditConfig>
  /** The cache that runners share. Its credentials and its keys are not printed. */
  remote: { address: RemoteAddress; write: boolean; signer: Signer | undefined } | undefined
  /** What a user should know about the files that the options come from. */
  warnings: readonly string[]
  onProgress: (event: ProgressEvent) => void
}
