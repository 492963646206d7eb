import type { Credentials } from './http/credentials.js'
import type { Source } from './sources/source.js'

/**
 * The location of a space: a service, or a folder by its absolute path. Credentials are printed as `[secret]`. `kit`
 * means that the folder is a single kit with this uuid. `source` is an object in the configuration of the project in
 * `root`.
 */
export type SpaceLocation =
  | { address: URL; credentials: Credentials }
  | { folder: string; kit?: string }
  | { source: Source; root: string }

/** A kit with a source other than option `space`. */
export interface KitSource {
  /** The kit's aliases in option `kits`. */
  aliases: readonly string[]
  /** Identifies the source in the lockfile: the id of a space, or the name of an object. */
  id?: string | undefined
  space: SpaceLocation
}

/** The locations that a project reads its content from. */
export interface Places {
  /** `none` means that each kit has its own source. */
  space: SpaceLocation | { none: true }
  /** The kits with their own source, by uuid. */
  sources?: ReadonlyMap<string, KitSource>
}

/** Returns the distinct locations that a project reads. The location in option `space` comes first. */
export function locationsOf({ space, sources }: Places): SpaceLocation[] {
  const own = [...(sources?.values() ?? [])].map((source) => source.space)
  return [...new Set([...('none' in space ? [] : [space]), ...own])]
}
