/** Returns whether a string is an own key of a table, rather than a key of its prototype. */
export function isKeyOf<T extends object>(table: T, text: string): text is Extract<keyof T, string> {
  return Object.hasOwn(table, text)
}

export function keysOf<T extends object>(table: T): Extract<keyof T, string>[] {
  return Object.keys(table).filter((key) => isKeyOf(table, key))
}
