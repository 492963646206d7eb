import type { AssetRecord } from '../space.js'
import { sortKeys } from './sort-keys.js'

/*
 * Sorts the keys of data in records of assets, because their order differs between services. Only runs when they are
 * written to modules and files, because a kit may have thousands of records but only a few are used.
 */

export function sortedRecord(asset: AssetRecord): AssetRecord {
  return { ...asset, colors: sortedColors(asset), meta: sortedMeta(asset), raw: sortKeys(asset.raw) }
}

export function sortedColors({ colors }: Pick<AssetRecord, 'colors'>): unknown[] {
  return colors.map(sortKeys)
}

/** Puts the list of cuts first, and leaves out keys that could change a prototype. */
export function sortedMeta({ meta }: Pick<AssetRecord, 'meta'>): unknown {
  const sorted = sortKeys(meta)
  if (typeof sorted !== 'object' || sorted === null) return sorted
  const entries = Object.entries(sorted).filter(([key]) => !unsafeKeys.has(key))
  return Object.fromEntries(entries.toSorted(([a], [b]) => Number(b === 'filecuts') - Number(a === 'filecuts')))
}

const unsafeKeys = new Set(['__proto__', 'prototype', 'constructor'])
