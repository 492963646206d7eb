import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { limitByOpenFiles } from '../disk/open-files.js'
import { userCacheDir } from '../disk/user-cache.js'
import { ContentSpaceError } from '../errors.js'
import { agreeOnNames } from '../kit/chosen-names.js'
import { identifierOf, isExportName } from '../kit/identifiers.js'
import { readRemoteAddress } from '../remote/address.js'
import { readKeys } from '../remote/keys.js'
import { type KitReference, parseVersion } from '../request/request.js'
import { sourceGlobs } from '../source/source-files.js'
import { readAddress } from '../space/http/credentials.js'
import { isAddress } from '../space/is-address.js'
import { canonicalName } from '../space/short-id.js'
import { foldName } from '../text/letters.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { type Environment, readEnvironment } from './environment.js'
import { readConfig } from './file.js'
import { frameworkFinder } from './framework.js'
import type { SourcesContext } from './kit-sources.js'
import type { Host, KitNames, Options, ResolvedOptions } from './options.js'
import { environmentFiles, findProject, otherConfigs, type ProjectPlace, requireOwners } from './project.js'
import { resolveTokenFiles } from './token-files.js'
import { checkOptions } from './validate.js'

/**
 * Resolves options: inline options override the configuration file, which overrides the environment and the defaults.
 * @throws ContentSpaceError `invalidOption`, which names the option, and suggests a name for an unknown option
 */
export async function resolveOptions(inline: Options, host: Host): Promise<ResolvedOptions> {
  const { project, given, environment } = await readSources(inline, host)
  const { root } = project
  const offline = given.offline ?? environment.offline ?? false
  const sources = await readSourcesOfKits(given.kits ?? {}, { root, environment, offline })
  const space = readSpace(given, environment, project)
  const remote = readRemote(given, environment)
  const lockfile = given.lockfile === false ? false : resolve(root, given.lockfile ?? 'content-space.lock.json')
  const frozen = given.frozen ?? environment.frozen
  if (frozen && lockfile === false)
    throw new ContentSpaceError('invalidOption', 'A frozen run and `verify` need a lockfile, but lockfile is false.', {
      hint: 'Remove option lockfile, or option frozen.',
    })
  const { file, previews = true } = typeof given.types === 'object' ? given.types : { file: given.types }
  const isUnpinned = environment.ci && lockfile !== false && !existsSync(lockfile)
  return {
    root,
    mode: host.mode,
    space,
    sources,
    kits: readAliases(given.kits ?? {}, sources),
    names: readNames(given.kits ?? {}, sources),
    presets: given.presets ?? {},
    tokens: resolveTokenFiles(given.tokens ?? [], root),
    framework: frameworkFinder(root, given.components),
    full: given.metadata === 'full',
    darkMode: given.darkMode ?? 'media',
    scan: given.scan ?? [...sourceGlobs],
    types: file === false ? false : resolve(root, file ?? defaultTypes(root)),
    previews,
    lockfile,
    cacheDir: cacheDirOf(given, environment, root),
    frozen: frozen ?? (environment.ci && lockfile !== false && !isUnpinned),
    // If all content is in folders, offline mode has no effect, because reading them doesn't require a connection.
    offline: offline && ![space, ...[...sources.values()].map((one) => one.space)].every((one) => 'folder' in one),
    strict: given.strict ?? false,
    svg: given.svg ?? 'sanitize',
    publicPath: given.publicPath,
    siteUrl: given.siteUrl,
    jestPaths: given.jestPaths ?? false,
    assetFileNames: given.assetFileNames ?? 'assets/[name]-[hash][extname]',
    emitFiles: given.emitFiles ?? true,
    refresh: given.refresh ?? 30,
    concurrency: limitByOpenFiles(given.concurrency ?? 32),
    rateLimit: given.rateLimit ?? { requests: 2000, seconds: 300 },
    timeout: given.timeout ?? 30_000,
    insecure: given.insecure ?? false,
    signed: given.addresses === 'signed',
    audit: { ignore: given.audit?.ignore ?? [], failOn: given.audit?.failOn ?? [] },
    remote: offline ? undefined : remote,
    warnings: [...otherConfigs(project), ...(isUnpinned && frozen === undefined ? [unpinned] : [])],
    onProgress: given.onProgress ?? (() => {}),
  }
}

