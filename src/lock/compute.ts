import { byIdentity } from '../kit/identity.js'
import { nameKit, type NamedKit } from '../kit/named-kit.js'
import { namesOfGiven, nameSlugs, type Slugs } from '../kit/names.js'
import { kitShortId } from '../kit/short-ids.js'
import { compareStrings } from '../text/compare.js'
import { groupBy } from '../text/group-by.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { givenNames, kitSlugs, slugsOf } from './given-names.js'
import { followRenamed } from './renamed.js'
import type { Lock, LockedAsset, LockedKit, LockedSlug, LockedTable, UsedBy } from './schema.js'
import {
  addToTable,
  emptyTable,
  hasContent,
  kitOfTable,
  revisionOfLocked,
  withRawHead,
  type NeededParts,
} from './table.js'
import type { VersionUses } from './uses.js'

/** A file as it was listed when it was downloaded, with its hash. */
export interface DownloadedFile {
  /** Uuid. */
  asset: string
  /** Absent for the original. */
  cut?: string | undefined
  /** The listed `file_hash`, or otherwise a date. The download belongs to this revision of the file. */
  hash?: string | undefined
  updated?: string | undefined
}

/** The kits with their own source, by uuid, with the id that the lockfile records for the source. */
export type LockedSources = ReadonlyMap<string, { id?: string | undefined }>

export interface ComputeContext {
  /** The lockfile as it was read. */
  base: Lock
  uses: readonly VersionUses[]
  /** Whether to drop entries that the run doesn't use, except entries that builds and pulled folders use. */
  exact: boolean
  /** Whether to also drop entries that only builds use. */
  prune: boolean
  /** Uuids of the kits that the run resolves again. */
  updated: ReadonlySet<string>
  /** Whether to drop the former names of updated kits. */
  rename: boolean
  /** Uuids of kits that keep all entries, because an import of them couldn't be resolved. */
  kept: ReadonlySet<string>
  sources?: LockedSources | undefined
}

/** Returns the lock that results from a run, without the hashes of downloads. The order of uses doesn't affect it. */
export function computeLock(context: ComputeContext): Lock {
  const { base, uses, exact, kept, updated, rename, sources } = context
  const names = new Map(uses.map(({ named }) => [named.kit.uuid, named.kit.name]))
  // `update --rename` has removed the slugs of kits that need a new slug.
  const given = Object.entries(kitSlugs(base)).filter(
    ([uuid, { slug }]) => slug !== '' && !(rename && updated.has(uuid)),
  )
  const entries = [...names].map(([uuid, name]) => ({ uuid, name }))
  const isRouted = ({ uuid }: { uuid: string }): boolean => sources?.has(uuid) === true
  const slugsOfSpace = nameSlugs(
    entries.filter((kit) => !isRouted(kit)),
    'kit',
    Object.fromEntries(given),
  )
  // Imports refer to a kit with its own source by alias, so it must not change the slug of any other kit.
  const slugsOfSources = nameSlugs(entries.filter(isRouted), 'kit', Object.fromEntries([...given, ...slugsOfSpace]))
  const slugs = new Map([...slugsOfSpace, ...slugsOfSources])
  const kits: Record<string, LockedKit> = {}
  for (const uuid of new Set([...Object.keys(base.kits), ...names.keys()])) {
    const was = base.kits[uuid]
    const own = uses.filter(({ named }) => named.kit.uuid === uuid)
    const isExact = exact && !kept.has(uuid)
    if (was !== undefined && own.length === 0 && !isExact) kits[uuid] = was
    else {
      const versions = versionsOf(uuid, was, own, { ...context, exact: isExact })
      if (Object.keys(versions).length > 0) kits[uuid] = kitOf(uuid, was, versions, slugs.get(uuid), own, context)
    }
  }
  return { ...base, kits }
}

