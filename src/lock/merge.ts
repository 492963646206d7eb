import { isDeepStrictEqual } from 'node:util'
import { compareStrings } from '../text/compare.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { Lock, LockedAsset, LockedItem, LockedKit, LockedSlug, LockedTable } from './schema.js'

/**
 * Merges the locks of two processes that started from the same lockfile. For each entry, a changed side takes
 * precedence over an unchanged one. If both sides changed, the result doesn't depend on which one is `ours`, and keeps
 * every name that an import may use.
 */
export function mergeLocks(base: Lock, ours: Lock, theirs: Lock): Lock {
  const { list = {} } = base
  const merged = mergeTables(list, ours.list ?? {}, theirs.list ?? {}, unlessChangedByOne(either))
  return omitUndefined({
    space: ours.space ?? theirs.space,
    list: Object.keys(merged).length === 0 ? undefined : merged,
    kits: mergeTables(base.kits, ours.kits, theirs.kits, mergeKits),
  })
}

type Table<T> = Readonly<Record<string, T>>

function mergeTables<T>(
  base: Table<T>,
  ours: Table<T>,
  theirs: Table<T>,
  merge: (ours: T, theirs: T, base: T | undefined) => T,
): Record<string, T> {
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].toSorted(compareStrings)
  const merged: Record<string, T> = {}
  for (const key of keys) {
    const [was, our, their] = [base[key], ours[key], theirs[key]]
    const value = our === undefined || their === undefined ? (our ?? their) : merge(our, their, was)
    const isRemoved = was !== undefined && (our === undefined || their === undefined)
    // If one side removed the entry, keep it only if the other side changed it.
    if (value !== undefined && !(isRemoved && isDeepStrictEqual(value, was))) merged[key] = value
  }
  return merged
}

function mergeKits(ours: LockedKit, theirs: LockedKit, base: LockedKit | undefined): LockedKit {
  const names = unlessChangedByOne(mergeSlugs)(slugsOf(ours), slugsOf(theirs), base && slugsOf(base))
  const name = unlessChangedByOne(either)(ours.name, theirs.name, base?.name)
  // Never go back to an older version.
  const use = unlessChangedByOne(newer)(ours.use, theirs.use, base?.use)
  const versions = mergeTables(base?.versions ?? {}, ours.versions, theirs.versions, mergeVersions)
  const shortId = ours.shortId ?? theirs.shortId
  const space = unlessChangedByOne(either)(ours.space, theirs.space, base?.space)
  return { name, ...names, ...omitUndefined({ shortId, space, use }), versions }
}

function mergeVersions(ours: LockedTable, theirs: LockedTable, base: LockedTable | undefined): LockedTable {
  const pick = <K extends 'label' | 'date' | 'head' | 'darkPattern'>(key: K): LockedTable[K] =>
    unlessChangedByOne<LockedTable[K]>(either)(ours[key], theirs[key], base?.[key])
  const whole = mergeTables(base?.whole ?? {}, ours.whole ?? {}, theirs.whole ?? {}, unlessChangedByOne(mergeUsers))
  return {
    label: pick('label'),
    ...omitUndefined({ date: pick('date'), head: pick('head'), darkPattern: pick('darkPattern') }),
    ...(Object.keys(whole).length > 0 && { whole }),
    sections: mergeTables(base?.sections ?? {}, ours.sections, theirs.sections, unlessChangedByOne(mergeNamed)),
    items: mergeTables(base?.items ?? {}, ours.items, theirs.items, unlessChangedByOne(mergeNamed)),
    assets: mergeTables(base?.assets ?? {}, ours.assets, theirs.assets, unlessChangedByOne(mergeAssets)),
  }
}

/** Chooses a value independently of the order of the sides, because we can't know which side is right. */
function either<T>(ours: T, theirs: T): T {
  if (ours === undefined || theirs === undefined) return ours ?? theirs
  return compareStrings(JSON.stringify(ours), JSON.stringify(theirs)) > 0 ? ours : theirs
}

function newer(ours: number | undefined, theirs: number | undefined): number | undefined {
  return Math.max(ours ?? -1, theirs ?? -1)
}

type Users = NonNullable<LockedTable['whole']>[string]

function mergeUsers(ours: Users, theirs: Users): Users {
  return omitUndefined({ by: userOf(ours, theirs), full: ours.full ?? theirs.full })
}

/** Returns who uses an entry. Use by the source, which is recorded by omitting `by`, takes precedence. */
function userOf(ours: Users, theirs: Users): Users['by'] {
  if (ours.by === undefined || theirs.by === undefined) return undefined
  return ours.by === 'pull' ? ours.by : theirs.by
}

