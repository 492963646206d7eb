import { agreeOnNames, type ChosenNames } from '../kit/chosen-names.js'
import { slugOf } from '../kit/identifiers.js'
import type { LoadedKit } from '../kit/load.js'
import type { GivenSlugs } from '../kit/names.js'
import { canonicalUuid } from '../space/uuid.js'
import type { KitIndex } from './kit-index.js'

/** Names of assets that option `kits` gives, with the kit as it is named there: a canonical uuid or a slug. */
export type NamesOfKit = ChosenNames & { kit: string }

/** Returns a function that finds the names that the project gives to the assets of a kit. */
export function namesOfProject(
  all: readonly NamesOfKit[],
  index: Pick<KitIndex, 'uuidOf'>,
  locked: () => GivenSlugs,
): (kit: LoadedKit) => Promise<ChosenNames | undefined> {
  return async (kit) => {
    const own: ChosenNames[] = []
    for (const names of all) if (await isKit(names.kit, kit)) own.push(names)
    return agreeOnNames(own)
  }

  /** Asks for the list of kits only if a slug may be the one of this kit. */
  async function isKit(name: string, { uuid, name: title }: LoadedKit): Promise<boolean> {
    if (canonicalUuid(name) !== undefined) return name === uuid
    const { slug = '', aliases = [] } = locked()[uuid] ?? {}
    if (slug === name || aliases.includes(name)) return true
    return name.startsWith(slugOf(title)) && (await index.uuidOf(name)) === uuid
  }
}
