import { contentDigest } from '../kit/content-digest.js'
import { namesIn, type NamedKit } from '../kit/named-kit.js'
import { nameAssets, namesOf, nameSlugs, type AssetNames, type Slugs } from '../kit/names.js'
import type { VersionSelector } from '../request/request.js'
import { compareStrings } from '../text/compare.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { Lock, LockedAsset, LockedKit, LockedSlug, LockedVersion } from './schema.js'

/** A kit that a run has loaded for a selector. */
export interface LoadedReference {
  selector: VersionSelector
  named: NamedKit
  /** Whether the source contains the selector. */
  explicit: boolean
}

/** Formats a selector as in ids and in the lockfile. */
export function selectorText(selector: VersionSelector): string {
  return selector === 0 ? 'draft' : String(selector)
}

/**
 * Adds the kits of a run to a lock. The result does not depend on the order of loading. Kits that the run did not load
 * stay unchanged.
 */
export function recordKits(base: Lock, loaded: readonly LoadedReference[]): Lock {
  const references = sortByVersion(loaded.filter((one) => !loaded.some((other) => isRedundant(one, other))))
  const names = new Map(references.map(({ named }) => [named.kit.uuid, named.kit.name]))
  // `update --rename` has removed the slugs of kits that get a new one.
  const given = Object.fromEntries(Object.entries(base.kits).filter(([, { slug }]) => slug !== ''))
  const entries = [...names].map(([uuid, name]) => ({ uuid, name }))
  const slugs = nameSlugs(entries, 'kit', given)
  const kits = { ...base.kits }
  for (const uuid of names.keys()) {
    const versions = references.filter(({ named }) => named.kit.uuid === uuid)
    kits[uuid] = { ...lockedSlug(slugs.get(uuid)), ...recordVersions(base.kits[uuid], versions) }
  }
  return { ...base, kits }
}

/**
 * Whether a version number is already locked by `use`. Generated modules refer to versions by number, so a number is
 * locked on its own only if the source contains it.
 */
function isRedundant({ selector, explicit, named: { kit } }: LoadedReference, other: LoadedReference): boolean {
  return (
    selector !== 'use' &&
    !explicit &&
    other.selector === 'use' &&
    kit.uuid === other.named.kit.uuid &&
    kit.version === other.named.kit.version
  )
}

/** Sorts by version, with the draft last: downloads return the current bytes, so the draft's hash of a file is kept. */
function sortByVersion(references: readonly LoadedReference[]): LoadedReference[] {
  const rank = ({ named }: LoadedReference) => (named.kit.version === 0 ? Infinity : named.kit.version)
  return references.toSorted(
    (a, b) => rank(a) - rank(b) || compareStrings(selectorText(a.selector), selectorText(b.selector)),
  )
}

function recordVersions(before: LockedKit | undefined, versions: readonly LoadedReference[]) {
  const [selectors, sections, headings] = [{ ...before?.selectors }, { ...before?.sections }, { ...before?.headings }]
  const assets = { ...before?.assets }
  for (const { selector, named } of versions) selectors[selectorText(selector)] = lockedVersion(named)
  const isOneOfSeveral = hasSeveralVersions({ selectors })
  const joined = (slugs: Slugs, earlier: LockedSlug | undefined, locked: LockedSlug | undefined) =>
    isOneOfSeveral && earlier ? joinSlugs(slugs, earlier, locked) : lockedSlug(slugs)
  const selected = new Set(versions.map(({ selector }) => selectorText(selector)))
  const isComplete = before !== undefined && Object.keys(before.selectors).every((selector) => selected.has(selector))
  const isShown = (uuid: string, hash: string) =>
    !isComplete || versions.some(({ named }) => named.kit.assets[uuid]?.fileHash === hash)
  let last = versions[0]?.named
  for (const { named: loaded } of versions) {
    const named = last === loaded ? loaded : followNames(loaded, assets)
    last = loaded
    const { version } = named.kit
    const locked = Object.values(before?.selectors ?? {}).find((one) => version !== 0 && one.version === version)
    for (const [uuid, slugs] of named.sections) sections[uuid] = joined(slugs, sections[uuid], before?.sections[uuid])
    for (const [uuid, slugs] of named.headings) headings[uuid] = joined(slugs, headings[uuid], before?.headings[uuid])
    const isSame = locked !== undefined && locked.content === contentDigest(named.kit)
    const known = { isLocked: locked !== undefined, isOneOfSeveral, keepsHash: isOneOfSeveral && isSame, isShown }
    for (const uuid of named.assets.keys()) assets[uuid] = lockedAsset(named, uuid, before?.assets[uuid], known)
  }
  if (isComplete) markRemoved(assets, versions, before)
  return { selectors, sections, headings, assets: withoutTakenAliases(assets) }
}