function slugsOf({ slug, aliases, former }: LockedSlug): LockedSlug {
  return omitUndefined({ slug, aliases, former })
}

/** Returns a function that calls `merge` only if both sides changed a value in different ways. */
function unlessChangedByOne<T>(merge: (ours: T, theirs: T) => T): (ours: T, theirs: T, base: T | undefined) => T {
  return (ours, theirs, base) => {
    if (isDeepStrictEqual(ours, base)) return theirs
    return isDeepStrictEqual(theirs, base) || isDeepStrictEqual(ours, theirs) ? ours : merge(ours, theirs)
  }
}

/** Merges the names of a section or a heading. Takes everything else from one side. */
function mergeNamed<T extends Pick<LockedItem, 'slug' | 'aliases' | 'former'>>(ours: T, theirs: T): T {
  const chosen = either(ours, theirs)
  if (ours.slug === undefined || theirs.slug === undefined) return chosen
  const names = mergeSlugs({ ...ours, slug: ours.slug }, { ...theirs, slug: theirs.slug })
  const { slug, aliases, former } = names
  return { ...chosen, slug, aliases, former }
}

function mergeSlugs(ours: LockedSlug, theirs: LockedSlug): LockedSlug {
  const [{ slug }] = currentFirst(ours, theirs, slugNames)
  const all = [ours.slug, theirs.slug, ...(ours.aliases ?? []), ...(theirs.aliases ?? [])]
  const aliases = [...new Set(all)].filter((alias) => alias !== slug).toSorted(compareStrings)
  const former = formerOf([slug, ...aliases], ours, theirs)
  return omitUndefined({ slug, aliases: aliases.length > 0 ? aliases : undefined, former })
}

function formerOf(
  current: readonly string[],
  ours: Pick<LockedSlug, 'former'>,
  theirs: Pick<LockedSlug, 'former'>,
): string[] | undefined {
  const former = new Set([...(ours.former ?? []), ...(theirs.former ?? [])].filter((name) => !current.includes(name)))
  return former.size === 0 ? undefined : [...former].toSorted(compareStrings)
}

/** The name of an entry and its former names, in a comparable form. */
export type Names = readonly [current: string, ...former: string[]]

export function slugNames({ slug, aliases = [] }: LockedSlug): Names {
  return [slug, ...aliases]
}

export function assetNames({ aliases = [], ...asset }: LockedAsset): Names {
  return [nameKey(asset), ...aliases.map(nameKey)]
}

/**
 * Sorts two sides. A side whose former names include the other's name comes first; otherwise, the order is
 * alphabetical.
 */
function currentFirst<T>(ours: T, theirs: T, namesOf: (one: T) => Names): [T, T] {
  const [[our, ...ourFormer], [their, ...theirFormer]] = [namesOf(ours), namesOf(theirs)]
  const former = Number(theirFormer.includes(our)) - Number(ourFormer.includes(their))
  return (former || compareStrings(our, their)) <= 0 ? [ours, theirs] : [theirs, ours]
}

function mergeAssets(ours: LockedAsset, theirs: LockedAsset): LockedAsset {
  const [first, second] = currentFirst(ours, theirs, assetNames)
  const all = [first, second, ...(first.aliases ?? []), ...(second.aliases ?? [])]
  const names = new Map(all.map((name) => [nameKey(name), name]))
  names.delete(nameKey(first))
  const aliases = [...names.values()]
    .map(({ name, slug }) => ({ name, slug }))
    .toSorted((a, b) => compareStrings(nameKey(a), nameKey(b)))
  const current = [first, ...aliases].flatMap(({ name, slug }) => [name, slug])
  // One side may contain an asset that the other side recorded as removed or with fewer fields.
  const [content, other] = compareStrings(rankOf(ours), rankOf(theirs)) > 0 ? [ours, theirs] : [theirs, ours]
  const isSame = isDeepStrictEqual(content.record, other.record)
  const files = isSame ? mergeTables({}, content.files ?? {}, other.files ?? {}, either) : (content.files ?? {})
  return omitUndefined({
    ...content,
    name: first.name,
    slug: first.slug,
    aliases: aliases.length === 0 ? undefined : aliases,
    former: formerOf(current, ours, theirs),
    by: userOf(ours, theirs),
    files: Object.keys(files).length === 0 ? undefined : files,
    lastSeen: content.record === undefined ? content.lastSeen : undefined,
  })
}

function rankOf({ record, full, ...line }: LockedAsset): string {
  return JSON.stringify([record !== undefined, full, record, line])
}

function nameKey({ name, slug }: { name: string; slug: string }): string {
  return JSON.stringify([name, slug])
}
