import type { FieldDefinition, FieldValue } from '../../asset.js'
import { objectOf } from '../../text/json.js'

/** The definition of a custom field in a space. It lacks the key, which depends on the kit. */
export type FieldRecord = Omit<FieldDefinition, 'key'>

export function parseFields(result: unknown): FieldRecord[] {
  return listOf(objectOf(result)['fields']).flatMap((sent) => readDefinition(sent) ?? [])
}

/** @returns undefined for a definition that isn't public and active */
function readDefinition(sent: unknown): FieldRecord | undefined {
  const { id, name, type, options, status = 'active', public: isPublic } = objectOf(sent)
  if (!Number.isSafeInteger(id) || typeof name !== 'string' || status !== 'active' || isPublic !== true)
    return undefined
  const names = listOf(options).flatMap((option) => {
    const { name: own, status: state = 'active' } = objectOf(option)
    return typeof own === 'string' && state === 'active' ? [own] : []
  })
  const kind = typeof type === 'string' ? type : 'text'
  return { id: Number(id), name, type: kind, ...(names.length > 0 && { options: names }) }
}

/** Checks whether an asset's values need the space's definitions because its own record doesn't contain any. */
export function needsDefinitions(raw: unknown): boolean {
  const { fields, versioned_fields: versioned } = objectOf(raw)
  return listOf(versioned).length === 0 && Object.keys(objectOf(fields)).length > 0
}

/**
 * Reads the definitions of an asset's custom fields that are public and active.
 * @param known the definitions of the space
 * @returns the definitions, and the asset's record without the values of other fields; undefined if its record doesn't
 *   have fields
 */
export function sentFields(raw: unknown, known: readonly FieldRecord[]) {
  const { fields, versioned_fields: versioned } = objectOf(raw)
  const [values, list] = [objectOf(fields), listOf(versioned)]
  if (list.length === 0 && (Array.isArray(fields) || Object.keys(values).length === 0)) return undefined
  const shown = list.filter((one) => readDefinition(one) !== undefined)
  const definitions = list.length > 0 ? shown.flatMap((one) => readDefinition(one) ?? []) : known
  const ids = new Set([...definitions, ...known].map(({ id }) => String(id)))
  const kept = Object.fromEntries(Object.entries(values).filter(([id]) => ids.has(id)))
  const record = {
    ...objectOf(raw),
    ...(fields !== undefined && { fields: kept }),
    ...(list.length > 0 && { versioned_fields: shown }),
  }
  return { definitions: definitions.filter((one) => readFieldValue(record, one) !== undefined), raw: record }
}

/** Reads the values of an asset. @returns undefined if it doesn't have any */
export function readFieldValues(
  raw: unknown,
  definitions: readonly FieldDefinition[],
): Record<string, FieldValue> | undefined {
  const values = definitions.flatMap((definition) => {
    const value = readFieldValue(raw, definition)
    return value === undefined ? [] : [[definition.key, value] as const]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}

function readFieldValue(raw: unknown, { id, type }: FieldRecord): FieldValue | undefined {
  const { fields, versioned_fields: versioned } = objectOf(raw)
  const list = listOf(versioned)
  const own = objectOf(list.find((one) => objectOf(one)['id'] === id))
  const sent = list.length > 0 ? (own['value'] ?? selectedIn(own['options'])) : objectOf(fields)[String(id)]
  const values = (Array.isArray(sent) ? sent : [sent]).flatMap((one: unknown) =>
    (typeof one === 'string' && one !== '') || typeof one === 'number' ? [String(one)] : [],
  )
  if (type === 'checklist') return values.length === 0 ? undefined : values
  const [value] = values
  return type === 'number' && value !== undefined && Number.isFinite(Number(value)) ? Number(value) : value
}

function selectedIn(options: unknown): unknown[] {
  return listOf(options).flatMap((option) => (objectOf(option)['selected'] === true ? [objectOf(option)['name']] : []))
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
