import type { ChosenNames } from '../kit/chosen-names.js'
import type { ProgressEvent } from '../progress.js'
import type { RemoteAddress } from '../remote/address.js'
import type { Signer } from '../remote/signature.js'
import type { Framework } from '../request/frameworks.js'
import type { KitReference } from '../request/request.js'
import type { Places } from '../space/places.js'
import type { Source } from '../space/sources/source.js'
import type { AuditConfig } from './findings.js'
import type { ResolvedTokenFile, TokenFile } from './token-files.js'

/**
 * Options of the plugin, the command line and `createImporter`, given inline or in the configuration file
 * `content-space.config.{ts,mts,cts,js,mjs,cjs,json}`. Inline options override the file, and both override the
 * environment. Paths are relative to the folder of the configuration file, or to the root of the bundler without one.
 */
export interface Options {
  // Content.
  /**
   * Where content comes from: the `http(s)` URL of a service, or the path of a folder (an embedded space). Not needed
   * if each kit in the `kits` option has its own source.
   * @example 'https://space.example.com'
   * @default process.env.CONTENT_SPACE_URL
   */
  space?: string
  /**
   * The id of the space at the service. Without it, the token is sent alone, as `Bearer`. Folders don't use it.
   * @default process.env.CONTENT_SPACE_ID
   */
  spaceId?: number | string
  /**
   * The token of the space at the service. Keep it out of files in version control.
   * @default process.env.CONTENT_SPACE_TOKEN
   */
  token?: string
  /**
   * Aliases of kits for imports. A kit is a uuid, a slug, a short id, or the address of its page in the service.
   * `names` gives export names to assets, by uuid or slug (docs/ids.md#what-you-import).
   * @example { brand: '3BD9E4A2-7C1F-4D0A-9E5B-1F2A3B4C5D6E', icons: { kit: 'icon-set', version: 2 } }
   * @example { brand: { kit: '3BD9E4A2-7C1F-4D0A-9E5B-1F2A3B4C5D6E', names: { 'sun-151364a9': 'sunColor' } } }
   */
  kits?: Record<string, string | KitOption>
  /**
   * Named queries, for `?preset=<name>`.
   * @example { hero: 'w=640;1280&format=avif;webp' }
   */
  presets?: Record<string, string>
  /**
   * Whether assets contain the whole record of the service, like `?metadata=full` on each import.
   * @default 'default'
   */
  metadata?: 'default' | 'full'
  /**
   * The framework that `?as=component` stands for.
   * @default the framework that `package.json` names
   */
  components?: Framework
  /**
   * Files with colors and fonts, which the plugin and `content-space sync` keep up to date (docs/tokens.md).
   * @example [{ kit: 'brand', file: 'src/tokens.css' }]
   */
  tokens?: TokenFile[]
  /**
   * How to treat active content of SVG files, such as scripts and external references: `sanitize` removes it,
   * `strict` rejects the file, `trust` leaves the file unchanged.
   * @default 'sanitize'
   */
  svg?: 'sanitize' | 'strict' | 'trust'

  // Source, types and lockfile.
  /**
   * Globs of the source files that are searched for ids. They don't match folders whose names begin with a dot unless a
   * glob names the folder.
   * @default all scripts, components (`vue`, `svelte`, `astro`), Markdown (`md`, `mdx`), style sheets and pages
   *   (`html`), including those in `.storybook`, `.vitepress` and `.vuepress`
   */
  scan?: string[]
  /**
   * Path of the TypeScript declarations, or `false` to not write any. With `{ previews: false }`, comments of assets
   * don't contain pictures.
   * @default 'src/content-space.d.ts', or 'content-space.d.ts' in a project without `src`
   */
  types?: string | false | { file?: string; previews?: boolean }
  /**
   * Path of the lockfile, or `false` to not use one.
   * @default 'content-space.lock.json'
   */
  lockfile?: string | false
  /**
   * Whether a change to the lockfile is an error, except for added hashes of new downloads.
   * @default true when CI is set and the lockfile exists
   */
  frozen?: boolean
  /**
   * Whether inconsistent data from the service, such as a wrong hash, is an error instead of a warning.
   * @default false
   */
  strict?: boolean

