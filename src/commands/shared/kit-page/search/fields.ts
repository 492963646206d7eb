import type { AssetData, KitData } from '../data.js'
import { parseQuery, withoutField } from './query.js'

/** A custom field with values to choose from, and the assets that each choice would find. */
export interface FieldChoice {
  key: string
  name: string
  values: [value: string, count: number][]
}

/** @param key in lower case, as in a search, or as spelled in the kit */
export function valuesOf({ fields = {} }: AssetData, key: string): (string | number)[] {
  const name = key in fields ? key : Object.keys(fields).find((one) => one.toLowerCase() === key)
  return name === undefined ? [] : [fields[name] ?? []].flat()
}

/**
 * Returns the fields of a kit that offer a choice, with the used values in the order of the space.
 * @param found the assets that the text finds
 */
export function fieldChoices(
  { fields = [], assets }: KitData,
  text: string,
  found: AssetData[],
  find: (text: string) => AssetData[],
): FieldChoice[] {
  const all = Object.values(assets)
  const query = parseQuery(text)
  return fields.flatMap(({ key, name, type, options = [] }): FieldChoice[] => {
    if (type !== 'select' && type !== 'checklist') return []
    const used = new Set(all.flatMap((asset) => valuesOf(asset, key)).map(String))
    const ordered = [...options.filter((option) => used.delete(option)), ...used]
    const others = query.fields.has(key.toLowerCase()) ? find(withoutField(text, key)) : found
    const counted = others.flatMap((asset) => valuesOf(asset, key).map(String))
    return [{ key, name, values: ordered.map((value) => [value, counted.filter((one) => one === value).length]) }]
  })
}
