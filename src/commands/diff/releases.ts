import { ignoreCodes } from '../../errors.js'
import type { Space } from '../../space/space.js'
import type { Side } from './side.js'

/** A version of a kit, as its editors describe it. */
export interface Release {
  version: number
  /** Version identifier; may be empty. */
  label: string
  /** Release notes; may be empty, and may have several lines. */
  notes: string
}

/**
 * Returns the versions after one side up to the other, oldest first, without those that have neither an identifier nor
 * notes. The draft comes after every version. Asks the space only for versions between both sides, because these are
 * not loaded.
 */
export async function releasesBetween(
  kit: string,
  { version: from }: Side,
  after: Side,
  space: Pick<Space, 'kit'>,
): Promise<Release[]> {
  const { version: to, label, notes } = after
  if (from === to || after.assets.size === 0) return []
  const last = { version: to, label, notes }
  const isNewer = from !== 0 && (to === 0 || to > from)
  const hasGap = isNewer && (to === 0 || to - from > 1)
  const between = hasGap ? await versionsOf(kit, space) : []
  const releases = between
    .filter(({ version }) => version > from && (to === 0 || version < to))
    .toSorted((a, b) => a.version - b.version)
  return [...releases, last].filter((release) => release.label !== '' || release.notes !== '')
}

async function versionsOf(kit: string, space: Pick<Space, 'kit'>): Promise<Release[]> {
  const record = await space.kit(kit, 'versions').catch(ignoreCodes('kitNotFound', 'offline'))
  const { versions = [] } = record ?? {}
  return versions
    .filter(({ version }) => version !== 0)
    .map(({ version, versionIdentifier, notes }) => ({ version, label: versionIdentifier, notes }))
}
