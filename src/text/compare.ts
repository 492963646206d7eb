/** Sorts texts by code unit: the same on every machine, whatever its language. */
export function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
