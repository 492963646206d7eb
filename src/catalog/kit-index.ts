import { ContentSpaceError } from '../errors.js'
import { memoize } from '../async/memoize.js'
import type { KitRecord, Space } from '../space/space.js'
import { canonicalUuid } from '../space/uuid.js'
import { nameSlugs, slugsIn, type GivenSlugs } from '../kit/names.js'
import { find } from '../kit/lookup.js'

/** Which kits there are, without what they hold. */
export interface KitIndex {
  kits(): Promise<KitRecord[]>
  /**
   * A kit with its versions in use.
   * @throws ContentSpaceError `kitNotFound` with the nearest right ones
   */
  kit(uuid: string): Promise<KitRecord>
  /**
   * The uuid of a kit that is named by uuid or slug. The list of kits is asked for only when a slug must be found.
   * @throws ContentSpaceError `kitNotFound`, `ambiguousName`
   */
  uuidOf(kit: string): Promise<string>
  /** Uuids of the kits that were asked for. */
  known(): string[]
  /** Asks for a kit again, and leaves the answer aside until `replace` is called with it. */
  ask(uuid: string): Promise<KitRecord>
  replace(kit: KitRecord): void
  /** Forgets the list of kits. */
  forget(): void
}

/** @param given slugs that earlier runs gave, by uuid */
export function openKitIndex(space: Space, given: () => GivenSlugs): KitIndex {
  const lists = memoize(() => space.kits())
  const kits = memoize((uuid) => ask(uuid).catch((error) => explain(error, uuid)))

  function ask(uuid: string): Promise<KitRecord> {
    return space.kit(uuid, 'use_versions')
  }

  async function search(wanted: string): Promise<KitRecord> {
    const list = await lists.get('')
    const slugsOf = slugsIn(nameSlugs(list, 'kit', given()))
    return find(wanted, list, slugsOf, { what: 'kit', where: space.label, code: 'kitNotFound' })
  }

  /** Looks the kit up in the list of all, which fails with the nearest right ones. */
  async function explain(error: unknown, uuid: string): Promise<never> {
    if (error instanceof ContentSpaceError && error.code === 'kitNotFound') await search(uuid)
    throw error
  }

  return {
    kits: () => lists.get(''),
    kit: (uuid) => kits.get(uuid),
    async uuidOf(kit) {
      if (canonicalUuid(kit) !== undefined) return kit
      const known = Object.entries(given()).find(([, { slug, aliases = [] }]) => slug === kit || aliases.includes(kit))
      return known?.[0] ?? (await search(kit)).uuid
    },
    known: () => kits.keys(),
    ask,
    replace: (kit) => kits.set(kit.uuid, kit),
    forget: () => lists.forget(''),
  }
}
