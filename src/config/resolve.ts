import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import envPaths from 'env-paths'
import { checkOptions } from './validate.js'
import { readConfig, readEnvironment, type Environment } from './file.js'
import type { Host, Options, ResolvedOptions } from './options.js'
import { ContentSpaceError } from '../errors.js'
import { limitByOpenFiles } from '../disk/open-files.js'
import { canonicalName, parseVersion, type KitReference } from '../request/request.js'
import { readAddress } from '../space/http/credentials.js'

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
    concurrency: limitByOpenFiles(given.concurrency ?? 32),
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
export async function resolveCacheDir(
  inline: Options,
  { root, mode, config, envDir = root, env = process.env }: Host,
): Promise<string> {
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
  return readAddress(
    space,
    spaceId === undefined ? undefined : String(spaceId),
    given.token ?? (own ? undefined : environment.token),
  )
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
