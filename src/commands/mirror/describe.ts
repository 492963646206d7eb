import { posix } from 'node:path'
import * as v from 'valibot'
import type { LoadedKit, LoadedSection } from '../../kit/load.js'
import { assetJson } from '../../space/folder/sidecar.js'
import type { AssetRecord, KitRecord } from '../../space/space.js'

/**
 * What JSON beside folders and files says: everything that they cannot, so that reading them gives the same records.
 */
export type Description = Readonly<Record<string, unknown>>

/** @param folder of a version in the folder of its kit */
export function describeKit(
  kit: KitRecord,
  versions: readonly LoadedKit[],
  folder: (version: number) => string,
): Description {
  const { uuid, name, status, useVersion, cover } = kit
  return {
    uuid,
    name,
    status,
    use_version: useVersion,
    // any other would be taken for a file of the kit
    ...(cover !== undefined && /^https?:/.test(cover) ? { cover } : {}),
    ...datesOf(kit),
    versions: versions.map((version) => ({
      version: version.version,
      version_identifier: version.versionIdentifier,
      status: version.status,
      notes: version.notes,
      ...datesOf(version),
      folder: folder(version.version),
      ...countsUnless(version.counts, {
        assets: Object.keys(version.assets).length,
        items: version.sections.reduce((sum, { items }) => sum + items.length, 0),
        sections: version.sections.length,
      }),
    })),
  }
}

/**
 * @param folder of the section
 * @param files path of each asset's file in the version's folder, by uuid
 */
export function describeSection(
  { uuid, name, counts, items }: LoadedSection,
  folder: string,
  files: ReadonlyMap<string, string>,
): Description {
  const assets = new Set(items.flatMap((item) => (item.type === 'asset' ? [item.asset] : [])))
  return {
    uuid,
    name,
    ...countsUnless(counts, { assets: assets.size, items: items.length }),
    items: items.map((item) => {
      if (item.type === 'other') return { type: item.name, uuid: item.uuid, data: item.data }
      const what =
        item.type === 'heading'
          ? { heading: item.content }
          : { file: posix.relative(folder, files.get(item.asset) ?? '') }
      return { ...what, uuid: item.uuid, display_size: item.displaySize ?? null }
    }),
  }
}

/** @param md5 of its file; absent: it is data, or its file could not be had */
export function describeAsset(asset: AssetRecord, md5?: string): Description {
  const { uuid, name, type, notes, keywords, colors, meta, cuts, presets, dateAdded, dateUpdated, fileUpdated } = asset
  const { filecuts: _, ...raw } = fieldsOf(asset.raw)
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
    ...(md5 === undefined ? {} : { file_md5: md5 }),
  }
  if (v.is(assetJson, json)) return json
  // cuts that are none: what was understood of them stands in their place
  return { ...json, meta: { ...fieldsOf(meta), filecuts: { ...(cuts ? { available_types: cuts } : {}), presets } } }
}

function datesOf({
  dateAdded,
  dateUpdated,
}: {
  dateAdded?: string | undefined
  dateUpdated?: string | undefined
}): Description {
  return { date_added: dateAdded ?? null, date_updated: dateUpdated ?? null }
}

/** A service may count what it does not list. */
function countsUnless(
  counts: Readonly<Record<string, number>>,
  counted: Readonly<Record<string, number>>,
): Description {
  return Object.entries(counts).every(([key, count]) => counted[key] === count) ? {} : { counts }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