function lockedVersion({ kit }: NamedKit): LockedVersion {
  const { version, versionIdentifier, dateUpdated: date } = kit
  return omitUndefined({ version, versionIdentifier, date, content: version === 0 ? undefined : contentDigest(kit) })
}

function lockedSlug({ slug, aliases }: Slugs = { slug: '', aliases: [] }): LockedSlug {
  return omitUndefined({ slug, aliases: aliases.length === 0 ? undefined : aliases })
}

/** @param earlier the entry of other versions: the slugs of all work; `before`: as it was locked before */
function joinSlugs({ slug, aliases }: Slugs, earlier: LockedSlug, before: LockedSlug | undefined): LockedSlug {
  const others = new Set([...aliases, ...namesOf(earlier)])
  others.delete(slug)
  const known = before ? namesOf(before) : []
  const isKnown = [slug, ...others].every((one) => known.includes(one))
  return before && isKnown ? before : lockedSlug({ slug, aliases: [...others] })
}

/** What the lock has about a version. `keepsHash`: the `file_hash` may be that of another version. */
interface KnownVersion {
  isLocked: boolean
  isOneOfSeveral: boolean
  keepsHash: boolean
  /** Whether a version may have the file of an asset with this `file_hash`. */
  isShown: (asset: string, hash: string) => boolean
}

function lockedAsset(
  named: NamedKit,
  uuid: string,
  before: LockedAsset | undefined,
  { isLocked, isOneOfSeveral, keepsHash, isShown }: KnownVersion,
): LockedAsset {
  const now = namesIn(named, uuid)
  const known = before && isOneOfSeveral ? namesOf(before) : []
  // Which name is the first depends on the version. In the lock, it does not depend on the versions that a run loads.
  const { name, slug, aliases = [] } = before && namesOf(now).every((one) => known.includes(one)) ? before : now
  const hash = before && keepsHash ? before.file_hash : named.kit.assets[uuid]?.fileHash
  const revisions = before && isOneOfSeveral ? revisionsOf(before) : {}
  // A locked version keeps its hashes even if the space lists another `file_hash`, so that different bytes are an
  // error. In any other version, another `file_hash` means another file.
  const isSame = isLocked || (hash !== undefined && hash === before?.file_hash)
  const files = revisions[hash ?? ''] ?? (isSame ? before?.files : undefined)
  const others = Object.entries(revisions).filter(([revision]) => revision !== hash && isShown(uuid, revision))
  const asset: LockedAsset = { name, slug }
  if (aliases.length > 0) asset.aliases = aliases
  if (hash !== undefined) asset.file_hash = hash
  if (files !== undefined && Object.keys(files).length > 0) asset.files = files
  if (others.length > 0) asset.revisions = Object.fromEntries(others)
  return asset
}

/** Returns the hashes of all files of an asset, by `file_hash`. */
export function revisionsOf({
  file_hash: hash = '',
  files = {},
  revisions,
}: Pick<LockedAsset, 'file_hash' | 'files' | 'revisions'>): NonNullable<LockedAsset['revisions']> {
  return { ...revisions, ...(hash !== '' && Object.keys(files).length > 0 && { [hash]: files }) }
}

