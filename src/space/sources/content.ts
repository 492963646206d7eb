import { groupBy } from '../../text/group-by.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { canonicalType, dataTypes, isType } from '../asset-type.js'
import { createFolderFields } from '../folder/custom-fields.js'
import type { FolderContent, StoredAsset, StoredItem, StoredSection, StoredVersion } from '../folder/model.js'
import { derivedUuid } from '../folder/naming.js'
import { constantDate } from '../folder/sidecar.js'
import { sourceKey } from '../wire/asset.js'
import { invalidValue } from './check.js'
import { revisionHash, versionOf } from './revision.js'
import type { Source, SourceAsset, SourceKit } from './source.js'
import { uuidOfSource } from './uuid.js'

/**
 * Converts a source's listing to records as a service sends them. With a revision, the kit has one version for it,
 * which is in use; the draft has the same content.
 * @throws ContentSpaceError `invalidResponse` for an unreadable color
 */
export async function contentOf(source: Source, kit: SourceKit, revision: string | undefined): Promise<FolderContent> {
  const uuid = uuidOfSource(source.name)
  const fields = createFolderFields([], 1)
  const assets = await Promise.all(
    kit.assets.map(
      async (asset, at) => [asset, await storedAsset(source.name, uuid, asset, at, revision, fields.byId)] as const,
    ),
  )
  const numbers = [0, ...(revision === undefined ? [] : [versionOf(revision)])]
  const useVersion = numbers.at(-1) ?? 0
  const dates = { date_added: constantDate, date_updated: constantDate }
  const versions = numbers.map((version): StoredVersion => {
    const sections = sectionsOf(kit.name, uuid, assets, version)
    const items = sections.reduce((sum, section) => sum + section.items.length, 0)
    const counts = { assets: assets.length, items, sections: sections.length }
    const record = {
      ...dates,
      kit_uuid: uuid,
      version,
      version_identifier: version === 0 ? '' : revision,
      status: 'active',
      notes: '',
      counts,
    }
    return { version, record, sections }
  })
  const { name, description = '' } = kit
  const record = { ...dates, kit_uuid: uuid, name, description, status: 'active', use_version: useVersion }
  const stored = new Map(assets.map(([, asset]) => [asset.uuid, [asset]]))
  return {
    root: '',
    spaceId: 1,
    kits: [{ uuid, name, useVersion, record, versions }],
    fields: fields.records(),
    assets: stored,
  }
}

async function storedAsset(
  source: string,
  kit: string,
  asset: SourceAsset,
  at: number,
  revision: string | undefined,
  byId: (values: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): Promise<StoredAsset> {
  const { id, name, notes = '', keywords = [], width, height, size, fields } = asset
  const uuid = derivedUuid(kit, id)
  const type = canonicalType(asset.type)
  const isColor = isType(type, 'color')
  const record = omitUndefined({
    uuid,
    name,
    type: isColor ? dataTypes.color : type,
    notes,
    keywords,
    colors: isColor ? [await colorOf(source, asset, at)] : [],
    dimensions: width === undefined || height === undefined ? undefined : `${width}x${height}`,
    size: isColor ? 0 : size,
    file_hash: isColor ? undefined : (asset.hash ?? (revision === undefined ? undefined : revisionHash(revision))),
    // Pictures are made from the original only.
    meta: isColor ? {} : { filecuts: { available_types: [] } },
    fields: fields && byId(fields),
    [sourceKey]: id,
  })
  return { uuid, name, path: id, beside: new Map(), cuts: [], record }
}

async function colorOf(source: string, { name, color }: SourceAsset, at: number): Promise<object> {
  const { readColorValue, writeColorEntry } = await import('../color.js')
  const read = readColorValue(color)
  if (read) return writeColorEntry(name, read)
  throw invalidValue(source, 'list', `assets.${at}.color`, 'must be a CSS color')
}

function sectionsOf(
  kitName: string,
  kit: string,
  assets: readonly (readonly [SourceAsset, StoredAsset])[],
  version: number,
): StoredSection[] {
  const groups = [...groupBy(assets, ([{ section = kitName }]) => section)]
  return groups.map(([name, members], order): StoredSection => {
    const uuid = derivedUuid(kit, `section:${name}`)
    const common = { kit_uuid: kit, section_uuid: uuid, status: 'active', version }
    const items: StoredItem[] = []
    const add = (type: string, key: string, more: Pick<StoredItem, 'heading' | 'asset'>, data: object): void => {
      const item = derivedUuid(uuid, `${type}:${key}`)
      const record = {
        ...common,
        uuid: item,
        asset_uuid: more.asset?.uuid ?? null,
        data,
        type,
        display_order: items.length,
      }
      items.push({ uuid: item, record, ...more })
    }
    // Assets without a heading come first, because otherwise they would appear under a heading.
    const byHeading = groupBy(members, ([{ heading = '' }]) => heading)
    for (const heading of new Set(['', ...byHeading.keys()])) {
      if (heading !== '') add('heading', heading, { heading }, { content: heading, display_size: 'default' })
      for (const [{ id }, asset] of byHeading.get(heading) ?? [])
        add('asset', id, { asset }, { display_size: 'default' })
    }
    const counts = { assets: members.length, items: items.length }
    const record = { uuid, kit_uuid: kit, name, status: 'active', version, counts, display_order: order }
    return { uuid, name, record, items }
  })
}
