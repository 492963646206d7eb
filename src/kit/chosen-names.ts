import { ContentSpaceError } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import { foldName } from '../text/letters.js'
import type { LoadedKit } from './load.js'
import { byIdentity } from './identity.js'
import { findByName, scopeIn } from './lookup.js'
import type { AssetNames, GivenNames } from './names.js'
import { assetShortIds } from './short-ids.js'

/** The names that option `kits` assigns to assets of a kit. */
export interface ChosenNames {
  /** The alias of the kit in option `kits`, for messages. */
  alias: string
  /** Export names by uuid or slug of the asset, as `canonicalName` returns it. */
  names: ReadonlyMap<string, string>
  dark?: DarkNames
}

/** The dark counterparts of assets. */
export interface DarkNames {
  /** By uuid or slug of the light asset. */
  pairs: ReadonlyMap<string, string>
  /** A pattern for the counterpart's name. `{name}` stands for the name of the light asset: `{name} Reversed`. */
  pattern?: string | undefined
}

/** The chosen names of a version of a kit. */
export interface FoundNames {
  /** Export names by uuid. */
  byAsset: ReadonlyMap<string, string>
  /** Errors for keys without an asset in this version. Another version may contain the asset. */
  unknown: readonly ContentSpaceError[]
}

/** The generated names of assets, before chosen names apply, and the names in the lockfile. */
interface NamesBefore {
  generated: ReadonlyMap<string, AssetNames>
  given: GivenNames
}

/**
 * Finds the assets that the keys of chosen names refer to.
 * @throws ContentSpaceError `invalidOption` for a name that another asset has, two names for an asset, or one name for
 *   two assets; `ambiguousName`
 */
export function findChosen(kit: LoadedKit, { alias, names, dark }: ChosenNames, before: NamesBefore): FoundNames {
  const byAsset = new Map<string, string>()
  const owners = new Map<string, string>()
  const unknown: ContentSpaceError[] = []
  for (const [key, name] of names) {
    const uuid = findKey(kit, key, `${alias}.names gives a name`, before)
    if (uuid instanceof ContentSpaceError) {
      unknown.push(uuid)
      continue
    }
    const earlier = byAsset.get(uuid)
    if (earlier !== undefined && earlier !== name) {
      const problem = `gives asset ${uuid} two names: ${earlier} and ${name}`
      throw invalidNames(`Option kits.${alias}.names ${problem}.`, 'Remove one of them.')
    }
    const owner = owners.get(name)
    // Only different aliases of one kit can cause this, because `readNames` rejects duplicates within one alias.
    if (owner !== undefined && owner !== uuid) {
      const problem = `give the name ${name} to ${owner} and to ${uuid}`
      throw invalidNames(`Option kits.${alias}.names and another alias of the kit ${problem}.`, sameNamesHint)
    }
    byAsset.set(uuid, name)
    owners.set(name, uuid)
  }
  for (const key of [...(dark?.pairs ?? [])].flat()) {
    const uuid = findKey(kit, key, `${alias}.dark refers`, before)
    if (uuid instanceof ContentSpaceError) unknown.push(uuid)
  }
  refuseTaken(kit, alias, byAsset, before)
  return { byAsset, unknown }
}

/**
 * Finds the asset of a key.
 * @param option introduces the key in messages
 * @returns the uuid, or an error if no asset has the key. The lockfile also covers assets of other versions.
 */
function findKey(kit: LoadedKit, key: string, option: string, before: NamesBefore): string | ContentSpaceError {
  const { generated, given } = before
  const scope = { ...scopeIn(kit, 'asset'), where: `kit ${kit.name}, to which option kits.${option}` }
  const shortIds = { shortIdsOf: (uuid: string) => assetShortIds(kit).get(uuid) ?? [] }
  const slugsOf = (uuid: string) => {
    const { slug, aliases = [] } = generated.get(uuid) ?? given[uuid] ?? { slug: '' }
    return [slug, ...aliases.map((one) => one.slug)]
  }
  const find = (entries: readonly { uuid: string; name: string }[]) => {
    try {
      return findByName(key, entries, slugsOf, { ...scope, ...shortIds }).uuid
    } catch (error) {
      if (error instanceof ContentSpaceError && error.code === 'assetNotFound') return error
      throw error
    }
  }
  const found = byIdentity(kit).get(key) ?? find(Object.values(kit.assets))
  if (typeof found === 'string') return found
  const elsewhere = Object.keys(given).filter((uuid) => !Object.hasOwn(kit.assets, uuid))
  const other = find(elsewhere.map((uuid) => ({ uuid, name: given[uuid]?.name ?? '' })))
  return typeof other === 'string' ? other : found
}

function invalidNames(message: string, hint: string): ContentSpaceError {
  return new ContentSpaceError('invalidOption', message, { hint })
}

/** Rejects a name that another asset has, because imports of that name would silently get a different asset. */
function refuseTaken(
  kit: LoadedKit,
  alias: string,
  byAsset: ReadonlyMap<string, string>,
  { generated, given }: NamesBefore,
): void {
  const owners = new Map<string, string>()
  for (const uuid of new Set([...generated.keys(), ...Object.keys(given)])) {
    // A chosen name replaces the generated name. Names in the lockfile stay reserved, because imports may use them.
    const own = byAsset.has(uuid) || !generated.has(uuid) ? given[uuid] : generated.get(uuid)
    for (const { name } of own === undefined ? [] : [own, ...(own.aliases ?? [])]) owners.set(foldName(name), uuid)
  }
  for (const [uuid, name] of byAsset) {
    const owner = owners.get(foldName(name))
    if (owner === undefined || owner === uuid) continue
    const title = kit.assets[owner]?.name ?? given[owner]?.name ?? ''
    const problem = `gives asset ${uuid} the name ${name}, which asset ${title} (${owner}) has or had`
    const hint = `Choose another name. \`npx content-space update ${alias} --rename\` releases former names.`
    throw invalidNames(`Option kits.${alias}.names ${problem}.`, hint)
  }
}

const sameNamesHint = 'The names belong to the kit: set them under one alias, or set the same names under both.'

/**
 * Combines the names that several aliases of one kit assign. An alias without names accepts the others' names. Equal
 * names may have different keys, because an asset has a uuid and a slug; `findChosen` checks that they refer to the
 * same assets.
 * @throws ContentSpaceError `invalidOption` if they differ
 */
export function agreeOnNames(given: readonly ChosenNames[]): ChosenNames | undefined {
  const dark = agreeOnDark(given)
  const [first, ...others] = given.filter(({ names }) => names.size > 0)
  if (first === undefined) return given[0] && { ...given[0], ...dark }
  const names = new Map(first.names)
  for (const other of others) {
    const entries = [...other.names]
    if (namesKey(other) !== namesKey(first) || entries.some(([key, name]) => (names.get(key) ?? name) !== name)) {
      const options = `kits.${first.alias} and kits.${other.alias}`
      throw invalidNames(`Options ${options} are the same kit, but give its assets different names.`, sameNamesHint)
    }
    for (const [key, name] of entries) names.set(key, name)
  }
  return { ...first, names, ...dark }
}

function agreeOnDark(given: readonly ChosenNames[]): Pick<ChosenNames, 'dark'> {
  const all = given.flatMap(({ dark }) => dark ?? [])
  if (all.length === 0) return {}
  const pattern = all.find((one) => one.pattern !== undefined)?.pattern
  return { dark: { pairs: new Map(all.flatMap(({ pairs }) => [...pairs])), pattern } }
}

function namesKey({ names }: ChosenNames): string {
  return JSON.stringify([...names.values()].toSorted(compareStrings))
}
