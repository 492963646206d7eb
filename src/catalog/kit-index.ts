import { basename } from 'node:path'
import { memoize } from '../async/memoize.js'
import { ContentSpaceError } from '../errors.js'
import { findByName, findGiven } from '../kit/lookup.js'
import { formerNames, nameSlugs, slugsIn, type GivenSlugs } from '../kit/names.js'
import type { KitRecord, Space } from '../space/space.js'
import { shortIdOf } from '../space/short-id.js'
import { canonicalUuid } from '../space/uuid.js'

export type KitIndex = ReturnType<typeof openKitIndex>

/**
 * Opens the list of a space's kits, without their contents.
 * @param locked returns the locked slugs, by uuid
 * @param configured kits by alias, which errors suggest
 */
export function openKitIndex(space: Space, locked: () => GivenSlugs, configured: ReadonlyMap<string, { kit: string }>) {
  const configuredNames = new Map([...configured].map(([alias, { kit }]) => [alias, kit]))
  let isShown = false
  const { main = space, own } = space.routes ?? {}
  /**
   * Lists by scope. A slug always refers to a kit of the main space, because a kit with its own source has an alias.
   */
  const lists = memoize((scope) => (scope === 'all' ? space : main).kits())
  const scope = own ? 'all' : ''
  const kits = memoize((uuid) => fetchKit(uuid).catch((error: unknown) => throwWithNearest(error, uuid)))

  /** Requests a kit again. `kit` keeps returning the previous record until `replace` is called. */
  function fetchKit(uuid: string): Promise<KitRecord> {
    return space.kit(uuid, 'use_versions')
  }

  async function search(name: string): Promise<KitRecord> {
    const list = (await lists.get('')).filter(({ uuid }) => !own?.has(uuid))
    const shortIds = new Map(list.map(({ uuid, raw }) => [uuid, shortIdOf(raw)]))
    const slugsOf = slugsIn(nameSlugs(list, 'kit', locked()))
    return findByName(name, list, slugsOf, {
      what: 'kit',
      // Declarations contain this message, so it must not depend on the machine.
      where: main.local && own === undefined ? `the folder ${basename(main.label)}` : main.label,
      code: 'kitNotFound',
      aliases: configuredNames,
      former: formerNames(locked()),
      shortIdsOf: (uuid) => [shortIds.get(uuid) ?? []].flat(),
    })
  }

  /** Searches the list of kits for a missing kit, because the error of the search contains the nearest kits. */
  async function throwWithNearest(error: unknown, uuid: string): Promise<never> {
    if (error instanceof ContentSpaceError && error.code === 'kitNotFound') await search(uuid)
    throw error
  }

  /** Returns the uuid of a kit if the lockfile determines it. @param kit uuid, slug or short id */
  function lockedUuid(kit: string): string | undefined {
    if (canonicalUuid(kit) !== undefined) return kit
    return findGiven(kit, Object.fromEntries(Object.entries(locked()).filter(([uuid]) => !own?.has(uuid))))
  }

  return {
    lockedUuid,
    kits(this: void): Promise<KitRecord[]> {
      isShown = true
      return lists.get(scope)
    },
    /**
     * Returns a kit with its draft and the version in use.
     * @throws ContentSpaceError `kitNotFound` with the nearest kits
     */
    kit: (uuid: string) => kits.get(uuid),
    /**
     * Returns the uuid of a kit. Requests the list of kits only for a name that isn't locked.
     * @param kit uuid, slug or short id
     * @throws ContentSpaceError `kitNotFound`, `ambiguousName`
     */
    async uuidOf(this: void, kit: string): Promise<string> {
      return lockedUuid(kit) ?? (await search(kit)).uuid
    },
    /** Returns the uuids of the requested kits. */
    loaded: () => kits.keys(),
    fetch: fetchKit,
    replace: (kit: KitRecord) => kits.set(kit.uuid, kit),
    forget: (uuid: string) => kits.forget(uuid),
    /** Forgets the list of kits, or requests it again if `kits` returned it. @returns whether it has changed */
    async reload(): Promise<boolean> {
      lists.forget(own ? '' : 'all')
      if (!isShown) {
        lists.forget(scope)
        return false
      }
      const before = await lists.get(scope)
      const after = await space.kits()
      lists.set(scope, after)
      return !areSameKits(before, after)
    },
  }
}

/** Compares records of kits, except for the URLs of covers that grant access, because each response may sign them. */
export function areSameKits(before: readonly KitRecord[], after: readonly KitRecord[]): boolean {
  const [a, b] = [before, after].map((kits) => JSON.stringify(kits.map((kit) => ({ ...kit, coverPreview: undefined }))))
  return a === b
}
