/** Makes properties that may be undefined optional, for `exactOptionalPropertyTypes`. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/**
 * Removes properties whose value is undefined. Preserves the order.
 * @param value a new object, because the function returns it if none of its properties is undefined
 */
export function omitUndefined<T extends object>(value: T): Defined<T>
export function omitUndefined(value: Readonly<Record<string, unknown>>): object {
  // Use loops, because a kit calls this thousands of times, and lists of entries take several times longer.
  let isDefined = true
  for (const key in value) if (value[key] === undefined) isDefined = false
  if (isDefined) return value
  const kept: Record<string, unknown> = {}
  for (const key of Object.keys(value)) if (value[key] !== undefined) kept[key] = value[key]
  return kept
}
