import { jsonOf } from '../../text/json.js'
import { maxLevels } from '../wire/sort-keys.js'

/** Limits for one response: levels of nesting, and number of values. An item has about 100 values. */
export const jsonLimits = { levels: maxLevels, values: 4e6 }

/**
 * Measures JSON before it is parsed, because parsing would use memory.
 * @returns whether it is within the limits, and the length of its longest string in bytes, which is never less than its
 *   number of characters
 */
export function measureJson(json: Uint8Array): { isBounded: boolean; longest: number } {
  let [depth, values, longest] = [0, 0, 0]
  const { length } = json
  for (let at = 0; at < length; at++) {
    const byte = json[at]
    if (byte === 0x22) {
      const start = at + 1
      at = endOfString(json, start)
      if (at - start > longest) longest = at - start
    } else if (byte === 0x7b || byte === 0x5b) {
      values++
      if (++depth > jsonLimits.levels) return { isBounded: false, longest }
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--
    } else if (byte === 0x2c && ++values > jsonLimits.values) {
      return { isBounded: false, longest }
    }
  }
  return { isBounded: true, longest }
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

/** Parses JSON. @returns undefined for invalid JSON, and for JSON beyond the limits */
export function parseJson(bytes: Uint8Array): unknown {
  return measureJson(bytes).isBounded ? jsonOf(new TextDecoder().decode(bytes)) : undefined
}

/** Maps every string in a value, including keys. Returns the same object if no string changes. */
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
