import { openKitIndex } from '../../catalog/kit-index.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError } from '../../errors.js'
import { parseKit, type VersionSelector } from '../../request/request.js'
import type { KitRecord } from '../../space/space.js'

/** A kit and the versions of it to mirror. */
interface SelectedKit {
  kit: KitRecord
  /** In ascending order: the draft, version 0, is the first. */
  versions: number[]
}

/**
 * Finds the kits and versions to mirror: every version of a kit, or the versions that its ids name. The draft, the
 * version in use and the version that the lockfile pins are always included.
 * @throws ContentSpaceError `invalidId`, `kitNotFound`, `versionNotFound`, naming the valid ones
 */
export async function selectKits(
  ids: readonly string[],
  { space, lock, options }: Pick<Engine, 'options' | 'space' | 'lock'>,
): Promise<SelectedKit[]> {
  const index = openKitIndex(space, lock.kits, options.kits)
  const requested = new Map<string, (VersionSelector | 'all')[]>()
  for (const id of ids) {
    const { kit: name, version } = parseKit(id, options.kits)
    const { uuid } = await index.kit(await index.uuidOf(name))
    requested.set(uuid, [...(requested.get(uuid) ?? []), id.includes('@') ? version : 'all'])
  }
  return Promise.all(
    [...requested].map(async ([uuid, selectors]) => {
      const kit = await space.kit(uuid, 'versions')
      const all = [0, ...(kit.versions ?? []).map(({ version }) => version)]
      const locked = lock.version(uuid, 'use')
      const always = [0, kit.useVersion, ...all.filter((version) => version === locked)]
      const named = selectors.flatMap((selector) => (selector === 'use' ? [] : selector === 'all' ? all : [selector]))
      checkVersions(kit, named, all)
      return { kit, versions: [...new Set([...always, ...named])].toSorted((a, b) => a - b) }
    }),
  )
}

function checkVersions({ uuid, name }: KitRecord, named: readonly number[], all: readonly number[]): void {
  const unknown = named.find((version) => !all.includes(version))
  if (unknown === undefined) return
  throw new ContentSpaceError('versionNotFound', `Kit ${name} has no version ${unknown}.`, {
    kit: uuid,
    version: unknown,
    hint: `Its versions are ${[...new Set(all)].join(', ')}.`,
  })
}
