/**
 * Results by key. Each is created once, also for concurrent calls. A failure is forgotten, so that the next call
 * retries.
 */
export interface Memoized<T, Key = string> {
  get(key: Key): Promise<T>
  /** Returns the keys of pending and successful results. */
  keys(): Key[]
  set(key: Key, value: T): void
  forget(key: Key): void
}

export function memoize<T, Key = string>(create: (key: Key) => Promise<T>): Memoized<T, Key> {
  const results = new Map<Key, Promise<T>>()
  return {
    get(key) {
      const known = results.get(key)
      if (known) return known
      const creating = create(key)
      results.set(key, creating)
      creating.catch(() => results.get(key) === creating && results.delete(key))
      return creating
    },
    keys: () => [...results.keys()],
    set: (key, value) => void results.set(key, Promise.resolve(value)),
    forget: (key) => void results.delete(key),
  }
}
