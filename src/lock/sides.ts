import { ContentSpaceError } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import { assetNames, mergeLocks, type Names, slugNames } from './merge.js'
import { readSides, splitConflicts } from './read-sides.js'
import {
  emptyLock,
  invalidLock,
  type Lock,
  type LockedKit,
  type LockedSlug,
  type LockedTable,
  lockFromJson,
  parseLock,
  requireUniqueNames,
} from './schema.js'

export interface LockOfSides {
  lock: Lock
  /** The chosen versions, one per line. Set if the text contains both sides of a merge. */
  merged: string[] | undefined
}

const withoutSpace = (json: string): string => json.replaceAll(/\s+/g, '')

/**
 * Parses the text of a lockfile. If a merge of branches has left both sides in it, combines them: keeps the newer
 * version of each kit, and the names and files of both.
 * @throws ContentSpaceError `invalidLock` like `parseLock`, and if the sides assign different names
 */
export function parseSides(text: string, file: string): LockOfSides {
  let lock: Lock | undefined
  let failure: unknown
  try {
    lock = parseLock(text, file)
  } catch (error) {
    failure = error
  }
  // If an entry occurs twice, the text is longer than its parsed value.
  if (lock !== undefined && withoutSpace(JSON.stringify(JSON.parse(text))) === withoutSpace(text))
    return { lock, merged: undefined }
  const marked = splitConflicts(text)
  if (marked !== undefined) return mergeSides(locksOfMarked(marked, file), file)
  const sides = readSides(text)
  if (sides === undefined) throw failure
  if (lock !== undefined && sides.length === 1) return { lock, merged: undefined }
  const locks = sides.map((side) => lockFromJson(side, file))
  return mergeSides(locks, file)
}

/**
 * Parses the text of a lockfile for a run that may not write it.
 * @throws ContentSpaceError `invalidLock`, even if the text contains both sides of a merge
 */
export function parseOneSide(text: string, file: string): Lock {
  const { lock, merged } = parseSides(text, file)
  if (merged === undefined) return lock
  const what = splitConflicts(text) ? 'merge conflict markers' : 'the lines of both sides of a merge'
  const hint =
    'Run `npx content-space sync` where the lockfile is not frozen, which merges both sides, and commit the result.'
  throw invalidLock(file, `contains ${what}`, hint)
}

function locksOfMarked(texts: readonly string[], file: string): Lock[] {
  try {
    return texts.flatMap((text) => (readSides(text) ?? ['']).map((side) => lockFromJson(side, file)))
  } catch (cause) {
    const hint =
      'Resolve the conflicts by hand, or restore the file from version control and run `npx content-space sync`.'
    throw invalidLock(file, 'contains merge conflict markers, and one side is not a valid lockfile', hint, cause)
  }
}

function mergeSides(sides: readonly Lock[], file: string): LockOfSides {
  const pairs = sides.flatMap((ours, at) => sides.slice(at + 1).map((theirs) => [ours, theirs] as const))
  const lines = pairs.flatMap(([ours, theirs]) => findContradictions(ours, theirs))
  if (lines.length > 0) {
    throw new ContentSpaceError('invalidLock', `${file} contains both sides of a merge, with different names:`, {
      lines: [...new Set(lines)].toSorted(compareStrings),
      hint: 'Keep one name of each, and run `npx content-space sync`.',
    })
  }
  const lock = sides.reduce((merged, side) => mergeLocks(emptyLock, merged, side), emptyLock)
  requireUniqueNames(lock, file)
  return { lock, merged: [...new Set(pairs.flatMap(([ours, theirs]) => listVersions(ours, theirs, lock)))] }
}

/** Lists the kits that use different versions on two sides. */
function listVersions(ours: Lock, theirs: Lock, merged: Lock): string[] {
  return Object.entries(merged.kits).flatMap(([uuid, { slug, use }]) => {
    const both = [ours, theirs].flatMap(({ kits }) => kits[uuid]?.use ?? [])
    const other = both.find((version) => version !== use)
    return other === undefined ? [] : [`kit ${slug || uuid}: use is version ${use}, and not ${other}`]
  })
}

/** Lists entries that two locks name differently, unless one of them lists the other's name as a former name. */
function findContradictions(ours: Lock, theirs: Lock): string[] {
  const isOtherSpace = ours.space !== undefined && theirs.space !== undefined && ours.space !== theirs.space
  const kits = inBoth(ours.kits, theirs.kits).flatMap(([uuid, our, their]) => {
    const kit = `kit ${our.slug || uuid}`
    return [...compareKits(our, their)].map((line) => `${kit}: ${line}`)
  })
  return isOtherSpace ? [`the space is ${ours.space} and ${theirs.space}`, ...kits] : kits
}

function compareKits(ours: LockedKit, theirs: LockedKit): string[] {
  const versions = inBoth(ours.versions, theirs.versions)
  return [
    ...(areContrary(slugNames(ours), slugNames(theirs)) ? [`it is called ${ours.slug} and ${theirs.slug}`] : []),
    ...versions.flatMap(([version, our, their]) =>
      [
        ...compareTables('section', our.sections, their.sections, slugNames, ({ slug }) => slug),
        ...compareTables('heading', headingsOf(our), headingsOf(their), slugNames, ({ slug }) => slug),
        ...compareTables('asset', our.assets, their.assets, assetNames, ({ name, slug }) => `${name} (${slug})`),
        ...compareOwners(our, their),
      ].map((line) => `${line} in version ${version}`),
    ),
  ]
}

/** Lists names that the two sides assign to different assets. */
function compareOwners(ours: LockedTable, theirs: LockedTable): string[] {
  const owners = new Map(Object.entries(ours.assets).map(([uuid, { name }]) => [name, uuid]))
  return Object.entries(theirs.assets).flatMap(([uuid, { name }]) => {
    const owner = owners.get(name)
    const isOther = owner !== undefined && owner !== uuid && theirs.assets[owner]?.name !== name
    return isOther && ours.assets[uuid] === undefined ? [`${name} is the name of assets ${owner} and ${uuid}`] : []
  })
}

function headingsOf({ items }: LockedTable): Record<string, LockedSlug> {
  const slugs = Object.entries(items).flatMap(([uuid, { slug, aliases }]) =>
    slug ? [[uuid, { slug, aliases }] as const] : [],
  )
  return Object.fromEntries(slugs)
}

function compareTables<T>(
  what: string,
  ours: Record<string, T>,
  theirs: Record<string, T>,
  namesOf: (one: T) => Names,
  describe: (one: T) => string,
): string[] {
  return inBoth(ours, theirs)
    .filter(([, our, their]) => areContrary(namesOf(our), namesOf(their)))
    .map(([uuid, our, their]) => `${what} ${uuid} is called ${describe(our)} and ${describe(their)}`)
}

function inBoth<T>(ours: Record<string, T>, theirs: Record<string, T>): [key: string, our: T, their: T][] {
  return Object.entries(ours).flatMap(([key, our]) => {
    const their = theirs[key]
    return their === undefined ? [] : [[key, our, their]]
  })
}

function areContrary(ours: Names, theirs: Names): boolean {
  return !ours.includes(theirs[0]) && !theirs.includes(ours[0])
}
