import { memoizeWeak } from '../async/memoize.js'
import { versionOf } from '../space/sources/revision.js'
import { compareStrings } from '../text/compare.js'
import { escapeHidden, jsonText } from '../text/display.js'
import { isObject } from '../text/json.js'
import { keyOrder, schemaVersion, type Lock, type LockedKit, type LockedTable } from './schema.js'

/** Formats a lock. The text doesn't depend on the order of entries. */
export const formatLock = memoizeWeak(({ space, list, kits }: Lock): string => {
  const fields = [`"lockfileVersion": ${schemaVersion}`]
  if (space !== undefined) fields.push(`"space": ${jsonText(space)}`)
  if (list !== undefined) fields.push(`"list": ${entries(list, 4, line)}`)
  fields.push(`"kits": ${entries(kits, 4, formatKit)}`)
  return `{\n  ${fields.join(',\n  ')}\n}\n`
})

function formatKit({ name, slug, aliases, former, shortId, space, use, versions }: LockedKit): string {
  const fields = [`"name": ${jsonText(name)}`, `"slug": ${jsonText(slug)}`]
  if (aliases !== undefined) fields.push(`"aliases": ${line(aliases)}`)
  if (former !== undefined) fields.push(`"former": ${line(former)}`)
  if (shortId !== undefined) fields.push(`"shortId": ${jsonText(shortId)}`)
  if (space !== undefined) fields.push(`"space": ${jsonText(space)}`)
  const byText = Object.fromEntries(Object.entries(versions).map(([key, table]) => [nameOf(key, table), table]))
  if (use !== undefined) {
    const text = nameOf(String(use), versions[use])
    fields.push(`"use": ${text === String(use) ? use : jsonText(text)}`)
  }
  fields.push(`"versions": ${entries(byText, 8, formatTable)}`)
  return block(fields, 6)
}

/** Returns the number of a version, or the source revision that the number stands for. */
function nameOf(version: string, table: LockedTable | undefined): string {
  const { label = '' } = table ?? {}
  return label !== '' && versionOf(label) === Number(version) ? label : version
}

function formatTable({ label, date, head, darkPattern, whole, ...tables }: LockedTable): string {
  const fields = [`"label": ${jsonText(label)}`]
  if (date !== undefined) fields.push(`"date": ${jsonText(date)}`)
  if (head !== undefined) fields.push(`"head": ${line(head)}`)
  if (darkPattern !== undefined) fields.push(`"darkPattern": ${jsonText(darkPattern)}`)
  if (whole !== undefined) fields.push(`"whole": ${entries(whole, 12, line)}`)
  for (const name of ['sections', 'items', 'assets'] as const)
    fields.push(`"${name}": ${entries<unknown>(tables[name], 12, line)}`)
  return block(fields, 10)
}

function block(fields: readonly string[], indent: number): string {
  const space = ' '.repeat(indent)
  return `{\n${space}${fields.join(`,\n${space}`)}\n${space.slice(2)}}`
}

function entries<T>(table: Readonly<Record<string, T>>, indent: number, format: (value: T) => string): string {
  const space = ' '.repeat(indent)
  const sorted = Object.entries(table).toSorted(([a], [b]) => compareStrings(a, b))
  const lines = sorted.map(([key, value]) => `${space}${jsonText(key)}: ${format(value)}`)
  return lines.length === 0 ? '{}' : `{\n\n${lines.join(',\n\n')}\n\n${space.slice(2)}}`
}

/** Formats an entry with its keys in the order of the schema. Nested values keep their own order. */
function line(value: unknown): string {
  if (!isObject(value) || Array.isArray(value)) return escapeHidden(JSON.stringify(value))
  const keys = Object.keys(value).toSorted((a, b) => keyOrder.indexOf(a) - keyOrder.indexOf(b) || compareStrings(a, b))
  const fields = keys.flatMap((key) => {
    const text = JSON.stringify(key === 'files' ? sortedEntries(value[key]) : value[key])
    return text === undefined ? [] : [`${JSON.stringify(key)}:${text}`]
  })
  return escapeHidden(`{${fields.join()}}`)
}

function sortedEntries(value: unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => compareStrings(a, b)))
    : value
}