/** Reads the sources of option `kits`. Loads the code for sources only if a kit has one. */
async function readSourcesOfKits(
  kits: NonNullable<Options['kits']>,
  context: SourcesContext,
): Promise<ResolvedOptions['sources']> {
  if (Object.values(kits).every((kit) => typeof kit === 'string' || kit.source === undefined)) return new Map()
  const { readKitSources } = await import('./kit-sources.js')
  return readKitSources(kits, context)
}

const unpinned =
  'There is no lockfile, so this run pins nothing. Run `npx content-space sync`, and commit content-space.lock.json.'

/**
 * Resolves only the cache folder, for commands that don't need a space.
 * @throws ContentSpaceError `invalidOption`
 */
export async function resolveCacheDir(inline: Options, host: Host) {
  const { project, given, environment } = await readSources(inline, host)
  return { cacheDir: cacheDirOf(given, environment, project.root), warnings: otherConfigs(project) }
}

async function readSources(inline: Options, host: Host) {
  const { root, mode, config, envDir = root, env = process.env } = host
  checkOptions(inline)
  const project = findProject(root, config, env)
  const folders = envDir === false ? [] : [project.root, envDir]
  requireOwners(project, environmentFiles(folders, mode))
  const given: Options = { ...(await readConfig(project)), ...omitUndefined(inline) }
  const environment = readEnvironment(folders, mode, env)
  return { project, given, environment }
}

function cacheDirOf({ cacheDir }: Options, { cache }: Environment, root: string): string {
  return resolve(root, cacheDir ?? cache ?? userCacheDir(process.env) ?? 'node_modules/.cache/content-space')
}

function readSpace(given: Options, environment: Environment, project: ProjectPlace): ResolvedOptions['space'] {
  const space = given.space ?? environment.url
  if (space === undefined) {
    const kits = Object.entries(given.kits ?? {})
    const without = kits.filter(([, kit]) => typeof kit === 'string' || kit.source === undefined)
    if (kits.length > 0 && without.length === 0) return { none: true }
    throw missingSpace(project, kits.length > without.length ? without.map(([alias]) => `kits.${alias}`) : [])
  }
  if (!isAddress(space)) return { folder: resolve(project.root, space) }
  // If an inline URL has credentials, the credentials of the environment are ignored: they may be for another space.
  const hasCredentials = given.space !== undefined && URL.canParse(space) && new URL(space).username !== ''
  const { id, token } = hasCredentials ? {} : environment
  const spaceId = given.spaceId ?? id
  const offline = given.offline ?? environment.offline
  return readAddress(space, spaceId === undefined ? undefined : String(spaceId), given.token ?? token, offline)
}

function readRemote(given: Options, environment: Environment): ResolvedOptions['remote'] {
  const text = given.remote ?? environment.remote
  if (text === undefined || text === false) return undefined
  return {
    address: readRemoteAddress(text, { token: environment.remoteToken, insecure: given.insecure ?? false }),
    write: given.remoteWrite ?? environment.remoteWrite,
    signer: readKeys(given.remoteKey ?? environment.remoteKey, given.remotePublicKey ?? environment.remotePublicKey),
  }
}

/** @param needed kits without their own source, in a project where other kits have one */
function missingSpace({ configFile, searched }: ProjectPlace, needed: readonly string[]): ContentSpaceError {
  const sources = needed.length === 0 ? '' : ` Or give each kit a source: ${needed.join(', ')} has none.`
  const hint =
    'Set it, or CONTENT_SPACE_URL in .env.local, to the URL of a service or the path of a folder. A fresh clone does ' +
    `not contain .env.local.${sources}`
  if (configFile !== undefined)
    return new ContentSpaceError('invalidOption', `Option space is missing in ${configFile}.`, { hint })
  return new ContentSpaceError('invalidOption', 'Option space is missing. No content-space.config.* was found in:', {
    lines: searched,
    hint,
  })
}