function kitOf(
  uuid: string,
  was: LockedKit | undefined,
  versions: LockedKit['versions'],
  slugs: Slugs | undefined,
  own: readonly VersionUses[],
  { updated, rename, sources }: ComputeContext,
): LockedKit {
  const isUpdated = updated.has(uuid)
  const used = own.find(({ selectors }) => selectors.has('use'))
  const use = used?.named.kit.version ?? (isUpdated && own.length > 0 ? undefined : was?.use)
  const first = own.toSorted((a, b) => b.named.kit.version - a.named.kit.version)[0]
  const name = (isUpdated && own.length > 0 ? undefined : was?.name) || (used ?? first)?.named.kit.name || ''
  const now: LockedSlug = slugs
    ? omitUndefined({ slug: slugs.slug, aliases: slugs.aliases.length === 0 ? undefined : slugs.aliases })
    : { slug: was?.slug ?? '', ...omitUndefined({ aliases: was?.aliases }) }
  const dropped = was && rename && isUpdated ? namesOfGiven(slugsOf(was)) : []
  const former = [...new Set([...(was?.former ?? []), ...dropped])].filter(
    (one) => one !== '' && !namesOfGiven(now).includes(one),
  )
  const shortId = was?.shortId ?? own.flatMap(({ named }) => kitShortId(named.kit) ?? [])[0]
  return {
    name,
    ...now,
    ...omitUndefined({ shortId, space: sources?.get(uuid)?.id }),
    ...(former.length > 0 && { former: former.toSorted(compareStrings) }),
    ...(use !== undefined && versions[use] !== undefined && { use }),
    versions,
  }
}

function versionsOf(
  uuid: string,
  was: LockedKit | undefined,
  own: readonly VersionUses[],
  { exact, prune, updated, rename }: ComputeContext,
): LockedKit['versions'] {
  const isUpdated = updated.has(uuid) && own.length > 0
  const versions: Record<string, LockedTable> = exact || isUpdated ? {} : { ...was?.versions }
  for (const { named, selectors, uses } of own) {
    const { version } = named.kit
    const same = was?.versions[version]
    const earlier = isUpdated ? [same, selectors.has('use') ? was?.versions[was.use ?? -1] : undefined] : [same]
    const isKnown = same !== undefined && !isUpdated && (version === 0 || hasContent(same))
    const before = isKnown ? { ...same, assets: followRenamed(same.assets, named.kit) } : undefined
    let table = startTable(named, before, exact)
    for (const { by, use } of uses.values()) {
      if (use.full) table = withRawHead(table, named)
      addToTable(table, named, presentIn(named, use), by, before)
    }
    for (const one of new Set(earlier.flatMap((known) => known ?? []))) {
      if (exact || isUpdated) addUsedByOthers(table, named, one, { prune, all: isUpdated && rename }, before)
      addRemoved(table, named, one, was, prune)
      if (isUpdated) keepHashes(table, one)
    }
    // An update may read kits that the source doesn't import.
    const isRead = [...uses.values()].some(({ by }) => by === undefined)
    if (!exact || isRead || !isEmpty(table)) versions[version] = table
  }
  if (!exact || was === undefined || isUpdated) return versions
  for (const [version, table] of Object.entries(was.versions)) {
    if (versions[version] !== undefined) continue
    const kit = kitOfTable(uuid, was, Number(version), table)
    const named = nameKit(kit, givenNames(kit, [{ version: Number(version), table }], []))
    const kept = startTable(named, table, true)
    addUsedByOthers(kept, named, table, { prune, all: false }, table)
    if (!isEmpty(kept)) versions[version] = kept
  }
  return versions
}

function isEmpty({ assets, whole }: LockedTable): boolean {
  return whole === undefined && Object.values(assets).every(({ record }) => record === undefined)
}

function startTable(named: NamedKit, before: LockedTable | undefined, exact: boolean): LockedTable {
  const fresh = emptyTable(named)
  if (before === undefined) return fresh
  const { label, date, head, darkPattern } = named.kit.version === 0 ? fresh : before
  // Don't search again for counterparts that another pattern found, unless everything is searched again.
  const pattern = exact ? fresh.darkPattern : darkPattern
  const top = { label, ...omitUndefined({ date, head, darkPattern: pattern }) }
  if (exact) return { ...top, sections: {}, items: {}, assets: {} }
  const { whole, sections, items, assets } = before
  return {
    ...top,
    ...(whole && { whole: { ...whole } }),
    sections: { ...sections },
    items: { ...items },
    assets: { ...assets },
  }
}

/** Returns the used parts that still exist, because a draft may have lost an asset since it was used. */
function presentIn({ kit }: NamedKit, { assets, ...use }: NeededParts): NeededParts {
  return { ...use, assets: [...assets].filter((uuid) => Object.hasOwn(kit.assets, uuid)) }
}

