import { isDeepStrictEqual } from 'node:util'
import { compareStrings } from '../text/compare.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { hasSeveralVersions, lastVersion, revisionsOf } from './record.js'
import { withFormer } from './former.js'
import type { Lock, LockedAsset, LockedKit, LockedSlug, LockedVersion } from './schema.js'

/**
 * Merges the locks of two processes that started from the same lockfile. For each entry, a changed side takes
 * precedence over an unchanged one. If both have changed, the result does not depend on which side is `ours`, and it
 * keeps every name that an import may use.
 */
export function mergeLocks(base: Lock, ours: Lock, theirs: Lock): Lock {
  return omitUndefined({
    space: ours.space ?? theirs.space,
    kits: mergeTables(base.kits, ours.kits, theirs.kits, mergeKits),
  })
}

type Table<T> = Record<string, T>

function mergeTables<T>(
  base: Table<T>,
  ours: Table<T>,
  theirs: Table<T>,
  merge: (ours: T, theirs: T, base: T | undefined) => T,
): Table<T> {
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].toSorted(compareStrings)
  const merged: Table<T> = {}
  for (const key of keys) {
    const [was, our, their] = [base[key], ours[key], theirs[key]]
    const value = our === undefined || their === undefined ? (our ?? their) : merge(our, their, was)
    const isRemoved = was !== undefined && (our === undefined || their === undefined)
    // One side has removed the entry: it stays only if the other side has changed it.
    if (value !== undefined && !(isRemoved && isDeepStrictEqual(value, was))) merged[key] = value
  }
  return merged
}

function mergeKits(ours: LockedKit, theirs: LockedKit, base: LockedKit | undefined): LockedKit {
  const empty = { selectors: {}, sections: {}, headings: {}, assets: {} }
  const was = base ?? empty
  const own = unlessChangedByOne(mergeSlugs)(slugsOf(ours), slugsOf(theirs), base && slugsOf(base))
  const selectors = mergeTables(was.selectors, ours.selectors, theirs.selectors, unlessChangedByOne(later))
  const order = compareVersions(lastVersion(ours), lastVersion(theirs))
  const merge = mergeAssets(order, hasSeveralVersions({ selectors }))
  return {
    ...own,
    selectors,
    sections: mergeTables(was.sections, ours.sections, theirs.sections, unlessChangedByOne(mergeSlugs)),
    headings: mergeTables(was.headings, ours.headings, theirs.headings, unlessChangedByOne(mergeSlugs)),
    assets: mergeTables(was.assets, ours.assets, theirs.assets, unlessChangedByOne(merge)),
  }
}

function slugsOf({ slug, aliases, former }: LockedKit): LockedSlug {
  return omitUndefined({ slug, aliases, former })
}

/** Calls `merge` only if both sides have changed an entry, and differ. */
function unlessChangedByOne<T>(merge: (ours: T, theirs: T) => T): (ours: T, theirs: T, base: T | undefined) => T {
  return (ours, theirs, base) => {
    if (isDeepStrictEqual(ours, base)) return theirs
    return isDeepStrictEqual(theirs, base) || isDeepStrictEqual(ours, theirs) ? ours : merge(ours, theirs)
  }
}

function compareVersions(a: LockedVersion | undefined, b: LockedVersion | undefined): number {
  return (a?.version ?? -1) - (b?.version ?? -1) || compareStrings(a?.date ?? '', b?.date ?? '')
}

/** Of one version with two contents, neither is known to be right: the next run takes the one that the space lists. */
function later(ours: LockedVersion, theirs: LockedVersion): LockedVersion {
  const by = compareVersions(ours, theirs)
  const newer = (by || compareStrings(JSON.stringify(ours), JSON.stringify(theirs))) > 0 ? ours : theirs
  if (ours.version !== theirs.version) return newer
  const [content, other] = [ours.content ?? theirs.content, theirs.content ?? ours.content]
  return omitUndefined({ ...newer, content: content === other ? content : undefined })
}

