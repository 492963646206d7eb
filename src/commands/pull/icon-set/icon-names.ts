import type { NamedKit } from '../../../kit/named-kit.js'
import { ContentSpaceError } from '../../../errors.js'
import { compareStrings } from '../../../text/compare.js'

/** Matches the prefixes and names that Iconify accepts. */
const iconifyName = /^[a-z0-9]+(-[a-z0-9]+)*$/

export interface IconNames {
  /** By uuid. */
  icons: ReadonlyMap<string, string>
  /** Current names of icons, by former name. */
  aliases: ReadonlyMap<string, string>
}

/**
 * Names icons by their slugs. Iconify allows only ASCII, so accents are dropped, and a part of the uuid replaces a name
 * that becomes empty. If a current or former slug is a valid Iconify name, only its asset gets that name. A part of the
 * uuid is added to a name that is also another asset's slug, or that results from two slugs. Therefore, the result
 * doesn't depend on the display order, and adding an icon with accents doesn't rename an icon without them.
 * @param uuids of all icons of the kit, so that names don't depend on a selection
 */
export function nameIcons({ assets }: NamedKit, uuids: readonly string[]): IconNames {
  const current = uuids.toSorted(compareStrings).map((uuid) => ({ uuid, slug: assets.get(uuid)?.slug ?? '' }))
  const former = current.flatMap(({ uuid }) =>
    (assets.get(uuid)?.aliases ?? []).map((alias) => ({ uuid, slug: alias.slug })),
  )
  const owners = new Map<string, string>()
  for (const { uuid, slug } of [...current, ...former]) {
    if (iconifyName.test(slug) && !owners.has(slug)) owners.set(slug, uuid)
  }
  const icons = nameCurrent(current, owners)
  const aliases = former.flatMap(({ uuid, slug }) => {
    const name = asciiName(slug)
    const icon = icons.get(uuid)
    if (name === '' || icon === undefined || name === icon) return []
    if ((owners.get(name) ?? uuid) !== uuid) return []
    owners.set(name, uuid)
    return [[name, icon] as const]
  })
  return { icons, aliases: new Map(aliases) }
}

/** @param owners uuids by name. The function adds the names of the icons. */
function nameCurrent(
  current: readonly { uuid: string; slug: string }[],
  owners: Map<string, string>,
): Map<string, string> {
  const isFree = (name: string, uuid: string) => (owners.get(name) ?? uuid) === uuid
  const plain = current.map(({ uuid, slug }) => ({ uuid, name: asciiName(slug) || `icon-${startOf(uuid)}`, slug }))
  const converted = plain.filter(({ name, slug }) => name !== slug)
  const counts = new Map<string, number>()
  for (const { name } of converted) counts.set(name, (counts.get(name) ?? 0) + 1)
  const collided = new Set(converted.filter(({ uuid, name }) => counts.get(name) !== 1 || !isFree(name, uuid)))
  for (const one of plain) if (!collided.has(one)) owners.set(one.name, one.uuid)
  const icons = plain.map((one) => {
    if (!collided.has(one)) return [one.uuid, one.name] as const
    let name = `${one.name}-${startOf(one.uuid)}`
    while (!isFree(name, one.uuid)) name = `${name}-${one.uuid.toLowerCase()}`
    owners.set(name, one.uuid)
    return [one.uuid, name] as const
  })
  return new Map(icons)
}

function startOf(uuid: string): string {
  return uuid.slice(0, 8).toLowerCase()
}

/** Converts a name to an Iconify name. Returns an empty string if no valid characters remain. */
function asciiName(text: string): string {
  const letters = text.normalize('NFKD').replaceAll('ß', 'ss').replace(/\p{M}/gu, '').toLowerCase()
  return letters
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')
}

/** The rule for prefixes, for messages. */
export const prefixRule = 'A prefix consists of a-z, 0-9 and single hyphens.'

/**
 * Finds a valid prefix that is similar to an invalid one.
 * @returns undefined if the given prefix is valid; an empty string if no part of it is valid
 */
export function nearestPrefix(given: string): string | undefined {
  return iconifyName.test(given) ? undefined : asciiName(given)
}

/**
 * Returns the prefix of an icon set.
 * @param given option `prefix`
 * @throws ContentSpaceError `invalidOption`
 */
export function iconPrefix(given: string | undefined, slug: string, uuid: string): string {
  if (given === undefined) return asciiName(slug) || `kit-${startOf(uuid)}`
  const near = nearestPrefix(given)
  if (near === undefined) return given
  throw new ContentSpaceError('invalidOption', `${given} is not a valid prefix of an icon set.`, {
    hint: near === '' ? prefixRule : `${prefixRule} Did you mean ${near}?`,
  })
}
