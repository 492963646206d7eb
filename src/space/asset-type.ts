import type { AssetRecord } from './space.js'

/**
 * The asset types that the interface defines, with the cuts that the service makes of each. A Map rather than an
 * object: the keys to look up come from the service.
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

/** Spells a type as the interface does (`JPG` for `jpeg`). Unknown types stay as they are. */
export function canonicalType(text: string): string {
  return spellings.get(text.toLowerCase()) ?? text
}

/** Whether an asset is data without a file, such as a color or a link. It is never downloaded. */
export function isData(asset: Pick<AssetRecord, 'type' | 'size'>): boolean {
  return asset.size === 0 && !cutsByType.has(asset.type)
}