function mergeSlugs(ours: LockedSlug, theirs: LockedSlug): LockedSlug {
  const [{ slug }] = currentFirst(ours, theirs, slugNames)
  const all = [ours.slug, theirs.slug, ...(ours.aliases ?? []), ...(theirs.aliases ?? [])]
  const aliases = [...new Set(all)].filter((alias) => alias !== slug).toSorted(compareStrings)
  return withFormer({ slug, ...(aliases.length > 0 && { aliases }) }, [ours.former, theirs.former])
}

/** The name of an entry, and its former names, in a form to compare. */
export type Names = readonly [current: string, ...former: string[]]

export function slugNames({ slug, aliases = [] }: LockedSlug): Names {
  return [slug, ...aliases]
}

export function assetNames({ aliases = [], ...asset }: LockedAsset): Names {
  return [nameKey(asset), ...aliases.map(nameKey)]
}

/** Sorts two sides: first the one that has the name of the other as a former name, or else in alphabetical order. */
function currentFirst<T>(ours: T, theirs: T, namesOf: (one: T) => Names): [T, T] {
  const [[our, ...ourFormer], [their, ...theirFormer]] = [namesOf(ours), namesOf(theirs)]
  const former = Number(theirFormer.includes(our)) - Number(ourFormer.includes(their))
  return (former || compareStrings(our, their)) <= 0 ? [ours, theirs] : [theirs, ours]
}

/**
 * @param order compares the versions of both sides: files and removals are those of the newer one
 * @param isOneOfSeveral whether the merged kit has several versions
 */
function mergeAssets(order: number, isOneOfSeveral: boolean): (ours: LockedAsset, theirs: LockedAsset) => LockedAsset {
  return (ours, theirs) => {
    const [first, second] = currentFirst(ours, theirs, assetNames)
    const all = [first, second, ...(first.aliases ?? []), ...(second.aliases ?? [])]
    const names = new Map(all.map((name) => [nameKey(name), name]))
    names.delete(nameKey(first))
    const aliases = [...names.values()]
      .map(({ name, slug }) => ({ name, slug }))
      .toSorted((a, b) => compareStrings(nameKey(a), nameKey(b)))
    const lastSeen = ours.lastSeen && theirs.lastSeen && later(ours.lastSeen, theirs.lastSeen)
    const merged = omitUndefined({
      name: first.name,
      slug: first.slug,
      aliases: aliases.length === 0 ? undefined : aliases,
      ...mergeContent(ours, theirs, order, isOneOfSeveral),
      lastSeen: order === 0 ? lastSeen : (order > 0 ? ours : theirs).lastSeen,
    })
    return withFormer<LockedAsset>(merged, [ours.former, theirs.former])
  }
}

function nameKey({ name, slug }: { name: string; slug: string }): string {
  return JSON.stringify([name, slug])
}

/** The hashes of the newer side, with those of the other one that belong to the same revision or to another version. */
function mergeContent(ours: LockedAsset, theirs: LockedAsset, order: number, isOneOfSeveral: boolean): LockedContent {
  const [our, their] = [contentOf(ours), contentOf(theirs)]
  const isOurs = (-order || compareStrings(JSON.stringify(our), JSON.stringify(their))) <= 0
  const [newer, older] = isOurs ? [our, their] : [their, our]
  const hash = newer.file_hash ?? ''
  const known = mergeTables({}, revisionsOf(newer), revisionsOf(older), (own, other) => ({ ...other, ...own }))
  // Without a `file_hash`, another version may have another file.
  const isSame = order === 0 && newer.file_hash === older.file_hash
  const files = known[hash] ?? { ...(isSame && older.files), ...newer.files }
  delete known[hash]
  return {
    ...omitUndefined({ file_hash: newer.file_hash }),
    ...(Object.keys(files).length > 0 && { files }),
    ...(isOneOfSeveral && Object.keys(known).length > 0 && { revisions: known }),
  }
}

type LockedContent = Pick<LockedAsset, 'file_hash' | 'files' | 'revisions'>

function contentOf({ file_hash, files, revisions }: LockedAsset): LockedContent {
  return omitUndefined({ file_hash, files: files && sorted(files), revisions: revisions && sorted(revisions) })
}

function sorted<T>(table: Table<T>): Table<T> {
  return Object.fromEntries(Object.entries(table).toSorted(([a], [b]) => compareStrings(a, b)))
}
