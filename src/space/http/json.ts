import { jsonOf } from '../../text/json.js'
import { maxLevels } from '../wire/sort-keys.js'

/** Limits for one response: levels of nesting, and number of values. An item has about 100 values. */
export const jsonLimits = { levels: maxLevels, values: 4e6 }

/** Checks whether JSON is within the limits. Runs before parsing, because parsing would use memory. */
export function isBounded(json: Uint8Array): boolean {
  let [depth, values] = [0, 0]
  const { length } = json
  for (let at = 0; at < length; at++) {
    const byte = json[at]
    if (byte === 0x22) {
      at = endOfString(json, at + 1)
    } else if (byte === 0x7b || byte === 0x5b) {
      values++
      if (++depth > jsonLimits.levels) return false
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--
    } else if (byte === 0x2c && ++values > jsonLimits.values) {
      return false
    }
  }
  return true
}

/** Finds the end of a string. Most bytes of a listing are in strings, so the loop does as little as possible. */
function endOfString(json: Uint8Array, start: number): number {
  const { length } = json
  let at = start
  while (at < length && json[at] !== 0x22) at += json[at] === 0x5c ? 2 : 1
  return at
}

export function latin1Of(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/**
 * Parses JSON.
 * @param text the decoded bytes, if available
 * @returns undefined for invalid JSON, and for JSON beyond the limits
 */
export function parseJson(bytes: Uint8Array, text?: string): unknown {
  return isBounded(bytes) ? jsonOf(text ?? new TextDecoder().decode(bytes)) : undefined
}

/** Maps every text of a value, including keys. Returns the same object if no text changes. */
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
