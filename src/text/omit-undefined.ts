/** Makes properties that may be undefined optional, for `exactOptionalPropertyTypes`. */
export type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}

/** Returns a copy without the properties whose value is undefined, in the same order. */
export function omitUndefined<T extends object>(value: T): Defined<T>
export function omitUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, property]) => property !== undefined))
}
