import type { Asset } from '../asset.js'
import type { Query } from '../request/query.js'
import { isData } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'
import { assetFields, fieldsByName } from '../space/wire/asset.js'

type Fields = typeof assetFields

/** The fields in `assetFields` that apply to certain kinds of imports. */
type FieldOf<O> = { [K in keyof Fields]: Fields[K]['of'] extends O ? K : never }[keyof Fields]

/** A field of an imported asset. `asset-value.ts` defines its value, and `types.ts` its type. */
export type FieldName = keyof Asset | FieldOf<'data'>

function fieldsWith<const O extends Fields[keyof Fields]['of']>(...of: O[]): FieldOf<O>[] {
  const isShown = (name: string): name is FieldOf<O> => of.some((one) => one === fieldsByName[name]?.of)
  return Object.keys(assetFields).filter(isShown)
}

/** The fields that `metadata=full` adds. */
export const fullFields = fieldsWith('full')

const identity = ['uuid', 'name', 'type'] as const
const description = fieldsWith('all').slice(identity.length)
const picture = ['src', 'width', 'height', 'srcset', 'sources', 'placeholder', 'dark'] as const
const metadata = { data: fieldsWith('all', 'data'), files: fieldsWith('all', 'files') }
const ofPicture = ['name', ...picture] as const
const ofFile = [...identity, 'format', ...picture, ...description] as const
const declaredOfData = [...identity, 'meta', ...description] as const

/**
 * Returns the fields of an imported asset in the order of the module. Don't call it for `as=url`, `raw`, and `inline`,
 * because those imports are strings.
 */
export function fieldsOf(asset: AssetRecord, as: Query['as']): readonly FieldName[] {
  if (as === 'picture') return ofPicture
  if (isData(asset) || as === 'metadata') return metadataFields(asset)
  return ofFile
}

/** Returns the same fields in the order of the declaration, which differs for data. */
export function declaredFieldsOf(asset: AssetRecord, as: Query['as']): readonly FieldName[] {
  return isData(asset) && as !== 'picture' ? declaredOfData : fieldsOf(asset, as)
}

/** Returns the fields that describe an asset without its files. Data has `meta` instead of a size in pixels. */
export function metadataFields(asset: AssetRecord): FieldOf<'all' | 'data' | 'files'>[] {
  return metadata[isData(asset) ? 'data' : 'files']
}

/** Returns the type of the fields that `metadata=full` adds, for a declaration that doesn't import `FullMetadata`. */
export function fullMetadataType(): string {
  const lines = fullFields.map((name) => {
    const { type } = assetFields[name]
    const optional = type.endsWith('| undefined') ? '?' : ''
    return `  ${name}${optional}: ${type}\n`
  })
  return `{\n${lines.join('')}}`
}
