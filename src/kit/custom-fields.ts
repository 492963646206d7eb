import type { FieldDefinition, FieldValue } from '../asset.js'
import type { AssetRecord } from '../space/space.js'
import { readFieldValues, sentFields, type FieldRecord } from '../space/wire/custom-fields.js'
import { identifierOf } from './identifiers.js'

/**
 * Sets the values of custom fields on assets. Keeps only public, active fields in the assets' records.
 * @param known the definitions of the space
 * @returns the definitions of the fields in use, with the keys of their values; undefined if no asset has one
 */
export function addFields(
  assets: readonly AssetRecord[],
  known: readonly FieldRecord[],
): readonly FieldDefinition[] | undefined {
  const used = new Map<number, FieldRecord>()
  for (const asset of assets) {
    const sent = sentFields(asset.raw, known)
    if (sent === undefined) continue
    asset.raw = sent.raw
    for (const definition of sent.definitions) if (!used.has(definition.id)) used.set(definition.id, definition)
  }
  const fields = withKeys([...used.values()].toSorted((a, b) => a.id - b.id))
  applyFields(assets, fields)
  return fields.length === 0 ? undefined : fields
}

/** Sets the values of fields on assets, from their records. */
export function applyFields(assets: readonly AssetRecord[], fields: readonly FieldDefinition[] = []): void {
  if (fields.length > 0) for (const asset of assets) asset.fields = readFieldValues(asset.raw, fields)
}

/** Returns the values of fields as strings: `rights: Web, Print`. */
export function fieldTexts(fields: Readonly<Record<string, FieldValue>> = {}): string[] {
  return Object.entries(fields).map(([key, value]) => `${key}: ${[value].flat().join(', ')}`)
}

/**
 * Returns the name of a field in camelCase. A reserved word doesn't need a leading `_`, because it is valid as a key.
 */
export function fieldKey(name: string): string {
  return identifierOf(name).replace(/^_/, '') || 'field'
}

/** Adds keys to definitions. Colliding keys end with the id of their field. */
function withKeys(definitions: readonly FieldRecord[]): FieldDefinition[] {
  const keys = definitions.map(({ name }) => fieldKey(name))
  return definitions.map(({ id, name, ...rest }, at) => {
    const key = keys[at] ?? ''
    return { id, key: keys.indexOf(key) === keys.lastIndexOf(key) ? key : `${key}_${id}`, name, ...rest }
  })
}
