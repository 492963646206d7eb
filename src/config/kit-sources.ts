import { join, relative, resolve, sep } from 'node:path'
import { attempt } from '../async/attempt.js'
import { readRegularFileSync } from '../disk/read-file.js'
import { ContentSpaceError } from '../errors.js'
import { derivedUuid, kitNamespace } from '../space/folder/naming.js'
import { readAddress } from '../space/http/credentials.js'
import { isAddress } from '../space/is-address.js'
import type { KitSource } from '../space/places.js'
import { canonicalName } from '../space/short-id.js'
import { uuidOfSource } from '../space/sources/uuid.js'
import { canonicalUuid } from '../space/uuid.js'
import { jsonOf, objectOf } from '../text/json.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { Environment } from './environment.js'
import type { KitOption, Options, ServiceSource } from './options.js'

export interface SourcesContext {
  root: string
  environment: Environment
  offline: boolean
}

/**
 * Reads the sources of option `kits`, by uuid of the kit. Aliases of the same kit must have the same source.
 * @throws ContentSpaceError `invalidOption`
 */
export function readKitSources(kits: NonNullable<Options['kits']>, context: SourcesContext): Map<string, KitSource> {
  const sources = new Map<string, KitSource>()
  const variables = new Map<string, string>()
  for (const [alias, option] of Object.entries(kits)) {
    if (typeof option === 'string' || option.source === undefined) continue
    const { uuid, ...source } = readSource(alias, option, option.source, { ...context, variables })
    const other = sources.get(uuid)
    const same = [...sources.values()].find((one) => identityOfSpace(one) === identityOfSpace(source))
    const { aliases = [] } = other ?? {}
    if (other !== undefined && identityOfSpace(other) !== identityOfSpace(source)) {
      const problem = `Options kits.${aliases.join(', ')} and kits.${alias} are one kit, ${uuid}, with two sources.`
      const isNamed = 'source' in source.space
      throw invalidKits(problem, isNamed ? 'Give each object its own name.' : 'Give both the same source.')
    }
    sources.set(uuid, { ...source, aliases: [...aliases, alias], space: (other ?? same ?? source).space })
  }
  return sources
}

type SourceOfKit = Omit<KitSource, 'aliases'> & { uuid: string }

type Context = SourcesContext & {
  /** The aliases of the sources so far, by the prefix of their environment variables. */
  variables: Map<string, string>
}

function readSource(
  alias: string,
  option: KitOption,
  source: NonNullable<KitOption['source']>,
  context: Context,
): SourceOfKit {
  if (typeof source === 'string') return readFolder(alias, option.kit, source, context)
  if (!('list' in source)) return readService(alias, option.kit, source, context)
  if (option.kit !== undefined)
    throw invalidKits(
      `Option kits.${alias} has kit, but its source is an object, which is always a single kit.`,
      'Remove kit.',
    )
  const { name: id } = source
  return { uuid: uuidOfSource(id), id, space: { source, root: context.root } }
}

/** Reads the path of a folder that is a single kit. */
function readFolder(alias: string, kit: string | undefined, path: string, { root }: Context): SourceOfKit {
  if (isAddress(path))
    throw invalidKits(
      `Option kits.${alias}.source is the path of a folder, not an address.`,
      `For a service, write source: { space, spaceId, token }.`,
    )
  if (kit !== undefined)
    throw invalidKits(
      `Option kits.${alias} has kit, but its source is a folder, which is always a single kit.`,
      'Remove kit. To choose the uuid of the kit, write it into kit.json in the folder.',
    )
  const folder = resolve(root, path)
  // The path is relative to the project, so the uuid is the same on every machine.
  const derived = derivedUuid(kitNamespace, `./${relative(root, folder).split(sep).join('/')}`)
  const uuid = uuidOfFolder(folder) ?? derived
  return { uuid, space: { folder, kit: uuid } }
}

/** Reads the uuid in `kit.json`. An invalid file is reported when the folder is read. */
function uuidOfFolder(folder: string): string | undefined {
  const text = attempt(() => readRegularFileSync(join(folder, 'kit.json')).toString())
  const { uuid } = objectOf(jsonOf(text ?? ''))
  return typeof uuid === 'string' ? canonicalUuid(uuid) : undefined
}

/**
 * Reads another service, or a folder with several kits. Options take precedence over environment variables, whose names
 * contain the alias. The variables for option `space` never apply, because they are for the main space.
 */
function readService(
  alias: string,
  kit: string | undefined,
  given: ServiceSource,
  { root, environment, offline, variables }: Context,
): SourceOfKit {
  const uuid = canonicalUuid(canonicalName(kit ?? ''))
  if (uuid === undefined) {
    const problem = kit === undefined ? 'is missing' : 'is not a uuid'
    throw invalidKits(
      `Option kits.${alias}.kit ${problem}, and its source is another space.`,
      'Set it to the uuid of the kit: `npx content-space ls --space <address>` lists the kits of a space.',
    )
  }
  const prefix = variablesOf(alias, variables)
  const space = given.space ?? environment.ofSource(`${prefix}URL`)
  if (space === undefined)
    throw invalidKits(`Option kits.${alias}.source.space is missing.`, `Set it, or ${prefix}URL in .env.local.`)
  if (!isAddress(space)) return { uuid, space: { folder: resolve(root, space) } }
  // If an address in the options has credentials, ignore the environment's credentials: they may be for another space.
  const hasCredentials = given.space !== undefined && URL.canParse(space) && new URL(space).username !== ''
  const own = (name: string): string | undefined => (hasCredentials ? undefined : environment.ofSource(prefix + name))
  const spaceId = given.spaceId ?? own('ID')
  const location = readAddress(space, spaceId, given.token ?? own('TOKEN'), offline, prefix)
  return { uuid, space: location, ...omitUndefined({ id: location.credentials.spaceId }) }
}

/**
 * Returns the prefix of a source's environment variables: `CONTENT_SPACE_PRESS_`.
 * @throws ContentSpaceError `invalidOption` if the variables have another meaning, because a token for one service
 *   would be sent to another
 */
function variablesOf(alias: string, taken: Map<string, string>): string {
  const prefix = `CONTENT_SPACE_${alias.toUpperCase().replace(/[^\p{L}\p{N}]+/gu, '_')}_`
  const other = prefix === 'CONTENT_SPACE_REMOTE_' ? 'option remote' : taken.get(prefix)
  taken.set(prefix, `kits.${alias}`)
  if (other === undefined) return prefix
  const problem = `The source of kits.${alias} has the same environment variables as ${other}: ${prefix}TOKEN.`
  throw invalidKits(problem, 'Rename the alias.')
}

/** Returns the identity of a source's location, to compare it with other sources. */
function identityOfSpace({ space }: Pick<KitSource, 'space'>): unknown {
  if ('source' in space) return space.source
  return 'folder' in space ? `${space.folder} ${space.kit}` : `${space.address.href} ${space.credentials.account}`
}

function invalidKits(problem: string, hint: string): ContentSpaceError {
  return new ContentSpaceError('invalidOption', problem, { hint })
}
