import { createHash } from 'node:crypto'
import { memoizeWeak } from '../async/memoize.js'
import { hasScheme } from '../space/is-address.js'
import { itemKinds } from '../space/item-kinds.js'
import type { AssetRecord } from '../space/space.js'
import { fieldsByName } from '../space/wire/asset.js'
import { requireLevel } from '../space/wire/sort-keys.js'
import { isObject } from '../text/json.js'
import type { LoadedItem, LoadedKit } from './load.js'

/*
 * The digest of a listing, which the lockfile has for each published version. Two listings have the same digest if
 * every module, declaration, token, component and folder that can be made from them is the same.
 *
 * It covers the description of the version and the name of the kit, sections, items and headings in display order, and
 * of each asset every field as `readAsset` reads it, with all of `meta`, and the fields that the interface does not
 * list. Of sections and items, it covers the fields that the interface does not list as well. So it does not depend on
 * the order of keys and responses, on the case of uuids and types, or on whether the space is a service or a mirror of
 * it.
 *
 * It leaves out what a service changes while the content stays the same: addresses (permalink, thumbnails, and
 * addresses in fields that the interface does not list), who uploaded an asset, the id of the space, and dates of
 * assets. The records of the kit and of the version are left out, because they change without the version. The last
 * date of the version is left out as well, because the lockfile has it.
 */

const coveredFields = Object.keys(fieldsByName).filter((name) => fieldsByName[name]?.isContent !== false)
/** Fields of the interface that nothing reads. */
const unreadFields = ['uploader', 'uploader_id', 'space_id', 'thumbnail_placeholders']
const knownFields = new Set([...Object.values(fieldsByName).flatMap(({ sent = [] }) => sent), ...unreadFields])
const placeFields = ['uuid', 'kit_uuid', 'version', 'status', 'display_order', 'space_id', 'date_added', 'date_updated']
const sectionFields = new Set([...placeFields, 'name', 'counts', 'creator_id'])
const contentFields = ['section_uuid', 'asset_uuid', 'type', 'data', 'asset', 'items', 'display_properties']
const itemFields = new Set([...placeFields, ...contentFields])
/** What the data of a gallery says about its state. */
const stateFields = ['assets', 'date_refreshed', 'item_processing']
const dataFields = new Map(
  [...itemKinds].map(([type, { texts }]) => [type, new Set([...stateFields, ...Object.values(texts).flat()])]),
)

/** Returns the digest (`sha256-…`) of a version of a kit. */
export const contentDigest = memoizeWeak(({ assets, ...version }: LoadedKit): string => {
  const { raw: _, ...head } = version
  const sections = version.sections.map(({ raw, items, ...section }) => ({
    ...section,
    items: items.map(itemContent),
    unknown: unknownFields(raw, sectionFields),
  }))
  const hash = createHash('sha256').update(canonical({ ...head, dateUpdated: undefined, sections }))
  for (const uuid of Object.keys(assets).toSorted()) hash.update(`\n${canonical(contentOf(assets[uuid]))}`)
  return `sha256-${hash.digest('base64')}`
})

/** Returns the fields that the digest covers. `unknown` has those that the interface does not list. */
function contentOf(asset: AssetRecord | undefined): Readonly<Record<string, unknown>> {
  if (asset === undefined) return {}
  const content: Record<string, unknown> = { unknown: unknownFields(asset.raw, knownFields) }
  for (const name of coveredFields) content[name] = Reflect.get(asset, name)
  return content
}

/** The data of an item of a known kind has fields of its own, of which `readTexts` reads the texts. */
function itemContent({ raw, ...item }: LoadedItem): Readonly<Record<string, unknown>> {
  const read = dataFields.get(item.type)
  const data = read && isObject(raw) ? unknownFields(raw['data'], read) : undefined
  return { ...item, unknown: unknownFields(raw, itemFields), unknownData: data }
}

function unknownFields(raw: unknown, known: ReadonlySet<string>): Record<string, unknown> | undefined {
  if (!isObject(raw)) return undefined
  const names = Object.keys(raw).filter((name) => !known.has(name))
  return names.length === 0 ? undefined : Object.fromEntries(names.map((name) => [name, withoutAddresses(raw[name])]))
}

function withoutAddresses(value: unknown): unknown {
  if (typeof value === 'string') return hasScheme(value) ? undefined : value
  if (Array.isArray(value)) return value.map(withoutAddresses)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutAddresses(one)]))
}

/**
 * Formats data as JSON whose keys are sorted. Leaves out what is undefined, as `JSON.stringify` does.
 * @throws ContentSpaceError `invalidResponse` for more than `maxLevels` levels
 */
function canonical(value: unknown, level = 0): string {
  requireLevel(level)
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one, level + 1)).join()}]`
  const names = Object.keys(value).filter((name) => value[name] !== undefined)
  const parts = names.toSorted().map((name) => `${JSON.stringify(name)}:${canonical(value[name], level + 1)}`)
  return `{${parts.join()}}`
}
