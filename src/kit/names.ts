import { foldName } from '../text/letters.js'
import { identifierOf, slugOf, withoutType } from './identifiers.js'

/** An export name and a slug of an asset. */
export interface AssetName {
  name: string
  slug: string
}

/** What an asset is called, and what it was called before upstream renamed it. */
export interface AssetNames extends AssetName {
  aliases: AssetName[]
}

/** What a kit, section or heading is called in ids, and what it was called before. */
export interface Slugs {
  slug: string
  aliases: string[]
}

/** A version with what people know it by. */
export interface VersionLabel {
  version: number
  versionIdentifier: string
  /** ISO 8601. */
  date?: string | undefined
}

/** Names that an earlier run gave, by uuid. They are kept, and those of things that are gone stay taken. */
export type GivenNames = Readonly<
  Record<string, AssetName & { aliases?: readonly AssetName[] | undefined; lastSeen?: VersionLabel | undefined }>
>
export type GivenSlugs = Readonly<Record<string, { slug: string; aliases?: readonly string[] | undefined }>>

/**
 * Gives every asset of a kit its export name and slug, the same in whatever order the assets come.
 * A name once given stays; after an upstream rename the asset gets a new one, and the old one becomes an alias.
 */
export function nameAssets(
  assets: readonly { uuid: string; name: string; type: string }[],
  given: GivenNames = {},
): Map<string, AssetNames> {
  const bare = assets.map(({ uuid, name, type }) => ({ uuid, name: withoutType(name, type) }))
  const before = new Map(
    Object.entries(given).map(([uuid, { name, slug, aliases = [] }]) => [uuid, [{ name, slug }, ...aliases]]),
  )
  const column = (key: keyof AssetName) =>
    new Map([...before].map(([uuid, names]) => [uuid, names.map((name) => name[key])]))
  const names = label(
    bare.map(({ uuid, name }) => ({ uuid, base: identifierOf(name) || fallback('asset_', uuid) })),
    column('name'),
    '_',
  )
  const slugs = labelSlugs(bare, 'asset', column('slug'))
  return new Map(
    bare.map(({ uuid }) => {
      const now = { name: names.get(uuid) ?? '', slug: slugs.get(uuid) ?? '' }
      const aliases = (before.get(uuid) ?? []).filter(({ name, slug }) => name !== now.name || slug !== now.slug)
      return [uuid, { ...now, aliases }]
    }),
  )
}

/** Gives kits, sections or headings their slugs, by the same rules. */
export function nameSlugs(
  things: readonly { uuid: string; name: string }[],
  kind: 'kit' | 'section' | 'heading',
  given: GivenSlugs = {},
): Map<string, Slugs> {
  const before = new Map(Object.entries(given).map(([uuid, { slug, aliases = [] }]) => [uuid, [slug, ...aliases]]))
  const slugs = labelSlugs(things, kind, before)
  return new Map(
    things.map(({ uuid }) => {
      const slug = slugs.get(uuid) ?? ''
      return [uuid, { slug, aliases: (before.get(uuid) ?? []).filter((alias) => alias !== slug) }]
    }),
  )
}

/** The slugs of each thing, the present one first, as `find` takes them. */
export function slugsIn(slugs: ReadonlyMap<string, Slugs>): (uuid: string) => string[] {
  return (uuid) => {
    const { slug = '', aliases = [] } = slugs.get(uuid) ?? {}
    return [slug, ...aliases]
  }
}

function labelSlugs(
  things: readonly { uuid: string; name: string }[],
  kind: string,
  before: ReadonlyMap<string, string[]>,
) {
  const bases = things.map(({ uuid, name }) => ({
    uuid,
    base: slugOf(name) || fallback(`${kind}-`, uuid).toLowerCase(),
  }))
  return label(bases, before, '-')
}

function fallback(prefix: string, uuid: string): string {
  return prefix + uuid.slice(0, 8)
}

/**
 * Labels that are distinct on every file system: also when case and canonical equivalence are ignored. Newcomers that
 * collide with each other all get the start of their uuid behind; a newcomer that collides with a label given before
 * gets it alone.
 */
function label(
  things: readonly { uuid: string; base: string }[],
  given: ReadonlyMap<string, readonly string[]>,
  separator: '_' | '-',
): Map<string, string> {
  const labels = new Map<string, string>()
  const newcomers: { uuid: string; candidates: string[]; level: number }[] = []
  for (const { uuid, base } of things) {
    const candidates = candidatesOf(uuid, base, separator)
    const kept = given.get(uuid)?.find((before) => candidates.includes(before))
    if (kept === undefined) newcomers.push({ uuid, candidates, level: 0 })
    else labels.set(uuid, kept)
  }
  const owners = new Map([...given].flatMap(([uuid, before]) => before.map((text) => [foldName(text), uuid] as const)))
  const textOf = ({ candidates, level }: (typeof newcomers)[number]) => candidates[level] ?? ''
  let collided = newcomers
  while (collided.length > 0) {
    const counts = new Map<string, number>()
    for (const text of newcomers.map(textOf).map(foldName)) counts.set(text, (counts.get(text) ?? 0) + 1)
    collided = newcomers.filter((newcomer) => {
      const text = foldName(textOf(newcomer))
      const taken = counts.get(text) !== 1 || (owners.get(text) ?? newcomer.uuid) !== newcomer.uuid
      return taken && newcomer.level < newcomer.candidates.length - 1
    })
    for (const newcomer of collided) newcomer.level++
  }
  for (const newcomer of newcomers) labels.set(newcomer.uuid, textOf(newcomer))
  return labels
}

/** The label alone, with the start of the uuid, and for uuids that start alike with all of it. */
function candidatesOf(uuid: string, base: string, separator: '_' | '-'): string[] {
  const marks = [uuid.slice(0, 8), uuid.replaceAll('-', '')]
  return [base, ...marks.map((mark) => base + separator + (separator === '-' ? mark.toLowerCase() : mark))]
}
