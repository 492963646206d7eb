import { mostLevels } from '../wire/sort-keys.js'

/** Of one answer: levels of objects and lists, and values, of which an item has about 100. */
export const bounds = { levels: mostLevels, values: 4e6 }

/** Whether JSON may be parsed: its depth and its number of values are known before memory is spent on them. */
export function isBounded(json: Uint8Array): boolean {
  let [depth, values, inString] = [0, 0, false]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (inString) {
      if (byte === 0x5c) at++
      else if (byte === 0x22) inString = false
    } else if (byte === 0x22) {
      inString = true
    } else if (byte === 0x7b || byte === 0x5b) {
      values++
      if (++depth > bounds.levels) return false
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--
    } else if (byte === 0x2c && ++values > bounds.values) {
      return false
    }
  }
  return true
}

/** @returns undefined for what is not JSON, or is not bounded */
export function parseJson(bytes: Uint8Array): unknown {
  if (!isBounded(bytes)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

/** The same data with each text, those of keys included, changed. What does not change stays the same object. */
export function mapTexts(value: object, change: (text: string) => string): object {
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value
    const mapped = list.map((entry) => mapText(entry, change))
    return mapped.some((entry, at) => entry !== list[at]) ? mapped : list
  }
  let changed = false
  const entries = Object.entries(value).map(([key, entry]: [string, unknown]): [string, unknown] => {
    const mapped: [string, unknown] = [change(key), mapText(entry, change)]
    changed ||= mapped[0] !== key || mapped[1] !== entry
    return mapped
  })
  return changed ? Object.fromEntries(entries) : value
}

function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  return typeof value === 'object' && value !== null ? mapTexts(value, change) : value
}
