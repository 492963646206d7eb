import { compareStrings } from '../text/compare.js'
import type { VersionSelector } from '../request/request.js'
import type { Lock, LockedAsset, LockedKit, LockedSlug, LockedVersion } from './schema.js'
import type { NamedKit } from '../kit/named-kit.js'
import { nameSlugs, type Slugs } from '../kit/names.js'

/** A kit as one selector found it in this run. */
export interface LoadedReference {
  selector: VersionSelector
  named: NamedKit
  /** Whether the source spells the selector. */
  spelt: boolean
}

/** A selector as ids and the lock spell it. */
export function selectorText(selector: VersionSelector): string {
  return selector === 0 ? 'draft' : String(selector)
}

/**
 * The lock after a run: what it held, and what the run has learned, the same in whatever order that came.
 * Kits that the run did not load stay as they are.
 */
export function recordKits(base: Lock, learned: readonly LoadedReference[]): Lock {
  const all = inOrder(learned.filter((one) => !learned.some((other) => coveredBy(one, other))))
  const names = new Map(all.map(({ named }) => [named.kit.uuid, named.kit.name]))
  // A kit without a slug is to get one anew.
  const given = Object.fromEntries(Object.entries(base.kits).filter(([, { slug }]) => slug !== ''))
  const slugs = nameSlugs(
    [...names].map(([uuid, name]) => ({ uuid, name })),
    'kit',
    given,
  )
  const next = { ...base.kits }
  for (const uuid of names.keys()) {
    const versions = all.filter(({ named }) => named.kit.uuid === uuid)
    next[uuid] = { ...lockedSlug(slugs.get(uuid)), ...learnKit(base.kits[uuid], versions) }
  }
  return { ...base, kits: next }
}

/**
 * Modules of ours name versions by number: what `use` means in this run is said once, by `use`, unless the source says
 * the number, too.
 */
function coveredBy({ selector, spelt, named: { kit } }: LoadedReference, other: LoadedReference): boolean {
  return (
    selector !== 'use' &&
    !spelt &&
    other.selector === 'use' &&
    kit.uuid === other.named.kit.uuid &&
    kit.version === other.named.kit.version
  )
}

/** The draft comes last: a download gives the bytes of today, so its revision of a file is the one to go by. */
function inOrder(versions: readonly LoadedReference[]): LoadedReference[] {
  const rank = ({ named }: LoadedReference) => (named.kit.version === 0 ? Infinity : named.kit.version)
  return versions.toSorted(
    (a, b) => rank(a) - rank(b) || compareStrings(selectorText(a.selector), selectorText(b.selector)),
  )
}

function learnKit(
  before: LockedKit | undefined,
  versions: readonly LoadedReference[],
): Omit<LockedKit, keyof LockedSlug> {
  const [selectors, sections, headings] = [{ ...before?.selectors }, { ...before?.sections }, { ...before?.headings }]
  const assets = { ...before?.assets }
  for (const { selector, named } of versions) {
    selectors[selectorText(selector)] = lockedVersion(named)
    for (const [uuid, slugs] of named.sections) sections[uuid] = lockedSlug(slugs)
    for (const [uuid, slugs] of named.headings) headings[uuid] = lockedSlug(slugs)
    for (const uuid of named.assets.keys()) assets[uuid] = lockedAsset(named, uuid, before)
  }
  if (
    before !== undefined &&
    Object.keys(before.selectors).every((text) => versions.some(({ selector }) => selectorText(selector) === text))
  ) {
    markGone(assets, versions, before)
  }
  return { selectors, sections, headings, assets }
}

function lockedVersion({ kit: { version, versionIdentifier, dateUpdated } }: NamedKit): LockedVersion {
  return { version, versionIdentifier, ...(dateUpdated === undefined ? {} : { date: dateUpdated }) }
}

function lockedSlug({ slug, aliases }: Slugs = { slug: '', aliases: [] }): LockedSlug {
  return { slug, ...(aliases.length === 0 ? {} : { aliases }) }
}

function lockedAsset({ kit, assets }: NamedKit, uuid: string, kitBefore: LockedKit | undefined): LockedAsset {
  const { name = '', slug = '', aliases = [] } = assets.get(uuid) ?? {}
  const hash = kit.assets[uuid]?.fileHash
  const before = kitBefore?.assets[uuid]
  const pinned =
    kit.version !== 0 && Object.values(kitBefore?.selectors ?? {}).some(({ version }) => version === kit.version)
  // What is pinned keeps its bytes whatever is listed now: another download is then an error. Else another revision is
  // another file.
  const kept = pinned || (hash !== undefined && hash === before?.file_hash) ? before?.files : undefined
  return {
    name,
    slug,
    ...(aliases.length === 0 ? {} : { aliases }),
    ...(hash === undefined ? {} : { file_hash: hash }),
    ...(kept === undefined || Object.keys(kept).length === 0 ? {} : { files: kept }),
  }
}

/** What none of the kit's versions in use holds any more was last in one that the lock still remembers. */
function markGone(assets: LockedKit['assets'], versions: readonly LoadedReference[], before: LockedKit): void {
  const last = lastVersion(before)
  for (const [uuid, asset] of Object.entries(assets)) {
    const gone = !versions.some(({ named }) => named.assets.has(uuid))
    if (gone && asset.lastSeen === undefined && last !== undefined) assets[uuid] = { ...asset, lastSeen: last }
  }
}

/** The version that a kit was last in use as: what `use` meant, else the newest. */
export function lastVersion({ selectors }: LockedKit): LockedVersion | undefined {
  return selectors['use'] ?? Object.values(selectors).toSorted((a, b) => b.version - a.version)[0]
}
