import type { Asset, FullMetadata } from '../asset.js'
import type { Query } from '../request/query.js'
import { isData } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'

/** A field of an imported asset. `asset-value.ts` has its value, and `types.ts` its type. */
export type FieldName = keyof Asset | 'meta'

const identity = ['uuid', 'name', 'type'] as const
const description = ['notes', 'keywords', 'colors'] as const
const picture = ['src', 'width', 'height', 'srcset', 'sources', 'placeholder'] as const
const metadata = [...identity, 'width', 'height', ...description] as const
const data = [...identity, ...description, 'meta'] as const

/** Fields of an imported asset, in the order of the module. Not for `as=url`, `raw` and `inline`, which are strings. */
export function fieldsOf(asset: AssetRecord, as: Query['as']): readonly FieldName[] {
  if (as === 'picture') return ['name', ...picture]
  if (isData(asset) || as === 'metadata') return metadataFields(asset)
  return [...identity, 'format', ...picture, ...description]
}

/** The same fields in the order of the declaration, which differs for data. */
export function declaredFieldsOf(asset: AssetRecord, as: Query['as']): readonly FieldName[] {
  return isData(asset) && as !== 'picture' ? [...identity, 'meta', ...description] : fieldsOf(asset, as)
}

/** Fields that describe an asset without any file. Data has no size in pixels; its content is in `meta`. */
export function metadataFields(asset: AssetRecord): typeof metadata | typeof data {
  return isData(asset) ? data : metadata
}

/** Types of the fields that `metadata=full` adds, in the order of the module. */
const fullTypes = {
  size: 'number | undefined',
  fileHash: 'string | undefined',
  fileId: 'string | undefined',
  dateAdded: 'string | undefined',
  dateUpdated: 'string | undefined',
  fileUpdated: 'string | undefined',
  permalink: 'string | undefined',
  thumbnails: 'Record<string, string>',
  cuts: '{ type: string; enabled: boolean; resizable: boolean }[]',
  presets: '{ type: string; size: string; description: string }[]',
  raw: 'unknown',
} as const satisfies Record<keyof FullMetadata, string>

/** Fields that `metadata=full` adds. */
export const fullFields = Object.keys(fullTypes).filter((name): name is keyof FullMetadata => name in fullTypes)

/** The type of these fields for a declaration that does not import `FullMetadata`. */
export function fullMetadataType(): string {
  const lines = Object.entries(fullTypes).map(([name, type]) => {
    const optional = type.endsWith('| undefined') ? '?' : ''
    return `  ${name}${optional}: ${type}\n`
  })
  return `{\n${lines.join('')}}`
}
