/** Results by key, each made once, however many ask at the same time. What failed is made again when asked again. */
export interface Memoized<T> {
  get(key: string): Promise<T>
  /** The keys asked for, failures not among them. */
  keys(): string[]
  set(key: string, value: T): void
  forget(key: string): void
}

export function memoize<T>(make: (key: string) => Promise<T>): Memoized<T> {
  const made = new Map<string, Promise<T>>()
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
