/**
 * Caches results by key. Creates each result once, even for concurrent calls. Forgets a failure, so that the next call
 * retries.
 */
export function memoize<T, Key = string>(create: (key: Key) => Promise<T>) {
  const results = new Map<Key, Promise<T>>()
  return {
    get(key: Key): Promise<T> {
      const known = results.get(key)
      if (known) return known
      const creating = create(key)
      results.set(key, creating)
      creating.catch(() => results.get(key) === creating && results.delete(key))
      return creating
    },
    /** Returns the keys of pending and successful results. */
    keys: () => [...results.keys()],
    set: (key: Key, value: T) => void results.set(key, Promise.resolve(value)),
    forget: (key: Key) => void results.delete(key),
  }
}

/**
 * Caches results by an object that doesn't change. Computes each result once, and keeps it as long as its object
 * exists.
 */
export function memoizeWeak<Key extends object, T>(compute: (key: Key) => T): (key: Key) => T {
  const results = new WeakMap<Key, { result: T }>()
  return (key) => {
    const known = results.get(key) ?? { result: compute(key) }
    results.set(key, known)
    return known.result
  }
}
