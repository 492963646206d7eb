import { posix } from 'node:path'
import * as v from 'valibot'
import type { LoadedItem, LoadedKit, LoadedSection } from '../../kit/load.js'
import { rawItem } from '../../kit/named-kit.js'
import { assetJson } from '../../space/folder/sidecar.js'
import { assetsOf } from '../../space/item-kinds.js'
import type { AssetRecord, KitRecord } from '../../space/space.js'
import { isoDate } from '../../space/wire/fields.js'
import { objectOf } from '../../text/json.js'
import { sortedCopy } from '../../space/wire/sort-keys.js'
import { sortedRecord } from '../../space/wire/sorted.js'
import { omitUndefined } from '../../text/omit-undefined.js'

/**
 * The JSON beside a folder or a file. It contains everything that the folder or file itself can't represent, so that an
 * embedded space returns the same records as the service.
 */
export type Description = Readonly<Record<string, unknown>>

/** Returns the contents of `kit.json`. @param folder returns the folder of a version, in the kit folder */
export function describeKit(
  kit: KitRecord,
  versions: readonly LoadedKit[],
  folder: (version: number) => string,
): Description {
  const { uuid, name, status, useVersion, cover } = kit
  return {
    ...otherFields(kit.raw, 'kit'),
    uuid,
    name,
    status,
    use_version: useVersion,
    // Anything but a URL would be read as the path of a file in the kit.
    ...(cover !== undefined && /^https?:/.test(cover) ? { cover } : {}),
    ...datesOf(kit),
    versions: versions.map((version) => ({
      ...otherFields(version.raw?.version, 'version'),
      version: version.version,
      version_identifier: version.versionIdentifier,
      status: version.status,
      notes: version.notes,
      ...datesOf(version),
      folder: folder(version.version),
      ...countsIfDifferent(version.counts, {
        assets: Object.keys(version.assets).length,
        items: version.sections.reduce((sum, { items }) => sum + items.length, 0),
        sections: version.sections.length,
      }),
    })),
  }
}

/**
 * Returns the contents of `section.json`.
 * @param folder the folder of the section
 * @param files path of each asset's file in the folder of the version, by uuid
 */
export function describeSection(
  { uuid, name, counts, items, raw }: LoadedSection,
  folder: string,
  files: ReadonlyMap<string, string>,
): Description {
  const assets = new Set(items.flatMap(assetsOf))
  const pathOf = (asset: string) => posix.relative(folder, files.get(asset) ?? '')
  return {
    ...otherFields(raw, 'section'),
    uuid,
    name,
    ...countsIfDifferent(counts, { assets: assets.size, items: items.length }),
    items: items.map((item) => describeItem(item, pathOf)),
  }
}

/**
 * Names of fields to leave out: the folder itself represents them, they are written separately, or their names have
 * another meaning in the JSON.
 */
const ownFields = {
  kit: 'uuid kit_uuid name status use_version cover images versions',
  version: 'version version_identifier status notes folder counts sections kit_uuid',
  section: 'uuid kit_uuid name version counts display_order items',
  item:
    'uuid kit_uuid section_uuid asset_uuid asset items display_order status type version ' +
    'heading file files display display_size',
} as const

/** Returns the other fields of a record, sorted. Leaves out invalid dates, because they would make the JSON invalid. */
function otherFields(raw: unknown, kind: keyof typeof ownFields): Record<string, unknown> {
  const own = [...ownFields[kind].split(' '), 'space_id']
  const fields = Object.fromEntries(Object.entries(objectOf(sortedCopy(raw))).filter(([name]) => !own.includes(name)))
  for (const name of ['date_added', 'date_updated'])
    if (name in fields && isoDate(String(fields[name])) === undefined) fields[name] = null
  return fields
}

function describeItem(
  { type, uuid, content, displaySize, asset, assets, raw }: LoadedItem,
  pathOf: (asset: string) => string,
): Description {
  const { data, ...sent } = otherFields(rawItem(raw), 'item')
  const { content: _, display_size: __, ...more } = objectOf(data)
  const file = { ...(asset !== undefined && { file: pathOf(asset) }), ...(assets && { files: assets.map(pathOf) }) }
  const isPlain = type === 'heading' || type === 'asset'
  if (!isPlain) return { type, ...file, uuid, data, ...sent }
  return {
    ...(type === 'heading' && { heading: content }),
    ...file,
    uuid,
    display_size: displaySize ?? null,
    ...(Object.keys(more).length > 0 && { data: more }),
    ...sent,
  }
}

/**
 * Returns the contents of the JSON of an asset.
 * @param md5 of its file; undefined for a data asset, and for a file that the service doesn't provide
 */
export function describeAsset(record: AssetRecord, md5?: string): Description {
  const asset = sortedRecord(record)
  const { uuid, name, type, notes, keywords, colors, meta, cuts, presets, dateAdded, dateUpdated, fileUpdated } = asset
  const { filecuts: _, ...raw } = objectOf(asset.raw)
  const json = {
    ...raw,
    uuid,
    name,
    type,
    notes,
    keywords: typeof raw['keywords'] === 'string' ? raw['keywords'] : keywords.join(', '),
    colors,
    date_added: dateAdded === undefined ? null : raw['date_added'],
    date_updated: dateUpdated === undefined ? null : raw['date_updated'],
    file_updated: fileUpdated === undefined ? null : raw['file_updated'],
    meta,
    ...omitUndefined({ file_md5: md5 }),
  }
  if (v.is(assetJson, json)) return json
  // The record's list of cuts is invalid. Replace it with the cuts that we could read.
  return { ...json, meta: { ...objectOf(meta), filecuts: { ...omitUndefined({ available_types: cuts }), presets } } }
}

function datesOf(record: { dateAdded?: string | undefined; dateUpdated?: string | undefined }): Description {
  return { date_added: record.dateAdded ?? null, date_updated: record.dateUpdated ?? null }
}

/** Returns the service's counts if they differ from its listing, because a service may count hidden entries. */
function countsIfDifferent(
  counts: Readonly<Record<string, number>>,
  listed: Readonly<Record<string, number>>,
): Description {
  return Object.entries(counts).every(([key, count]) => listed[key] === count) ? {} : { counts }
}
