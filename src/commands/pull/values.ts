import { abortable } from '../../async/abortable.js'
import { eachLimit } from '../../async/each-limit.js'
import type { Files } from '../../files/files.js'
import type { ValueDescriptor } from '../../files/plan.js'
import type { PlacedAsset } from './layout.js'

/** What values are made with. */
export interface ValueContext {
  files: Pick<Files, 'has' | 'value'>
  concurrency: number
  signal: AbortSignal
}

/** Returns the texts and data URIs that modules contain themselves. */
export function valuesOf(placed: readonly PlacedAsset[]): ValueDescriptor[] {
  return placed.flatMap(({ plan: { value, placeholder } }) => [value, placeholder].flatMap((one) => one ?? []))
}

/** Returns the values whose source is not in the cache. */
export async function missingValues(
  values: readonly ValueDescriptor[],
  { files, concurrency, signal }: ValueContext,
): Promise<Set<ValueDescriptor>> {
  const missing = new Set<ValueDescriptor>()
  await eachLimit(values, concurrency, signal, async (value) => {
    if (!(await files.has(value.file))) missing.add(value)
  })
  return missing
}

/** Makes all values in parallel. @param onValue called for each value that is made */
export async function makeValues(
  values: readonly ValueDescriptor[],
  { files, concurrency, signal }: ValueContext,
  onValue: (value: ValueDescriptor) => void,
): Promise<ReadonlyMap<ValueDescriptor, string>> {
  const made = new Map<ValueDescriptor, string>()
  await eachLimit(values, concurrency, signal, async (value, stop) => {
    made.set(value, await abortable(files.value(value, { signal: stop }), stop))
    onValue(value)
  })
  return made
}
