import { oneLine } from '../text/display.js'
import { summaryAndHint, type ContentSpaceError } from '../errors.js'
import type { AssetPlan } from '../files/plan.js'
import type { Collection, NamedKit } from '../kit/named-kit.js'
import { formatQuery, type Query } from '../request/query.js'
import type { AssetRecord } from '../space/space.js'
import { identifier } from './literal.js'
import { assetType, exactType, typeText } from './types.js'

/** What a request turned out to mean, as far as types tell of it. */
export type Described =
  /** Declared for good in `unplugin-content-space/client`. */
  | { kind: 'kits' }
  | { kind: 'outline'; outline: unknown }
  | ({ kind: 'collection'; collection: Collection } & Required<OfKit>)
  | ({ kind: 'asset'; asset: AssetRecord } & OfKit)

/** Assets of one version of a kit under one query. */
interface OfKit {
  named: NamedKit
  query: Query
  /** By uuid. */
  plans: ReadonlyMap<string, AssetPlan>
  /** The others: they do not have the cut. */
  lacking?: ReadonlyMap<string, ContentSpaceError>
}

/** A specifier of the source, as it is written there, and what it means. */
export type ResolvedImport = { specifier: string } & (Described | { kind: 'refused'; reason: string })

const head = `// Made by unplugin-content-space from what the source imports; \`content-space sync\` renews it.
/// <reference types="unplugin-content-space/client" />
`

/** Which declaration others can refer to, by what it declares. */
interface Declared {
  modules: Map<string, string>
  assets: Map<string, { specifier: string; name: string }>
}

/** Whole kits come first, because what follows can then refer to them. */
const kinds = ['collection', 'asset', 'outline', 'kits', 'refused'] as const

/**
 * The text of `content-space.d.ts`: one exact module per specifier, and each asset declared once.
 * It is a script, not a module, so that it needs no import to be in force.
 * @param meanings one for each specifier, in any order
 */
export function declarationsText(meanings: readonly ResolvedImport[]): string {
  const declared: Declared = { modules: new Map(), assets: new Map() }
  const size = (meaning: ResolvedImport) => (meaning.kind === 'collection' ? -meaning.collection.assets.size : 0)
  const inOrder = meanings.toSorted(
    (a, b) =>
      kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || size(a) - size(b) || (a.specifier < b.specifier ? -1 : 1),
  )
  const modules = inOrder.flatMap((meaning) => {
    const lines = body(meaning, declared)
    return lines.length === 0 ? [] : [{ specifier: meaning.specifier, lines }]
  })
  const texts = modules
    .toSorted((a, b) => (a.specifier < b.specifier ? -1 : 1))
    .map(
      ({ specifier, lines }) =>
        `\ndeclare module ${typeText(specifier)} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`,
    )
  return head + texts.join('')
}

function body(meaning: ResolvedImport, declared: Declared): string[] {
  if (meaning.kind === 'kits') return []
  if (meaning.kind === 'refused') return defaultExport(errorType(meaning.reason))
  if (meaning.kind === 'outline') return defaultExport(exactType(meaning.outline))
  return meaning.kind === 'collection' ? collectionBody(meaning, declared) : assetBody(meaning, declared)
}

function assetBody(meaning: Extract<ResolvedImport, { kind: 'asset' }>, declared: Declared): string[] {
  const { asset, specifier } = meaning
  const known = assetOnce(asset, meaning, declared, { specifier, name: 'default' })
  if (known) return [`export { ${known.name} as default } from ${typeText(known.specifier)}`]
  return [documentation(asset, meaning), ...defaultExport(typeIn(meaning, asset))]
}

function errorType(reason: string): string {
  return `{ readonly error: ${typeText(reason)} }`
}

/** No asset's name holds a `$`. */
function defaultExport(type: string): string[] {
  return [`const $default: ${type}`, 'export default $default']
}

function collectionBody(meaning: Extract<ResolvedImport, { kind: 'collection' }>, declared: Declared): string[] {
  const { collection, specifier, named } = meaning
  const nameOf = (uuid: string) => identifier(named.assets.get(uuid)?.name ?? '')
  const references = new Map<unknown, string>()
  const tree = collection.tree((uuid) => {
    const reference = {}
    references.set(reference, `typeof ${nameOf(uuid)}`)
    return reference
  })
  const type = exactType(tree, references)
  const module = JSON.stringify([sourceOf(meaning), type])
  const same = declared.modules.get(module)
  if (same !== undefined) return [`export * from ${typeText(same)}`, `export { default } from ${typeText(same)}`]
  declared.modules.set(module, specifier)
  const assets = [...collection.exports].flatMap(([exported, uuid]) => {
    const [name, asset, now] = [identifier(exported), collection.assets.get(uuid), nameOf(uuid)]
    if (asset === undefined) return []
    return name === now ? exportOnce(asset, meaning, declared, { specifier, name }) : [renamed(name, now)]
  })
  return [...assets, ...defaultExport(type)]
}

function exportOnce(
  asset: AssetRecord,
  meaning: OfKit,
  declared: Declared,
  place: { specifier: string; name: string },
): string[] {
  const known = assetOnce(asset, meaning, declared, place)
  if (known)
    return [`import { ${known.name} as ${place.name} } from ${typeText(known.specifier)}`, `export { ${place.name} }`]
  return [documentation(asset, meaning), `export const ${place.name}: ${typeIn(meaning, asset)}`]
}

function typeIn({ query, plans, lacking }: OfKit, asset: AssetRecord): string {
  const refusal = lacking?.get(asset.uuid)
  if (refusal) return errorType(summaryAndHint(refusal))
  return assetType(asset, query, plans.get(asset.uuid) ?? {})
}

/** Kit, version and query, the same for the same ones however the specifier spells them. */
function sourceOf({ named: { kit }, query }: OfKit): string {
  return JSON.stringify([kit.uuid, kit.version, formatQuery(query)])
}

function renamed(before: string, now: string): string {
  return `/** @deprecated Renamed: import ${now}. */ export const ${before}: typeof ${now}`
}

/** @returns where an asset is declared already; else undefined, and `place` is where it is from now on */
function assetOnce(asset: AssetRecord, meaning: OfKit, declared: Declared, place: { specifier: string; name: string }) {
  const key = JSON.stringify([sourceOf(meaning), asset.uuid])
  const known = declared.assets.get(key)
  if (known === undefined) declared.assets.set(key, place)
  return known
}

/** What an editor shows: content authors wrote it, so nothing of it may end the comment, the line, or begin a tag. */
function documentation({ name, type, width, height, notes, uuid }: AssetRecord, { named: { kit } }: OfKit): string {
  const size = width === undefined || height === undefined ? '' : `, ${width} × ${height}`
  const sections = kit.sections
    .filter(({ items }) => items.some((item) => item.type === 'asset' && item.asset === uuid))
    .map((section) => section.name)
  const place = sections.length === 0 ? '' : `, in ${sections.join(', ')}`
  const text = `${name} (${type}${size}${place})${notes === '' ? '' : `: ${notes}`}`
  const line = oneLine(text).replace(/\*\//g, '* /').replace(/\s+/gu, ' ').replaceAll('@', '\uFF20')
  return `/** ${line.trim()} */`
}
