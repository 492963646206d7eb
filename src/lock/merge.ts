import { isDeepStrictEqual as same } from 'node:util'
import { compareStrings } from '../text/compare.js'
import type { Lock, LockedAsset, LockedKit, LockedSlug, LockedVersion } from './schema.js'

/**
 * Joins what two processes made of one lock. Entry by entry, a side that changed wins over one that did not; where
 * both changed, the result is the same whichever is called `ours`, and it loses no name that an import may use.
 */
export function mergeLocks(base: Lock, ours: Lock, theirs: Lock): Lock {
  const space = ours.space ?? theirs.space
  return {
    ...(space === undefined ? {} : { space }),
    kits: mergeTables(base.kits, ours.kits, theirs.kits, mergeKits),
  }
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
    const removed = was !== undefined && (our === undefined || their === undefined)
    if (value !== undefined && !(removed && same(value, was))) merged[key] = value
  }
  return merged
}

function mergeKits(ours: LockedKit, theirs: LockedKit, base: LockedKit | undefined): LockedKit {
  const empty = { selectors: {}, sections: {}, headings: {}, assets: {} }
  const was = base ?? empty
  const { slug, aliases = [] } = unlessChangedByOne(mergeSlugs)(slugsOf(ours), slugsOf(theirs), base && slugsOf(base))
  return {
    slug,
    ...(aliases.length === 0 ? {} : { aliases }),
    selectors: mergeTables(was.selectors, ours.selectors, theirs.selectors, unlessChangedByOne(later)),
    sections: mergeTables(was.sections, ours.sections, theirs.sections, unlessChangedByOne(mergeSlugs)),
    headings: mergeTables(was.headings, ours.headings, theirs.headings, unlessChangedByOne(mergeSlugs)),
    assets: mergeTables(was.assets, ours.assets, theirs.assets, unlessChangedByOne(mergeAssets)),
  }
}

function slugsOf({ slug, aliases = [] }: LockedKit): LockedSlug {
  return { slug, aliases }
}

function unlessChangedByOne<T>(merge: (ours: T, theirs: T) => T): (ours: T, theirs: T, base: T | undefined) => T {
  return (ours, theirs, base) => {
    if (same(ours, base)) return theirs
    return same(theirs, base) || same(ours, theirs) ? ours : merge(ours, theirs)
  }
}

function later(ours: LockedVersion, theirs: LockedVersion): LockedVersion {
  const by = ours.version - theirs.version || compareStrings(ours.date ?? '', theirs.date ?? '')
  return (by || compareStrings(JSON.stringify(ours), JSON.stringify(theirs))) > 0 ? ours : theirs
}

/** The smaller slug stays in front; the other goes on being understood. */
function mergeSlugs(ours: LockedSlug, theirs: LockedSlug): LockedSlug {
  const slug = [ours.slug, theirs.slug].toSorted(compareStrings)[0] ?? ours.slug
  const all = [ours.slug, theirs.slug, ...(ours.aliases ?? []), ...(theirs.aliases ?? [])]
  const aliases = [...new Set(all)].filter((alias) => alias !== slug).toSorted(compareStrings)
  return { slug, ...(aliases.length === 0 ? {} : { aliases }) }
}

function mergeAssets(ours: LockedAsset, theirs: LockedAsset): LockedAsset {
  const [first, second] = compareStrings(textOf(ours), textOf(theirs)) <= 0 ? [ours, theirs] : [theirs, ours]
  const names = new Map(
    [first, second, ...(first.aliases ?? []), ...(second.aliases ?? [])].map((given) => [textOf(given), given]),
  )
  names.delete(textOf(first))
  const aliases = [...names.values()]
    .map(({ name, slug }) => ({ name, slug }))
    .toSorted((a, b) => compareStrings(textOf(a), textOf(b)))
  const lastSeen = ours.lastSeen && theirs.lastSeen && later(ours.lastSeen, theirs.lastSeen)
  return {
    name: first.name,
    slug: first.slug,
    ...(aliases.length === 0 ? {} : { aliases }),
    ...mergeContent(ours, theirs),
    ...(lastSeen === undefined ? {} : { lastSeen }),
  }
}

function textOf({ name, slug }: { name: string; slug: string }): string {
  return JSON.stringify([name, slug])
}

/** The sha256 of both sides belong together only when they are of the same revision of the file. */
function mergeContent(ours: LockedAsset, theirs: LockedAsset): Pick<LockedAsset, 'file_hash' | 'files'> {
  const [small = {}, large = {}] = [contentOf(ours), contentOf(theirs)].toSorted((a, b) =>
    compareStrings(JSON.stringify(a), JSON.stringify(b)),
  )
  if (ours.file_hash !== theirs.file_hash) return small
  const files = { ...large.files, ...small.files }
  return { ...small, ...(Object.keys(files).length === 0 ? {} : { files }) }
}

function contentOf({ file_hash, files }: LockedAsset): Pick<LockedAsset, 'file_hash' | 'files'> {
  return {
    ...(file_hash === undefined ? {} : { file_hash }),
    ...(files === undefined
      ? {}
      : { files: Object.fromEntries(Object.entries(files).toSorted(([a], [b]) => compareStrings(a, b))) }),
  }
}
