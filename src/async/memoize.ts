/** Results by key, each made once, however many ask at the same time. What failed is made again when asked again. */
export interface Memoized<T, Key = string> {
  get(key: Key): Promise<T>
  /** The keys asked for, failures not among them. */
  keys(): Key[]
  set(key: Key, value: T): void
  forget(key: Key): void
}

export function memoize<T, Key = string>(make: (key: Key) => Promise<T>): Memoized<T, Key> {
  const made = new Map<Key, Promise<T>>()
  return {
    get(key) {
      const known = made.get(key)
      if (known) return known
      const making = make(key)
      made.set(key, making)
      making.catch(() => made.get(key) === making && made.delete(key))
      return making
    },
    keys: () => [...made.keys()],
    set: (key, value) => void made.set(key, Promise.resolve(value)),
    forget: (key) => void made.delete(key),
  }
}