/** @param sources kits with their own source, by uuid */
function readAliases(
  kits: NonNullable<Options['kits']>,
  sources: ResolvedOptions['sources'],
): ReadonlyMap<string, KitReference> {
  return new Map(
    Object.entries(kits).map(([alias, value]) => {
      const { version = 'use' } = typeof value === 'string' ? {} : value
      const kit = kitOf(alias, value, sources)
      const [name = '', written] = kit.split('@')
      if (written !== undefined) {
        const isVersion = parseVersion(written) !== undefined
        const text = /^\d+$/.test(written) ? written : `'${written}'`
        throw new ContentSpaceError('invalidOption', `The kit of ${alias} in option kits contains @.`, {
          // Don't repeat the address of a service, because it may contain a token.
          hint: isVersion
            ? `Write { kit: '${name}', version: ${text} }.`
            : 'A kit is a uuid, a slug, a short id or the address of its page.',
        })
      }
      return [alias, { kit: canonicalName(kit), version: parseVersion(String(version)) ?? 'use' }]
    }),
  )
}

/** Returns the kit of an alias as spelled in the option. If the source is a single kit, the kit doesn't need a name. */
function kitOf(
  alias: string,
  option: NonNullable<Options['kits']>[string],
  sources: ResolvedOptions['sources'],
): string {
  const { kit = [...sources].find(([, { aliases }]) => aliases.includes(alias))?.[0] } =
    typeof option === 'string' ? { kit: option } : option
  if (kit !== undefined) return kit
  throw new ContentSpaceError('invalidOption', `Option kits.${alias}.kit is missing.`, {
    hint: 'Set it to a uuid, a slug, a short id or the address of its page, or set source to a folder.',
  })
}

/** Returns the default path of the declarations. Prefers `src`, because a tsconfig usually includes it. */
export function defaultTypes(root: string): string {
  return existsSync(join(root, 'src')) ? 'src/content-space.d.ts' : 'content-space.d.ts'
}

/**
 * Reads the names of assets in option `kits`.
 * @throws ContentSpaceError `invalidOption` for a name that isn't an identifier or is given twice, and for different
 *   names within one kit
 */
function readNames(kits: NonNullable<Options['kits']>, sources: ResolvedOptions['sources']): KitNames[] {
  const all = Object.entries(kits).flatMap(([alias, value]) => {
    const { names, dark, darkPattern: pattern } = typeof value === 'string' ? {} : value
    if (names === undefined && dark === undefined && pattern === undefined) return []
    const pairs = new Map(Object.entries(dark ?? {}).map(([key, other]) => [canonicalName(key), canonicalName(other)]))
    return [
      {
        alias,
        kit: canonicalName(kitOf(alias, value, sources)),
        names: readTable(alias, names ?? {}),
        ...((dark ?? pattern) !== undefined && { dark: { pairs, pattern } }),
      },
    ]
  })
  for (const { kit } of all) agreeOnNames(all.filter((other) => other.kit === kit))
  return all
}

function readTable(alias: string, table: Readonly<Record<string, string>>): Map<string, string> {
  const names = new Map<string, string>()
  const keys = new Map<string, string>()
  for (const [key, name] of Object.entries(table)) {
    const option = `Option kits.${alias}.names`
    if (!isExportName(name)) throw notAnIdentifier(option, key, name)
    const earlier = keys.get(foldName(name))
    if (earlier !== undefined || names.has(canonicalName(key))) {
      const problem = `gives the name ${name} to ${earlier ?? canonicalName(key)} and to ${key}`
      const hint = 'Names must differ in more than the case of their letters, because some are names of files.'
      throw new ContentSpaceError('invalidOption', `${option} ${problem}.`, { hint })
    }
    keys.set(foldName(name), key)
    names.set(canonicalName(key), name)
  }
  return names
}

function notAnIdentifier(option: string, key: string, name: string): ContentSpaceError {
  const near = identifierOf(name)
  const rule = 'A name is an identifier without $, no reserved word, and does not begin with two underscores.'
  return new ContentSpaceError('invalidOption', `${option} gives ${key} the name ${name}, which cannot be exported.`, {
    hint: near === '' ? rule : `Did you mean ${near}? ${rule}`,
  })
}
