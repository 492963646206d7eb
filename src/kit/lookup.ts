import { ContentSpaceError, type ErrorCode, type ErrorFacts } from '../errors.js'
import { nearest } from '../text/nearest.js'
import { canonicalUuid } from '../space/uuid.js'

/** Where a name is looked for, for messages. */
export interface LookupScope {
  what: 'kit' | 'section' | 'heading' | 'asset'
  /** `kit Brand` */
  where: string
  /** Of the error when nothing is found. */
  code: ErrorCode
  facts?: ErrorFacts
}

/**
 * Finds what an id means, by uuid or slug, also by a slug from before an upstream rename.
 * @param wanted canonical: a uuid in upper case or a slug in lower case
 * @param slugsOf the slugs of a thing by its uuid, the present one first
 * @throws ContentSpaceError `place.code` with the nearest right names, or `ambiguousName` with the candidates' uuids
 */
export function findByName<T extends { uuid: string; name: string }>(
  wanted: string,
  things: readonly T[],
  slugsOf: (uuid: string) => readonly string[],
  place: LookupScope,
): T {
  const slug = wanted.toLowerCase()
  const found =
    things.find(({ uuid }) => uuid === wanted) ??
    things.find(({ uuid }) => slugsOf(uuid)[0] === slug) ??
    things.find(({ uuid }) => slugsOf(uuid).includes(slug))
  if (found) return found
  const namesakes = things.filter(({ uuid }) => isMarked(slugsOf(uuid)[0] ?? '', slug, uuid))
  const [only, ...others] = namesakes
  if (only && others.length === 0) return only
  const describe = ({ uuid, name }: T) => `${slugsOf(uuid)[0]} (${name}, ${uuid})`
  const facts = { ...place.facts, ...(place.what === 'heading' ? {} : { [place.what]: wanted }) }
  if (only) {
    throw new ContentSpaceError('ambiguousName', `More than one ${place.what} of ${place.where} is called ${wanted}.`, {
      ...facts,
      hint: `Write the uuid of one of them: ${namesakes.map(describe).toSorted().join(', ')}.`,
    })
  }
  const isUuid = canonicalUuid(wanted) !== undefined
  const byKey = new Map(things.map((thing) => [isUuid ? thing.uuid : (slugsOf(thing.uuid)[0] ?? ''), thing]))
  const near = nearest(wanted, byKey.keys()).flatMap((key) => byKey.get(key) ?? [])
  throw new ContentSpaceError(place.code, `There is no ${place.what} ${wanted} in ${place.where}.`, {
    ...facts,
    hint: near.length > 0 ? `Did you mean ${near.map(describe).join(', ')}?` : `It has no ${place.what}s.`,
  })
}

/** Whether a slug is another one's with at least the start of the uuid behind, as namesakes have. */
function isMarked(slug: string, base: string, uuid: string): boolean {
  const mark = slug.startsWith(`${base}-`) ? slug.slice(base.length + 1) : ''
  return mark.length >= 8 && uuid.replaceAll('-', '').toLowerCase().startsWith(mark)
}