/** Adds entries that builds and pulled folders use, because the source doesn't mention them. */
function addUsedByOthers(
  table: LockedTable,
  named: NamedKit,
  was: LockedTable,
  { prune, all }: { prune: boolean; all: boolean },
  before: LockedTable | undefined,
): void {
  // After names were dropped, the source refers to the kit's content by other names.
  const isKept = (by: UsedBy | undefined): boolean => all || by === 'pull' || (by === 'build' && !prune)
  const uuids = byIdentity(named.kit)
  const parts = all ? [...Object.keys(was.sections), ...Object.keys(was.items)] : []
  if (parts.length > 0) addToTable(table, named, { assets: [], parts }, undefined, before)
  for (const [part, { by, full }] of Object.entries(was.whole ?? {}))
    if (isKept(by) && table.whole?.[part] === undefined)
      addToTable(table, named, { assets: [], whole: [part], full }, by, before)
  for (const [key, { by, full, source }] of Object.entries(was.assets)) {
    const uuid = Object.hasOwn(named.kit.assets, key) ? key : (uuids.get(source ?? key) ?? source ?? key)
    if (isKept(by) && table.assets[uuid] === undefined && Object.hasOwn(named.kit.assets, uuid))
      addToTable(table, named, { assets: [uuid], full }, by, before)
  }
}

/** Adds the names of used assets that a version no longer contains, for errors about their imports. */
function addRemoved(
  table: LockedTable,
  named: NamedKit,
  was: LockedTable,
  kit: LockedKit | undefined,
  prune: boolean,
): void {
  const uuids = byIdentity(named.kit)
  const lines = followRenamed(was.assets, named.kit)
  const [version = '0'] = Object.entries(kit?.versions ?? {}).find(([, one]) => one === was) ?? []
  const label = { version: Number(version), versionIdentifier: was.label, ...omitUndefined({ date: was.date }) }
  for (const uuid of Object.keys(was.assets)) if (lines[uuid] === undefined) delete table.assets[uuid]
  const present = Object.entries(table.assets).filter(([uuid]) => Object.hasOwn(named.kit.assets, uuid))
  const taken = new Set(present.flatMap(([, line]) => namesOfGiven(line)))
  for (const [key, line] of Object.entries(lines)) {
    const identity = line.source ?? key
    const isHere =
      Object.hasOwn(named.kit.assets, key) || uuids.has(identity) || Object.hasOwn(named.kit.assets, identity)
    const { name, slug, aliases, former, lastSeen = label } = line
    if (isHere || (prune && line.lastSeen) || (line.record === undefined && line.lastSeen === undefined)) continue
    // Other assets may now have its names.
    delete table.assets[key]
    if (namesOfGiven(line).some((one) => taken.has(one))) continue
    table.assets[identity] = omitUndefined({ name, slug, aliases, former, lastSeen })
  }
}

/** Keeps the hashes of files whose revision is the same, unless an update has downloaded them again. */
function keepHashes({ assets }: LockedTable, was: LockedTable): void {
  const lines = new Map(Object.entries(was.assets).map(([key, line]) => [line.source ?? key, { key, line }]))
  for (const [uuid, now] of Object.entries(assets)) {
    const earlier = lines.get(now.source ?? uuid)
    if (now.files || !now.record || !earlier?.line.files) continue
    if (revisionOfLocked(earlier.key, earlier.line) === revisionOfLocked(uuid, now))
      assets[uuid] = { ...now, files: earlier.line.files }
  }
}

/** Returns a lock with the hashes of downloads. */
export function withDownloads(lock: Lock, downloads: readonly (DownloadedFile & { integrity: string })[]): Lock {
  if (downloads.length === 0) return lock
  const byAsset = groupBy(downloads, ({ asset }) => asset)
  const withFiles = (uuid: string, line: LockedAsset): LockedAsset => {
    const own =
      byAsset.get(uuid)?.filter(({ hash, updated }) => revisionOfLocked(uuid, line) === (hash ?? updated)) ?? []
    if (own.length === 0 || line.record === undefined) return line
    return {
      ...line,
      files: { ...line.files, ...Object.fromEntries(own.map(({ cut = 'original', integrity }) => [cut, integrity])) },
    }
  }
  const kits = Object.entries(lock.kits).map(([uuid, kit]) => {
    const versions = Object.entries(kit.versions).map(([version, table]) => {
      if (!Object.keys(table.assets).some((asset) => byAsset.has(asset))) return [version, table] as const
      const assets = Object.entries(table.assets).map(([asset, line]) => [asset, withFiles(asset, line)] as const)
      return [version, { ...table, assets: Object.fromEntries(assets) }] as const
    })
    return [uuid, { ...kit, versions: Object.fromEntries(versions) }] as const
  })
  return { ...lock, kits: Object.fromEntries(kits) }
}