  // Output.
  /**
   * Prefix of asset URLs, for bundlers without this setting, such as Rollup.
   * @example 'https://cdn.example.com/assets/'
   * @default the setting of the bundler
   */
  publicPath?: string
  /**
   * The web address at which the output of the build is published. It makes addresses that other sites read, such as
   * `og:image`, absolute.
   * @example 'https://www.example.com/'
   * @default none, so `og:image` and the like are absolute only if the bundler's public path is
   */
  siteUrl?: string
  /**
   * Whether files are emitted. Set it to `false` for server builds if the client build emits the files.
   * @default true
   */
  emitFiles?: boolean
  /**
   * Pattern for the names of emitted files in Farm, whose own setting would also affect the files of the project.
   * @default 'assets/[name]-[hash][extname]'
   */
  assetFileNames?: string
  /**
   * How pages choose between pictures for light and dark backgrounds: by the user's color scheme (`media`), or by a
   * class or an attribute that a page has in dark mode (docs/dark.md).
   * @example '.dark'
   * @example '[data-theme=dark]'
   * @default 'media'
   */
  darkMode?: string
  /**
   * Whether `src` in Jest tests is the absolute path of a file, which differs between machines, instead of the file's
   * name.
   * @default false
   */
  jestPaths?: boolean

  // Audit.
  /**
   * The files and assets that `content-space audit` doesn't report, and the findings for which it exits with 1
   * (docs/audit.md).
   * @example { ignore: ['docs/**', 'old-logo'], failOn: ['copy', 'outdated'] }
   * @default { ignore: [], failOn: [] }
   */
  audit?: AuditConfig

  // Requests and cache.
  /**
   * Folder of the cache. All projects of a user may share it. If the user doesn't have a home folder, each project has
   * its own cache folder.
   * @default process.env.CONTENT_SPACE_CACHE, or the cache folder of the user
   */
  cacheDir?: string
  /**
   * Whether everything must come from the cache, or from the folder of `space`. The plugin then doesn't open
   * connections.
   * @default false
   */
  offline?: boolean
  /**
   * The maximum number of parallel requests. The plugin lowers it if the process isn't allowed to open that many files.
   * @default 32
   */
  concurrency?: number
  /**
   * The maximum number of downloads (`requests`) within a period (`seconds`), or `false` for no limit. All processes of
   * a user that use the same space share the limit.
   * @default { requests: 2000, seconds: 300 }
   */
  rateLimit?: { requests: number; seconds: number } | false
  /**
   * Milliseconds without progress after which a request is aborted and retried.
   * @default 30_000
   */
  timeout?: number
  /**
   * Whether `http` URLs are allowed for hosts other than this machine.
   * @default false
   */
  insecure?: boolean
  /**
   * With `signed`, the service's URLs in `metadata: 'full'` and covers keep their queries. A query may give everybody
   * who can read your output access to files.
   * @default 'plain'
   */
  addresses?: 'plain' | 'signed'
  /**
   * Address of a cache that runners and colleagues share (docs/remote-cache.md). `false` turns it off.
   * @example 'redis://cache.example.com:6379'
   * @default process.env.CONTENT_SPACE_REMOTE
   */
  remote?: string | false
  /**
   * Whether this machine writes to the cache of the `remote` option.
   * @default whether process.env.CONTENT_SPACE_REMOTE_WRITE is 1
   */
  remoteWrite?: boolean
  /**
   * The key that signs converted files, which the lockfile doesn't pin: a secret that all machines share, or a private
   * key (docs/remote-cache.md#keys). Without it, converted files aren't shared. Keep it out of version control.
   * @default process.env.CONTENT_SPACE_REMOTE_KEY
   */
  remoteKey?: string
  /**
   * The public key of a private `remoteKey`, for machines that only read. It can't sign, so it needn't be secret.
   * @default process.env.CONTENT_SPACE_REMOTE_PUBLIC_KEY
   */
  remotePublicKey?: string

  // Development and progress.
  /**
   * Seconds between checks for changed drafts in a dev server, or `false` (docs/development.md#what-is-live).
   * @default 30
   */
  refresh?: false | number
  /** Called for each loaded kit, downloaded file, step of a pull, and wait for the rate limit. */
  onProgress?: (event: ProgressEvent) => void
}

