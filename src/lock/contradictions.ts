import { assetNames, slugNames, type Names } from './merge.js'
import type { Lock, LockedKit } from './schema.js'

/** Lists what two locks name differently, unless one of them has the name of the other as a former name. */
export function findContradictions(ours: Lock, theirs: Lock): string[] {
  const isOtherSpace = ours.space !== undefined && theirs.space !== undefined && ours.space !== theirs.space
  const kits = inBoth(ours.kits, theirs.kits).flatMap(([uuid, our, their]) => {
    const kit = `kit ${our.slug || uuid}`
    return [...compareKits(our, their)].map((line) => `${kit}: ${line}`)
  })
  return isOtherSpace ? [`the space is ${ours.space} and ${theirs.space}`, ...kits] : kits
}

function compareKits(ours: LockedKit, theirs: LockedKit): string[] {
  return [
    ...(areContrary(slugNames(ours), slugNames(theirs)) ? [`it is called ${ours.slug} and ${theirs.slug}`] : []),
    ...compareTables('section', ours.sections, theirs.sections, slugNames, ({ slug }) => slug),
    ...compareTables('heading', ours.headings, theirs.headings, slugNames, ({ slug }) => slug),
    ...compareTables('asset', ours.assets, theirs.assets, assetNames, ({ name, slug }) => `${name} (${slug})`),
  ]
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
