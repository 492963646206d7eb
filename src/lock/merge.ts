import { isDeepStrictEqual } from 'node:util'
import { compareStrings } from '../text/compare.js'
import { omitUndefined } from '../text/omit-undefined.js'
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
  const { slug, aliases = [] } = unlessChangedByOne(mergeSlugs)(slugsOf(ours), slugsOf(theirs), base && slugsOf(base))
  return {
    ...lockedSlug(slug, aliases),
    selectors: mergeTables(was.selectors, ours.selectors, theirs.selectors, unlessChangedByOne(later)),
    sections: mergeTables(was.sections, ours.sections, theirs.sections, unlessChangedByOne(mergeSlugs)),
    headings: mergeTables(was.headings, ours.headings, theirs.headings, unlessChangedByOne(mergeSlugs)),
    assets: mergeTables(was.assets, ours.assets, theirs.assets, unlessChangedByOne(mergeAssets)),
  }
}

function slugsOf({ slug, aliases = [] }: LockedKit): LockedSlug {
  return { slug, aliases }
}

/** Calls `merge` only if both sides have changed an entry, and differ. */
function unlessChangedByOne<T>(merge: (ours: T, theirs: T) => T): (ours: T, theirs: T, base: T | undefined) => T {
  return (ours, theirs, base) => {
    if (isDeepStrictEqual(ours, base)) return theirs
    return isDeepStrictEqual(theirs, base) || isDeepStrictEqual(ours, theirs) ? ours : merge(ours, theirs)
  }
}

function later(ours: LockedVersion, theirs: LockedVersion): LockedVersion {
  const by = ours.version - theirs.version || compareStrings(ours.date ?? '', theirs.date ?? '')
  return (by || compareStrings(JSON.stringify(ours), JSON.stringify(theirs))) > 0 ? ours : theirs
}

/** The first slug in alphabetical order becomes the slug, and the other an alias. */
function mergeSlugs(ours: LockedSlug, theirs: LockedSlug): LockedSlug {
  const slug = [ours.slug, theirs.slug].toSorted(compareStrings)[0] ?? ours.slug
  const all = [ours.slug, theirs.slug, ...(ours.aliases ?? []), ...(theirs.aliases ?? [])]
  const aliases = [...new Set(all)].filter((alias) => alias !== slug).toSorted(compareStrings)
  return lockedSlug(slug, aliases)
}

function lockedSlug(slug: string, aliases: string[]): LockedSlug {
  return aliases.length === 0 ? { slug } : { slug, aliases }
}

function mergeAssets(ours: LockedAsset, theirs: LockedAsset): LockedAsset {
  const [first, second] = compareStrings(textOf(ours), textOf(theirs)) <= 0 ? [ours, theirs] : [theirs, ours]
  const names = new Map(
    [first, second, ...(first.aliases ?? []), ...(second.aliases ?? [])].map((name) => [textOf(name), name]),
  )
  names.delete(textOf(first))
  const aliases = [...names.values()]
    .map(({ name, slug }) => ({ name, slug }))
    .toSorted((a, b) => compareStrings(textOf(a), textOf(b)))
  const lastSeen = ours.lastSeen && theirs.lastSeen && later(ours.lastSeen, theirs.lastSeen)
  return omitUndefined({
    name: first.name,
    slug: first.slug,
    aliases: aliases.length === 0 ? undefined : aliases,
    ...mergeContent(ours, theirs),
    lastSeen,
  })
}

function textOf({ name, slug }: { name: string; slug: string }): string {
  return JSON.stringify([name, slug])
}

/** Hashes of both sides are merged only if they belong to the same revision of the file. */
function mergeContent(ours: LockedAsset, theirs: LockedAsset): LockedContent {
  const [small = {}, large = {}] = [contentOf(ours), contentOf(theirs)].toSorted((a, b) =>
    compareStrings(JSON.stringify(a), JSON.stringify(b)),
  )
  if (ours.file_hash !== theirs.file_hash) return small
  const files = { ...large.files, ...small.files }
  return { ...small, ...(Object.keys(files).length === 0 ? {} : { files }) }
}

type LockedContent = Pick<LockedAsset, 'file_hash' | 'files'>

function contentOf({ file_hash, files }: LockedAsset): LockedContent {
  const sorted = files && Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => compareStrings(a, b)))
  return omitUndefined({ file_hash, files: sorted })
}
