import { createHash } from 'node:crypto'
import { usesBySpecifier } from '../../engine/sync/declared.js'
import type { Use } from '../../source/use.js'
import { compareStrings } from '../../text/compare.js'

/** A specifier of the source, and how the source uses it. */
export interface UsedSpecifier {
  specifier: string
  /** The export names that the source reaches at run time, sorted. Undefined: all. */
  names: string[] | undefined
  uses: readonly Use[]
}

/** @returns sorted by specifier */
export function usedSpecifiers(uses: readonly Use[]): UsedSpecifier[] {
  return usesBySpecifier(uses).map(([specifier, all]) => ({ specifier, names: namesInUse(all), uses: all }))
}

function namesInUse(uses: readonly Use[]): string[] | undefined {
  if (uses.some(({ names }) => names === undefined)) return undefined
  return [...new Set(uses.flatMap(({ names = [] }) => names))].toSorted(compareStrings)
}

/**
 * Returns the file name of the module of a specifier: a readable part, and a digest that tells queries apart. It
 * depends on the specifier alone.
 * @example 'asset-brand-hero-photo-3f9a61c04b7e.js'
 */
export function moduleName(specifier: string): string {
  const [path = ''] = specifier.slice('content-space:'.length).split('?')
  const words = path.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const digest = createHash('sha256').update(specifier).digest('hex').slice(0, 12)
  return `${[words.join('-').slice(0, 60), digest].filter(Boolean).join('-')}.js`
}
