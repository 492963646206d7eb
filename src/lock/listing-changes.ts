import { slugOf } from '../kit/identifiers.js'
import type { LoadedKit } from '../kit/load.js'
import { headingsOf } from '../kit/named-kit.js'
import { shortList } from '../text/quantities.js'
import type { LockedAsset, LockedKit, LockedSlug } from './schema.js'

/**
 * Names how a listing differs from a lockfile, in one line, as far as the lockfile shows it: it has names, slugs and
 * `file_hash`, and the date of the version, after which assets have changed that are listed with a later date.
 */
export function listingChanges(locked: LockedKit, kit: LoadedKit): string {
  const versions = Object.values(locked.selectors)
  const { date } = versions.find(({ version }) => version === kit.version) ?? {}
  // The lockfile does not separate the assets of versions, and has the file_hash of the newest.
  const isOnly = versions.every(({ version }) => version === kit.version)
  const assets = Object.values(kit.assets).flatMap((asset): string[] => {
    const was = locked.assets[asset.uuid]
    if (was === undefined) return [`asset ${asset.name} was added`]
    const fields = [
      ...(isOnly && was.lastSeen !== undefined ? ['added again'] : []),
      ...(isNamed(was, asset.name) ? [] : [`name (${was.slug} before)`]),
      ...(isOnly && was.file_hash !== asset.fileHash ? ['file_hash'] : []),
    ]
    if (fields.length > 0) return [`asset ${asset.name}: ${fields.join(', ')}`]
    const isLater = date !== undefined && asset.dateUpdated !== undefined && asset.dateUpdated > date
    return isLater ? [`asset ${asset.name}: notes, keywords, colors or other fields, updated ${asset.dateUpdated}`] : []
  })
  const removed = Object.entries(locked.assets).flatMap(([uuid, { slug, lastSeen }]) =>
    isOnly && lastSeen === undefined && !Object.hasOwn(kit.assets, uuid) ? [`asset ${slug} was removed`] : [],
  )
  const headings = kit.sections.flatMap(headingsOf)
  const changes = [
    ...(isNamed(locked, kit.name) ? [] : [`the name of the kit (${locked.slug} before)`]),
    ...tableChanges('section', locked.sections, kit.sections, isOnly),
    ...tableChanges('heading', locked.headings, headings, isOnly),
    ...removed,
    ...assets,
  ]
  if (changes.length > 0) return shortList(changes)
  return 'fields of assets, or the order of items, of which the lockfile has only the hash'
}

function tableChanges(
  what: string,
  locked: LockedKit['sections'],
  listed: readonly { uuid: string; name: string }[],
  isOnly: boolean,
): string[] {
  const uuids = new Set(listed.map(({ uuid }) => uuid))
  const gone = Object.entries(locked).filter(([uuid]) => isOnly && !uuids.has(uuid))
  return [
    ...gone.map(([, { slug }]) => `${what} ${slug} was removed`),
    ...listed.flatMap(({ uuid, name }) => {
      const was = locked[uuid]
      if (was === undefined) return [`${what} ${name} was added`]
      return isNamed(was, name) ? [] : [`${what} ${name}: name (${was.slug} before)`]
    }),
  ]
}

/** Whether a name has one of the locked slugs. A slug that others have ends with the start of the uuid. */
function isNamed({ slug, aliases = [] }: LockedSlug | LockedAsset, name: string): boolean {
  const slugs = [slug, ...aliases.map((alias) => (typeof alias === 'string' ? alias : alias.slug))]
  return slugs.some((one) => one === slugOf(name) || one.startsWith(`${slugOf(name)}-`))
}
