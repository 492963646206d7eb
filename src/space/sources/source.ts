/** A kit that a project reads from anywhere: a design file, a CMS, a package of icons. */
export interface Source {
  /** Names the source in the lockfile and in messages: `figma`. Assets are told apart by it, so it stays the same. */
  name: string
  /**
   * Says cheaply whether anything has changed: the same text means the same content. Undefined, or without this method:
   * it cannot be known, so the kit is listed in every build, as a draft is.
   */
  revision?(context: SourceContext): Promise<string | undefined>
  list(context: SourceContext): Promise<SourceKit>
  /**
   * Reads a file: its bytes, a stream of them, or where they are. The asset is as `list` returned it. An asset of the
   * lockfile isn't listed again, so it has only `id`, `name`, `type`, `hash` and `size`.
   */
  read(
    asset: SourceAsset,
    context: SourceContext,
  ): Promise<Uint8Array | ReadableStream<Uint8Array> | { url: string; headers?: Record<string, string> }>
  /** Calls `changed` when the content may have changed, until the returned function is called. Default: asks again. */
  watch?(changed: () => void, context: SourceContext): () => void
}

export interface SourceKit {
  name: string
  description?: string
  /** In display order. Ids are unique. */
  assets: SourceAsset[]
}

export interface SourceAsset {
  /** Any text that stays the same while it is the same asset, and that no other asset has. */
  id: string
  name: string
  /** `SVG`, `PNG`, `JPG`, … as the extension of the file, or `COLOR`, which has no file. */
  type: string
  /** Default: the name of the kit. */
  section?: string
  heading?: string
  /** The md5, sha1 or sha256 of the file in hexadecimal. Without it, a new revision downloads the file again. */
  hash?: string
  /** In bytes. */
  size?: number
  /** In pixels. */
  width?: number
  height?: number
  notes?: string
  keywords?: string[]
  /** Custom fields. */
  fields?: Record<string, string | number | string[]>
  /** The color of an asset of type `COLOR`, in CSS: `#e5603f`. */
  color?: string
}

/** What this package does for a source. */
export interface SourceContext {
  /** As the global `fetch`, with the rate, the retries, the time-outs, the limits and the proxy of the options. */
  fetch: typeof fetch
  signal: AbortSignal
  /** Keeps values that are JSON in the cache, also for later runs. */
  store: { get(key: string): Promise<unknown>; set(key: string, value: unknown): Promise<void> }
  /** Shows a warning. */
  log: (message: string) => void
}

/** Returns a source, with its types: `export const icons = defineSource({ … })`. */
export function defineSource(source: Source): Source {
  return source
}
