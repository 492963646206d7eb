import type { Use } from '../../source/use.js'
import { compareStrings } from '../../text/compare.js'
import { usesBySpecifier } from './declared.js'

/** A specifier in the source, and how the source uses it. */
export interface UsedSpecifier {
  specifier: string
  /** The export names that the source reaches at run time, sorted. Undefined for all. */
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
