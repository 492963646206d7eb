/** A place in a kit. */
export interface Place {
  section: { uuid: string; name: string; slug: string }
  /** The heading above the item, if any. */
  heading?: { uuid: string; name: string } | undefined
  /** The position in the collection, from 0. */
  order: number
}

/**
 * A loader for Astro's content layer, with the parts of its context that are used here. `never` stands for a type from
 * Astro's copy of Zod, because this package doesn't import Zod.
 */
export interface KitLoader {
  name: string
  load: (context: LoaderContext) => Promise<void>
  createSchema: () => Promise<{ schema: never; types: string }>
}

export interface StoreEntry {
  id: string
  data: Record<string, unknown>
  /** Markdown, and its rendered form from Astro. */
  body?: string
  rendered?: object
  digest?: number | string
}

export interface LoaderContext {
  config: { root: URL; vite: { plugins?: unknown[] } }
  store: {
    get(id: string): { digest?: number | string | undefined } | undefined
    set(entry: StoreEntry): boolean
    keys(): string[]
    delete(id: string): void
  }
  parseData(this: void, entry: StoreEntry): Promise<Record<string, unknown>>
  renderMarkdown(this: void, content: string): Promise<object>
  generateDigest(this: void, data: Record<string, unknown>): string | number
  logger: { info(message: string): void; error(message: string): void }
  watcher?: { add(path: string): unknown; on(event: 'change', listener: (path: string) => void): unknown } | undefined
}
