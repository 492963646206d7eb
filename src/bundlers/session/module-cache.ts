/** The sources of modules by resolved id. Each is made once, until the cache is cleared. */
export interface ModuleCache {
  /** Returns the cached source, or makes it. A source that failed is made again at the next call. */
  get(id: string, make: () => Promise<string>): Promise<string>
  clear(): void
}

export function createModuleCache(): ModuleCache {
  const sources = new Map<string, Promise<string>>()
  return {
    get(id, make) {
      const known = sources.get(id)
      if (known) return known
      const source = make()
      sources.set(id, source)
      // After `clear`, the entry may belong to a newer call.
      source.catch(() => sources.get(id) === source && sources.delete(id))
      return source
    },
    clear: () => sources.clear(),
  }
}
