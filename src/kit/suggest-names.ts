import { assetsOf } from '../space/item-kinds.js'
import { compareStrings } from '../text/compare.js'
import { groupBy } from '../text/group-by.js'
import { foldName } from '../text/letters.js'
import { identifierOf, isExportName, withoutType } from './identifiers.js'
import type { LoadedKit } from './load.js'
import type { AssetNames } from './names.js'

/**
 * Suggests names for assets whose export names end with part of their uuid because others have the same name. Each
 * suggestion adds the section, the heading or the type to the name. Leaves out assets without letters or digits in
 * their names.
 * @param chosen uuids of assets whose names the project assigns
 * @returns export names by uuid, sorted by uuid
 */
export function suggestNames(
  kit: LoadedKit,
  names: ReadonlyMap<string, AssetNames>,
  chosen: ReadonlySet<string>,
): Map<string, string> {
  const unclear = [...names].filter(([uuid, { name }]) => !chosen.has(uuid) && hasUuid(name, uuid))
  if (unclear.length === 0) return new Map()
  const taken = new Set(
    [...names.values()].flatMap(({ name, aliases }) => [name, ...aliases.map((alias) => alias.name)].map(foldName)),
  )
  const uuids = unclear.map(([uuid]) => uuid).toSorted()
  const groups = groupBy(uuids, (uuid) => foldName(identifierOf(titleOf(kit, uuid))))
  groups.delete('')
  const places = placesOfAssets(kit)
  const suggested = [...groups.values()].flatMap((group) => suggestForGroup(group, kit, places, taken))
  return new Map(suggested.toSorted(([a], [b]) => compareStrings(a, b)))
}

function hasUuid(name: string, uuid: string): boolean {
  return name.endsWith(`_${uuid.slice(0, 8)}`) || name.endsWith(`_${uuid.replaceAll('-', '')}`)
}

function titleOf({ assets }: LoadedKit, uuid: string): string {
  const { name = '', type = '' } = assets[uuid] ?? {}
  return withoutType(name, type)
}

/** Returns the names of the section and, if any, the heading where each asset first occurs in display order. */
export function placesOfAssets({ sections }: LoadedKit): Map<string, string[]> {
  const places = new Map<string, string[]>()
  for (const section of sections) {
    let place = [section.name]
    for (const item of section.items) {
      if (item.type === 'heading') place = [section.name, item.content ?? '']
      for (const uuid of assetsOf(item)) if (!places.has(uuid)) places.set(uuid, place)
    }
  }
  return places
}

/** Distinguishes assets with the same name by their differences, or by numbers if nothing differs. */
function suggestForGroup(
  group: readonly string[],
  kit: LoadedKit,
  places: ReadonlyMap<string, string[]>,
  taken: Set<string>,
): [string, string][] {
  const distinctions: ((uuid: string) => string)[] = [
    (uuid) => places.get(uuid)?.[0] ?? '',
    (uuid) => places.get(uuid)?.[1] ?? '',
    (uuid) => kit.assets[uuid]?.type.toLowerCase() ?? '',
  ]
  for (const of of distinctions) {
    const all = group.map((uuid) => identifierOf(`${titleOf(kit, uuid)} ${of(uuid)}`))
    const folded = new Set(all.map(foldName))
    if (folded.size < all.length || !all.every((name) => isFree(name, taken))) continue
    for (const name of folded) taken.add(name)
    return group.map((uuid, at) => [uuid, all[at] ?? ''])
  }
  return numberGroup(group, kit, taken)
}

/**
 * Numbers the assets of a group. Their titles differ at most in case, so a number that is taken for one of them is
 * taken for all of them.
 */
function numberGroup(group: readonly string[], kit: LoadedKit, taken: Set<string>): [string, string][] {
  let number = 0
  return group.map((uuid) => {
    const title = titleOf(kit, uuid)
    let name: string
    do name = identifierOf(`${title} ${++number}`)
    while (!isFree(name, taken))
    taken.add(foldName(name))
    return [uuid, name]
  })
}

function isFree(name: string, taken: ReadonlySet<string>): boolean {
  return isExportName(name) && !taken.has(foldName(name))
}
