import { memoizeWeak } from '../async/memoize.js'
import { compareStrings } from '../text/compare.js'
import { escapeHidden, jsonText } from '../text/display.js'
import { isObject } from '../text/json.js'
import { assetIndent, keyOrder, schemaVersion, type Lock, type LockedKit } from './schema.js'

/**
 * Formats a lock. The text does not depend on the order of keys and entries. A build formats its lock to compare it, to
 * write it and to hash it.
 */
export const formatLock = memoizeWeak(({ space, kits }: Lock): string => {
  const fields = [`"lockfileVersion": ${schemaVersion}`]
  if (space !== undefined) fields.push(`"space": ${jsonText(space)}`)
  fields.push(`"kits": ${entries(kits, '    ', (kit) => formatKit(kit))}`)
  return `{\n  ${fields.join(',\n  ')}\n}\n`
})

function formatKit({ slug, aliases, former, ...tables }: LockedKit): string {
  const indent = ' '.repeat(6)
  const fields = [`"slug": ${jsonText(slug)}`]
  if (aliases !== undefined) fields.push(`"aliases": ${line(aliases)}`)
  if (former !== undefined) fields.push(`"former": ${line(former)}`)
  for (const table of ['selectors', 'sections', 'headings', 'assets'] as const) {
    fields.push(`"${table}": ${entries<unknown>(tables[table], assetIndent, line)}`)
  }
  return `{\n${indent}${fields.join(`,\n${indent}`)}\n    }`
}

function entries<T>(table: Record<string, T>, indent: string, format: (value: T) => string): string {
  const sorted = Object.entries(table).toSorted(([a], [b]) => compareStrings(a, b))
  const lines = sorted.map(([key, value]) => `${indent}${jsonText(key)}: ${format(value)}`)
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n\n')}\n${indent.slice(2)}}`
}

function line(value: unknown): string {
  return escapeHidden(formatJson(value))
}

/** Keys are in the order of the schema, then sorted; lists are sorted. */
function formatJson(value: unknown): string {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    const parts = list.toSorted((a, b) => compareStrings(JSON.stringify(a), JSON.stringify(b)))
    return `[${parts.map(formatJson).join(',')}]`
  }
  if (!isObject(value)) return JSON.stringify(value)
  const keys = Object.keys(value).filter((key) => value[key] !== undefined)
  const order = keys.toSorted((a, b) => keyOrder.indexOf(a) - keyOrder.indexOf(b) || compareStrings(a, b))
  return `{${order.map((key) => `${JSON.stringify(key)}:${formatJson(value[key])}`).join(',')}}`
}
