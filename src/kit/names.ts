import { foldName } from '../text/letters.js'
import { labelsOf, slugOf, withoutType } from './identifiers.js'

/** A kit, section, heading or asset with its name in the space. */
export interface NamedRecord {
  uuid: string
  name: string
}

interface AssetName {
  name: string
  slug: string
}

/** The names of an asset. Aliases are its names from before upstream renames. */
export interface AssetNames extends AssetName {
  aliases: AssetName[]
}

/** The slugs of a kit, section or heading. Aliases are its slugs from before upstream renames. */
export interface Slugs {
  slug: string
  aliases: string[]
}

/** A version with its label and date, for messages. */
export interface VersionLabel {
  version: number
  versionIdentifier: string
  /** ISO 8601. */
  date?: string | undefined
}

/** Names that no longer work, for errors. */
interface Former {
  former?: readonly string[] | undefined
}

/** Names of earlier runs, by uuid. We keep them, and don't reuse names of removed assets. */
export type GivenNames = Readonly<
  Record<
    string,
    AssetName & Former & { aliases?: readonly AssetName[] | undefined; lastSeen?: VersionLabel | undefined }
  >
>
/** Slugs of earlier runs, by uuid. */
export type GivenSlugs = Readonly<
  Record<string, { slug: string; aliases?: readonly string[] | undefined; shortId?: string | undefined } & Former>
>

/** Returns the export names and slugs of an earlier run that still work. */
export function namesOfGiven(entry: GivenNames[string] | GivenSlugs[string]): string[] {
  const names = [entry, ...(entry.aliases ?? [])]
  return names.flatMap((one) => (typeof one === 'string' ? one : 'name' in one ? [one.name, one.slug] : one.slug))
}

/** Returns uuids by former name. @param current the names of a run that generates all names again */
export function formerNames(
  given: GivenNames | GivenSlugs,
  current?: ReadonlyMap<string, AssetNames | Slugs>,
): Map<string, string> {
  return new Map(
    Object.entries(given).flatMap(([uuid, entry]) => {
      const now = current?.get(uuid)
      const dropped = now ? namesOfGiven(entry).filter((name) => !namesOfGiven(now).includes(name)) : []
      return [...(entry.former ?? []), ...dropped].map((name) => [name, uuid] as const)
    }),
  )
}

/** Returns what to do about a former name. */
export function formerHint(now: string): string {
  return `It is now called ${now}. \`npx content-space update --rename --write\` writes the new names into the source.`
}

/**
 * Generates the export name and the slug of every asset of a kit. The result doesn't depend on the order of assets.
 * Keeps names of earlier runs. After an upstream rename, an asset gets a new name, and the old one becomes an alias.
 * @param chosen export names that the project assigns, by uuid. They replace the generated names and don't affect any
 *   other name.
 * @param earlier as in `uniqueLabels`
 * @param identities the uuids to use as suffixes if the version has its own uuids
 */
export function nameAssets(
  assets: readonly { uuid: string; name: string; type: string }[],
  given: GivenNames = {},
  chosen: ReadonlyMap<string, string> = new Map(),
  earlier = given,
  identities: ReadonlyMap<string, string> = new Map(),
): Map<string, AssetNames> {
  const entries = assets.map(({ uuid, name, type }) => {
    return { uuid, id: identities.get(uuid) ?? uuid, ...labelsOf(withoutType(name, type)) }
  })
  const before = new Map(
    Object.entries(given).map(([uuid, { name, slug, aliases = [] }]) => [uuid, [{ name, slug }, ...aliases]]),
  )
  const column = (key: keyof AssetName) =>
    new Map([...before].map(([uuid, names]) => [uuid, names.map((name) => name[key])]))
  const names = uniqueLabels(
    entries.map(({ uuid, id, identifier }) => ({ uuid, id, base: identifier || fallback('asset_', id) })),
    column('name'),
    '_',
    earlier,
  )
  const slugs = uniqueSlugs(entries, 'asset', column('slug'), earlier)
  return new Map(
    entries.map(({ uuid }) => {
      const now = { name: chosen.get(uuid) ?? names.get(uuid) ?? '', slug: slugs.get(uuid) ?? '' }
      const aliases = (before.get(uuid) ?? []).filter(({ name, slug }) => name !== now.name || slug !== now.slug)
      return [uuid, { ...now, aliases }]
    }),
  )
}

