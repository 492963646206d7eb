import type { AssetRecord } from './space.js'

/**
 * The interface's table: each asset type it lists, with the cuts that the service makes of it. A Map, for a type is
 * whatever the service says.
 */
export const cutsByType: ReadonlyMap<string, readonly string[]> = new Map([
  ['SVG', ['PNG', 'PDF', 'EPS']],
  ['JPG', ['PNG']],
  ['PNG', ['JPG']],
  ['GIF', ['JPG', 'PNG']],
  ['EPS', ['PNG']],
  ['PDF', ['PNG']],
  ['TIFF', ['PNG', 'JPG']],
  ['Sketch', ['SVG', 'PNG', 'PDF']],
])

const spellings = new Map([
  ...[...cutsByType.keys()].map((type) => [type.toLowerCase(), type] as const),
  ['jpeg', 'JPG'] as const,
  ['tif', 'TIFF'] as const,
])

/** A type as the interface spells it (`jpeg` is `JPG`); one that it does not list stays as it came. */
export function canonicalType(text: string): string {
  return spellings.get(text.toLowerCase()) ?? text
}

/** An asset that is data and no file: a colour, a link. It is never downloaded. */
export function isData(asset: Pick<AssetRecord, 'type' | 'size'>): boolean {
  return asset.size === 0 && !cutsByType.has(asset.type)
}
