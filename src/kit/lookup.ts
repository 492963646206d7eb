import type { KitHead } from '../asset.js'
import { ContentSpaceError, type ErrorCode, type ErrorFacts } from '../errors.js'
import { meansShortId } from '../space/short-id.js'
import { canonicalUuid } from '../space/uuid.js'
import { compareStrings } from '../text/compare.js'
import { similar } from '../text/nearest.js'
import { formerHint, type GivenSlugs, type NamedRecord } from './names.js'

/** The kind of entry to search for and the place to search, for messages. */
export interface LookupScope {
  what: 'kit' | 'section' | 'heading' | 'asset'
  /** `kit Brand` */
  where: string
  /** The error code if nothing is found. */
  code: ErrorCode
  facts?: ErrorFacts
  /** Other names of entries, such as aliases in the options, with the uuid or slug that each stands for. */
  aliases?: ReadonlyMap<string, string>
  /** Uuids by names that no longer work. */
  former?: ReadonlyMap<string, string>
  /** Returns the short ids of an entry by its uuid. Default: none. */
  shortIdsOf?: (uuid: string) => readonly string[]
}

export function scopeIn(kit: Pick<KitHead, 'uuid' | 'name' | 'version'>, what: 'section' | 'heading' | 'asset') {
  const facts = { kit: kit.uuid, version: kit.version }
  return { what, where: `kit ${kit.name}`, code: `${what}NotFound`, facts } satisfies LookupScope
}

/**
 * Finds an entry by uuid, slug or short id, including slugs from before an upstream rename.
 * @param name canonical: a uuid in upper case, or a slug or a short id in lower case
 * @param slugsOf returns the slugs of an entry by its uuid, the current one first
 * @throws ContentSpaceError `scope.code` with the nearest names, or `ambiguousName` with the uuids of all matches
 */
export function findByName<T extends NamedRecord>(
  name: string,
  entries: readonly T[],
  slugsOf: (uuid: string) => readonly string[],
  scope: LookupScope,
): T {
  const slug = name.toLowerCase()
  const found =
    entries.find(({ uuid }) => uuid === name) ??
    entries.find(({ uuid }) => slugsOf(uuid)[0] === slug) ??
    entries.find(({ uuid }) => slugsOf(uuid).includes(slug))
  if (found) return found
  // Entries with the same name have slugs that end with the start of their uuids. If only one such entry remains, the
  // slug without that suffix finds it.
  const namesakes = entries.filter(({ uuid }) => hasUuidSuffix(slugsOf(uuid)[0] ?? '', slug, uuid))
  const [first, ...others] = namesakes
  const owner = scope.former?.get(slug) ?? first?.uuid
  // A former name of one entry must not find another.
  if (first && others.length === 0 && owner === first.uuid) return first
  const { shortIdsOf = () => [] } = scope
  const meant = entries.filter(({ uuid }) => shortIdsOf(uuid).some((id) => meansShortId(name, id)))
  if (meant.length === 1 && meant[0] && namesakes.length === 0) return meant[0]
  const alike = namesakes.length > 1 ? namesakes : meant
  const describe = ({ uuid, name: title }: NamedRecord) => `${slugsOf(uuid)[0]} (${title}, ${uuid})`
  throw alike.length > 1 ? ambiguousName(name, alike.map(describe), scope) : notFound(name, entries, slugsOf, scope)
}

/** Returns whether a name refers to an entry. @param name uuid, slug or short id */
export function isNameOf(name: string, { uuid, ...entry }: { uuid: string } & GivenSlugs[string]): boolean {
  return findGiven(name, { [uuid]: entry }) !== undefined
}

/** Returns the uuid of an entry of the lockfile. @param name uuid, slug or short id */
export function findGiven(name: string, given: GivenSlugs): string | undefined {
  const entries = Object.entries(given)
  const bySlug = entries.find(
    ([uuid, { slug, aliases = [] }]) => uuid === name || slug === name || aliases.includes(name),
  )
  const byShortId = () => entries.find(([, { shortId }]) => shortId !== undefined && meansShortId(name, shortId))
  return (bySlug ?? byShortId())?.[0]
}

function ambiguousName(name: string, namesakes: readonly string[], scope: LookupScope): ContentSpaceError {
  const message = `More than one ${scope.what} of ${scope.where} is called ${name}.`
  return new ContentSpaceError('ambiguousName', message, {
    ...factsOf(name, scope),
    hint: `Write the uuid of one of them: ${namesakes.toSorted(compareStrings).join(', ')}.`,
  })
}

const listed = 5

/** Matches a uuid, or text that was meant as one. */
const uuidLike = /^\{?[\da-z]{6,10}-(?:[\da-z]{2,6}-){2,4}[\da-z]{8,16}\}?$/i

function notFound(
  name: string,
  entries: readonly NamedRecord[],
  slugsOf: (uuid: string) => readonly string[],
  scope: LookupScope,
): ContentSpaceError {
  const { what, where, code } = scope
  const isUuid = uuidLike.test(name)
  const form = isUuid && canonicalUuid(name) === undefined ? ' A uuid has 8-4-4-4-12 hexadecimal digits.' : ''
  const aliasOf = new Map([...(scope.aliases ?? [])].toReversed().map(([alias, target]) => [target, alias]))
  const known = entries.map((entry) => {
    const slug = slugsOf(entry.uuid)[0] ?? ''
    const key = aliasOf.get(entry.uuid) ?? aliasOf.get(slug) ?? slug
    return { keys: isUuid ? [entry.uuid] : [...new Set([key, slug])], shown: `${key} (${entry.name}, ${entry.uuid})` }
  })
  const byKey = new Map(known.flatMap(({ keys, shown }) => keys.map((key) => [key, shown] as const)))
  const now = scope.former?.get(name.toLowerCase())
  const near = new Set(similar(name, byKey.keys()).map((key) => byKey.get(key)))
  const some = known.toSorted((a, b) => compareStrings(a.keys[0] ?? '', b.keys[0] ?? '')).slice(0, listed)
  const more = known.length > some.length ? ` and ${known.length - some.length} more` : ''
  const shown = some.map((entry) => entry.shown).join(', ')
  const list = some.length === 0 ? `It has no ${what}s.` : `Its ${what}s are ${shown}${more}.`
  return new ContentSpaceError(code, `There is no ${what} ${name} in ${where}.${form}`, {
    ...factsOf(name, scope),
    hint: entries.some(({ uuid }) => uuid === now)
      ? formerHint(slugsOf(now ?? '')[0] ?? '')
      : near.size > 0
        ? `Did you mean ${[...near].join(', ')}?`
        : list,
  })
}

function factsOf(name: string, { what, facts }: LookupScope): ErrorFacts {
  return { ...facts, ...(what === 'heading' ? {} : { [what]: name }) }
}

/** Returns whether a slug is `base` followed by at least the start of the uuid, as for entries with the same name. */
function hasUuidSuffix(slug: string, base: string, uuid: string): boolean {
  const suffix = slug.startsWith(`${base}-`) ? slug.slice(base.length + 1) : ''
  return suffix.length >= 8 && uuid.replaceAll('-', '').toLowerCase().startsWith(suffix)
}