/** Generates the slugs of kits, sections or headings by the same rules. @param earlier as in `uniqueLabels` */
export function nameSlugs(
  entries: readonly NamedRecord[],
  kind: 'kit' | 'section' | 'heading',
  given: GivenSlugs = {},
  earlier = given,
): Map<string, Slugs> {
  const before = new Map(Object.entries(given).map(([uuid, { slug, aliases = [] }]) => [uuid, [slug, ...aliases]]))
  const named = entries.map(({ uuid, name }) => ({ uuid, id: uuid, slug: slugOf(name) }))
  const slugs = uniqueSlugs(named, kind, before, earlier)
  return new Map(
    entries.map(({ uuid }) => {
      const slug = slugs.get(uuid) ?? ''
      return [uuid, { slug, aliases: (before.get(uuid) ?? []).filter((alias) => alias !== slug) }]
    }),
  )
}

/** Returns a function that looks up slugs by uuid, the current one first, for `findByName`. */
export function slugsIn(slugs: ReadonlyMap<string, Slugs>): (uuid: string) => string[] {
  return (uuid) => {
    const { slug = '', aliases = [] } = slugs.get(uuid) ?? {}
    return [slug, ...aliases]
  }
}

function uniqueSlugs(
  entries: readonly { uuid: string; id: string; slug: string }[],
  kind: string,
  before: ReadonlyMap<string, string[]>,
  earlier: GivenNames | GivenSlugs,
) {
  const bases = entries.map(({ uuid, id, slug }) => {
    return { uuid, id, base: slug || fallback(`${kind}-`, id).toLowerCase() }
  })
  return uniqueLabels(bases, before, '-', earlier)
}

function fallback(prefix: string, uuid: string): string {
  return prefix + uuid.slice(0, 8)
}

/**
 * Generates labels that are unique on every file system, even one that ignores case and treats canonically equivalent
 * names as equal. New labels that collide with each other all get the start of the uuid as a suffix. If a new label
 * collides with an existing one, only the new one gets the suffix.
 * @param earlier names that the entries had. They aren't given to other entries, because imports of them would silently
 *   change.
 */
function uniqueLabels(
  entries: readonly { uuid: string; id: string; base: string }[],
  given: ReadonlyMap<string, readonly string[]>,
  separator: '_' | '-',
  earlier: GivenNames | GivenSlugs,
): Map<string, string> {
  const labels = new Map<string, string>()
  /** `folded`: the label as returned by `foldName`. */
  const newcomers: { uuid: string; id: string; base: string; folded: string; level: number }[] = []
  for (const { uuid, id, base } of entries) {
    const before = given
      .get(uuid)
      ?.find((label) => levels.some((level) => label === labelAtLevel(base, id, level, separator)))
    if (before === undefined) newcomers.push({ uuid, id, base, folded: foldName(base), level: 0 })
    else labels.set(uuid, before)
  }
  const owners = new Map<string, string>()
  // An asset with a suffix shares its name with other assets, which the lockfile may lack.
  for (const { uuid, base } of entries) if (labels.has(uuid)) owners.set(foldName(base), uuid)
  const lines = new Map(Object.entries(earlier))
  const known = entries.flatMap(({ uuid }) => {
    const line = lines.get(uuid)
    return line === undefined ? [] : [{ uuid, line }]
  })
  for (const { uuid, line } of known) for (const label of line.former ?? []) owners.set(foldName(label), uuid)
  for (const { uuid, line } of known) for (const label of namesOfGiven(line)) owners.set(foldName(label), uuid)
  for (const [uuid, before] of given) for (const label of before) owners.set(foldName(label), uuid)
  let collided = newcomers
  while (collided.length > 0) {
    const counts = new Map<string, number>()
    for (const { folded } of newcomers) counts.set(folded, (counts.get(folded) ?? 0) + 1)
    collided = newcomers.filter(({ uuid, folded, level }) => {
      const taken = counts.get(folded) !== 1 || (owners.get(folded) ?? uuid) !== uuid
      return taken && level < levels.length - 1
    })
    for (const newcomer of collided) {
      newcomer.level++
      newcomer.folded = foldName(labelAtLevel(newcomer.base, newcomer.id, newcomer.level, separator))
    }
  }
  for (const { uuid, id, base, level } of newcomers) labels.set(uuid, labelAtLevel(base, id, level, separator))
  return labels
}

/** 0 is the label itself, 1 adds the start of the uuid, and 2 adds the whole uuid. */
const levels = [0, 1, 2]

function labelAtLevel(base: string, uuid: string, level: number, separator: '_' | '-'): string {
  if (level === 0) return base
  const suffix = level === 1 ? uuid.slice(0, 8) : uuid.replaceAll('-', '')
  return base + separator + (separator === '-' ? suffix.toLowerCase() : suffix)
}
