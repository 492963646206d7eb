import { ContentSpaceError } from '../../errors.js'
import { openKitIndex } from '../../catalog/kit-index.js'
import type { LockSession } from '../../lock/session.js'
import type { ResolvedOptions } from '../../config/options.js'
import { parseKit, type VersionSelector } from '../../request/request.js'
import type { KitRecord, Space } from '../../space/space.js'

export interface SelectedKit {
  kit: KitRecord
  /** Ascending: the draft is the first. */
  versions: number[]
}

export interface SelectContext {
  options: ResolvedOptions
  space: Space
  memory: Pick<LockSession, 'kits' | 'version'>
}

/**
 * Each kit once, with every version, or those that the ids name; the draft, the version in use and what the lock takes
 * for that are always among them.
 * @throws ContentSpaceError `invalidId`, `kitNotFound`, `versionNotFound`, naming the right ones
 */
export async function selectKits(
  ids: readonly string[],
  { space, memory, options }: SelectContext,
): Promise<SelectedKit[]> {
  const directory = openKitIndex(space, memory.kits)
  const asked = new Map<string, (VersionSelector | 'all')[]>()
  for (const id of ids) {
    const { kit: name, version } = parseKit(id, options.kits)
    const { uuid } = await directory.kit(await directory.uuidOf(name))
    asked.set(uuid, [...(asked.get(uuid) ?? []), id.includes('@') ? version : 'all'])
  }
  return Promise.all(
    [...asked].map(async ([uuid, selectors]) => {
      const kit = await space.kit(uuid, 'versions')
      const all = [0, ...(kit.versions ?? []).map(({ version }) => version)]
      const locked = memory.version(uuid, 'use')
      const always = [0, kit.useVersion, ...all.filter((version) => version === locked)]
      const chosen = selectors.flatMap((selector) => (selector === 'use' ? [] : selector === 'all' ? all : [selector]))
      checkVersions(kit, chosen, all)
      return { kit, versions: [...new Set([...always, ...chosen])].toSorted((a, b) => a - b) }
    }),
  )
}

function checkVersions({ uuid, name }: KitRecord, chosen: readonly number[], all: readonly number[]): void {
  const version = chosen.find((one) => !all.includes(one))
  if (version === undefined) return
  throw new ContentSpaceError('versionNotFound', `Kit ${name} has no version ${version}.`, {
    kit: uuid,
    version,
    hint: `Its versions are ${[...new Set(all)].join(', ')}.`,
  })
}
