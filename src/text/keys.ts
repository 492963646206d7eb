/** Whether a text is a key of a table itself, and not of its prototype. */
export function isKeyOf<T extends object>(table: T, text: string): text is Extract<keyof T, string> {
  return Object.hasOwn(table, text)
}

export function keysOf<T extends object>(table: T): Extract<keyof T, string>[] {
  return Object.keys(table).filter((key) => isKeyOf(table, key))
}