/** A kit of the `kits` option. */
export interface KitOption {
  /**
   * A uuid, a slug, a short id, or the address of its page in the service. A kit of another service must be a uuid.
   * Absent for a folder or an object, because each is a single kit.
   */
  kit?: string
  /**
   * Where the kit comes from, if not from the `space` option: the path of a folder that is the kit, another service, or
   * an object made with `defineSource` (docs/sources.md).
   * @example './src/icons'
   * @default the `space` option
   */
  source?: string | ServiceSource | Source
  /** @default 'use' */
  version?: number | 'draft' | 'use'
  /** Export names by uuid or slug of the asset. */
  names?: Record<string, string>
  /** Counterparts for dark backgrounds: their uuids or slugs, by uuid or slug of the asset that each replaces. */
  dark?: Record<string, string>
  /**
   * The pattern for names of dark counterparts that `dark` doesn't list. `{name}` stands for the name of the asset.
   * @example '{name} Reversed'
   */
  darkPattern?: string
}

/** Another service as the source of a kit, with its own credentials. */
export interface ServiceSource {
  /**
   * The `http(s)` URL of the service, or the path of a folder that is a space.
   * @default process.env.CONTENT_SPACE_<ALIAS>_URL
   */
  space?: string
  /** @default process.env.CONTENT_SPACE_<ALIAS>_ID */
  spaceId?: number | string
  /** @default process.env.CONTENT_SPACE_<ALIAS>_TOKEN */
  token?: string
}

/** The names that the `kits` option assigns to assets of a kit. */
export interface KitNames extends ChosenNames {
  /** The kit as spelled in the option: a canonical uuid or a slug. */
  kit: string
}

/** Options that depend on the process or that can be written in several forms, after resolution. */
interface Resolved extends Required<Places> {
  /** The folder of the configuration file, or the root of the host without one. */
  root: string
  mode: string
  kits: ReadonlyMap<string, KitReference>
  names: readonly KitNames[]
  tokens: readonly ResolvedTokenFile[]
  /** Returns the framework of `as=component`. Throws `invalidOption` if it is unknown. */
  framework: (this: void) => Framework
  /** `metadata: 'full'` */
  full: boolean
  /** `addresses: 'signed'` */
  signed: boolean
  types: string | false
  /** Whether the comments in declarations contain pictures. */
  previews: boolean
  publicPath: string | undefined
  siteUrl: string | undefined
  audit: Required<AuditConfig>
  /** The cache that runners share. Its credentials and keys are never printed. */
  remote: { address: RemoteAddress; write: boolean; signer: Signer | undefined } | undefined
  /** Warnings about the files that the options come from. */
  warnings: readonly string[]
}

/** Options that `Resolved` contains under another name or as part of another option. */
type Replaced =
  | 'addresses'
  | 'components'
  | 'metadata'
  | 'remoteKey'
  | 'remotePublicKey'
  | 'remoteWrite'
  | 'spaceId'
  | 'token'

/** Options including all defaults. Paths are absolute. */
export interface ResolvedOptions extends Resolved, Required<Omit<Options, keyof Resolved | Replaced>> {}

/** The project and the process that options are resolved for. */
export interface Host {
  /** Absolute path: the root of the bundler. The search for the configuration file starts here. */
  root: string
  /** Selects `.env.<mode>` files. */
  mode: string
  /**
   * Path of the configuration file, relative to the root.
   * @default `content-space.config.{ts,mts,cts,js,mjs,cjs,json}` in the root or the nearest folder above it, up to the
   *   root of the package or workspace
   */
  config?: string
  /**
   * Whether this is a single build, a build that repeats when files change, or a dev server. A dev server doesn't add
   * hashes to the lockfile, because it loads only files that pages request.
   * @default 'build'
   */
  command?: 'build' | 'watch' | 'serve'
  /**
   * Folder of the `.env` files, or `false` to not read any. `.env` files beside the configuration file are read, too;
   * the files in this folder override them.
   * @default the root
   */
  envDir?: string | false
  /**
   * Environment variables.
   * @default process.env
   */
  env?: Record<string, string | undefined>
}

/** Returns options unchanged, for type checking in a configuration file: `export default defineConfig({ … })`. */
export function defineConfig(options: Options): Options {
  return options
}
