/** Returns an object with some properties of another object, in the order of `names`. */
export function pick<T extends object, K extends keyof T>(value: T, names: readonly K[]): Pick<T, K>
export function pick(value: object, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, Reflect.get(value, name)]))
}
