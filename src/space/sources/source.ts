/** A kit that a project reads from anywhere: a design file, a CMS, a package of icons. */
export interface Source {
  /**
   * Names the source in the lockfile and in messages: `figma`. Don't change it, because it distinguishes assets of
   * different sources.
   */
  name: string
  /**
   * Returns a string that changes exactly when the content changes. It must be cheap to compute. If it returns
   * undefined or is missing, the kit is listed in every build, like a draft.
   */
  revision?(context: SourceContext): Promise<string | undefined>
  list(context: SourceContext): Promise<SourceKit>
  /**
   * Reads a file: returns its bytes, a stream of them, or their location. The asset is as `list` returned it. A locked
   * asset isn't listed again, so it has only `id`, `name`, `type`, `hash` and `size`.
   */
  read(
    asset: SourceAsset,
    context: SourceContext,
  ): Promise<Uint8Array | ReadableStream<Uint8Array> | { url: string; headers?: Record<string, string> }>
  /**
   * Calls `changed` whenever the content may have changed, until the returned function is called. Default: polls for
   * changes.
   */
  watch?(changed: () => void, context: SourceContext): () => void
}

export interface SourceKit {
  name: string
  description?: string
  /** In display order, with unique ids. */
  assets: SourceAsset[]
}

export interface SourceAsset {
  /** Any string that identifies the asset permanently and uniquely. */
  id: string
  name: string
  /** The extension of the file, such as `SVG`, `PNG` or `JPG`, or `COLOR`, which doesn't have a file. */
  type: string
  /** Default: the kit's name. */
  section?: string
  heading?: string
  /** The file's md5, sha1 or sha256 in hexadecimal. Without it, the file is downloaded again for each new revision. */
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
  /** A CSS color, for an asset of type `COLOR`: `#e5603f`. */
  color?: string
}

/** The tools that this package provides to a source. */
export interface SourceContext {
  /** Works like the global `fetch`, but applies the rate, retries, timeouts, limits and proxy of the options. */
  fetch: typeof fetch
  signal: AbortSignal
  /** Keeps JSON values in the cache, including for later runs. */
  store: { get(key: string): Promise<unknown>; set(key: string, value: unknown): Promise<void> }
  /** Prints a warning. */
  log: (message: string) => void
}

/** Returns a source unchanged, but with types: `export const icons = defineSource({ … })`. */
export function defineSource(source: Source): Source {
  return source
}
