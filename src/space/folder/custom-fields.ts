import { derivedUuid, kitNamespace } from './naming.js'
import type { FieldJson } from './sidecar.js'

export type FolderFields = ReturnType<typeof createFolderFields>

/** Collects the custom fields of a folder from `space.json` and from the JSON of assets. */
export function createFolderFields(listed: readonly FieldJson[], spaceId: number) {
  const named = new Map(listed.map((field) => [field.name, { ...field, id: field.id ?? idOf(field.name) }]))
  const ids = new Set([...named.values()].map(({ id }) => String(id)))
  const found = new Map<string, unknown[]>()
  return {
    /** Returns values by field id. @param values by name or id */
    byId: (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => {
          const known = named.get(name)
          if (known) return [String(known.id), value]
          if (ids.has(name)) return [name, value]
          found.set(name, [...(found.get(name) ?? []), value])
          return [String(idOf(name)), value]
        }),
      ),
    /** Returns the definitions as the service sends them. Call it after all assets have been read. */
    records(): Record<string, unknown>[] {
      const others = [...found].map(([name, values]) => ({
        id: idOf(name),
        name,
        type: typeOfField(values),
        options: undefined,
      }))
      return [...named.values(), ...others]
        .toSorted((a, b) => a.id - b.id)
        .map(({ id, name, type = 'text', options, ...more }) => ({
          status: 'active',
          public: true,
          display_order: id,
          ...more,
          id,
          space_id: spaceId,
          name,
          type,
          ...(options && {
            options: options.map((option, at) => ({ id: at + 1, name: option, status: 'active' })),
          }),
        }))
    },
  }
}

/** Derives an id from the name alone, so that it doesn't depend on the other fields. */
function idOf(name: string): number {
  return Number.parseInt(derivedUuid(kitNamespace, `field:${name}`).slice(0, 7), 16)
}

function typeOfField(values: readonly unknown[]): string {
  if (values.every(Array.isArray)) return 'checklist'
  if (values.every((value) => typeof value === 'number')) return 'number'
  return values.every((value) => /^\d{4}-\d\d-\d\d$/.test(String(value))) ? 'date' : 'text'
}