/**
 * Names the assets of a version after another version was recorded, as a later run does: versions are named one by one
 * before they are recorded. The names that this run has used work as well, unless another asset has them.
 */
function followNames(named: NamedKit, given: LockedKit['assets']): NamedKit {
  const { kit, chosen } = named
  const names = nameAssets(Object.values(kit.assets), given, chosen.byAsset)
  const assets = [...names].map(([uuid, now]): [string, AssetNames] => {
    const own = namesIn(named, uuid)
    const aliases = new Map([...now.aliases, own, ...own.aliases].map(({ name, slug }) => [name, { name, slug }]))
    aliases.delete(now.name)
    return [uuid, { ...now, aliases: [...aliases.values()] }]
  })
  return { ...named, assets: new Map(assets) }
}

/**
 * Drops former names that another asset has. A renamed file takes over the names of its earlier path, and an older
 * version that the run loads as well still has that path.
 */
function withoutTakenAliases(assets: LockedKit['assets']): LockedKit['assets'] {
  if (Object.values(assets).every(({ aliases = [] }) => aliases.length === 0)) return assets
  const owners = new Map(Object.entries(assets).map(([uuid, { name }]) => [name, uuid]))
  const entries = Object.entries(assets).map(([uuid, asset]) => {
    const free = (asset.aliases ?? []).filter(({ name }) => (owners.get(name) ?? uuid) === uuid)
    if (free.length === (asset.aliases?.length ?? 0)) return [uuid, asset] as const
    const { aliases: _, ...rest } = asset
    return [uuid, free.length === 0 ? rest : { ...asset, aliases: free }] as const
  })
  return Object.fromEntries(entries)
}

/** Marks assets that are no longer in any version with the last version that contained them. */
function markRemoved(assets: LockedKit['assets'], versions: readonly LoadedReference[], before: LockedKit): void {
  const lastSeen = versionBesides(
    before,
    versions.map(({ named }) => named.kit.version),
  )
  for (const [uuid, asset] of Object.entries(assets))
    if (!versions.some(({ named }) => named.assets.has(uuid))) assets[uuid] = { lastSeen, ...asset }
}

export function hasSeveralVersions(kit: Pick<LockedKit, 'selectors'> | undefined): boolean {
  return new Set(Object.values(kit?.selectors ?? {}).map(({ version }) => version)).size > 1
}

/** Returns the version of a kit that was in use last: the one of `use`, or else the newest. */
export function lastVersion({ selectors: { use, ...others } }: LockedKit): LockedVersion | undefined {
  return use ?? Object.values(others).toSorted((a, b) => b.version - a.version)[0]
}

/**
 * Returns the locked version that contained what other versions do not contain. The lockfile does not separate the
 * assets of versions: if it may be one of several, it is not known, and errors name none, as for a draft.
 * @param others their numbers
 */
export function versionBesides({ selectors }: LockedKit, others: readonly number[]): LockedVersion {
  const left = Object.values(selectors).filter(({ version }) => version === 0 || !others.includes(version))
  const [{ content: _, ...first } = { version: 0, versionIdentifier: '' }] = left
  return left.every(({ version }) => version === first.version) ? first : { version: 0, versionIdentifier: '' }
}

/**
 * Returns the digest of a version, and its last date, which the digest does not cover. Several selectors may have one
 * version. In a lockfile that was edited by hand they may differ: the first counts.
 */
export function lockedContent(kit: LockedKit | undefined, version: number) {
  const locked = Object.values(kit?.selectors ?? {}).filter((one) => version !== 0 && one.version === version)
  const { content: digest, date } = locked.find(({ content }) => content !== undefined) ?? {}
  return digest === undefined ? undefined : { digest, date }
}
