import type { NamedKit } from '../../../kit/named-kit.js'
import { ContentSpaceError } from '../../../errors.js'
import { compareStrings } from '../../../text/compare.js'

/** What Iconify accepts as a prefix and as the name of an icon. */
const iconifyName = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Names of the icons of a set. */
export interface IconNames {
  /** By uuid. */
  icons: ReadonlyMap<string, string>
  /** Names of icons by former name. */
  aliases: ReadonlyMap<string, string>
}

/**
 * Names icons by their slugs. Iconify allows ASCII only: accents are dropped, and a name of which nothing is left is a
 * part of the uuid. Names that collide all get a part of the uuid. The result does not depend on the display order.
 */
export function nameIcons({ assets }: NamedKit, uuids: readonly string[]): IconNames {
  const sorted = uuids.toSorted(compareStrings)
  const plain = sorted.map((uuid) => ({
    uuid,
    name: asciiName(assets.get(uuid)?.slug ?? '') || `icon-${startOf(uuid)}`,
  }))
  const counts = new Map<string, number>()
  for (const { name } of plain) counts.set(name, (counts.get(name) ?? 0) + 1)
  const icons = new Map(
    plain.map(({ uuid, name }) => [uuid, counts.get(name) === 1 ? name : `${name}-${startOf(uuid)}`]),
  )
  const taken = new Set(icons.values())
  const aliases = sorted.flatMap((uuid) =>
    (assets.get(uuid)?.aliases ?? []).flatMap(({ slug }) => {
      const former = asciiName(slug)
      if (former === '' || taken.has(former)) return []
      taken.add(former)
      return [[former, icons.get(uuid) ?? ''] as const]
    }),
  )
  return { icons, aliases: new Map(aliases) }
}

function startOf(uuid: string): string {
  return uuid.slice(0, 8).toLowerCase()
}

/** Returns a text as a name of Iconify. Empty if nothing of it is left. */
function asciiName(text: string): string {
  const letters = text.normalize('NFKD').replaceAll('ß', 'ss').replace(/\p{M}/gu, '').toLowerCase()
  return letters
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')
}

/**
 * Returns the prefix of an icon set.
 * @param given option `prefix`
 * @throws ContentSpaceError `invalidOption`
 */
export function iconPrefix(given: string | undefined, slug: string, uuid: string): string {
  if (given === undefined) return asciiName(slug) || `kit-${startOf(uuid)}`
  if (iconifyName.test(given)) return given
  const near = asciiName(given)
  const hint = near === '' ? '' : ` Did you mean ${near}?`
  throw new ContentSpaceError('invalidOption', `${given} is not a valid prefix of an icon set.`, {
    hint: `A prefix consists of a-z, 0-9 and single hyphens.${hint}`,
  })
}
