import type { Credentials } from './http/credentials.js'
import type { Source } from './sources/source.js'

/**
 * The location of a space: a service, or a folder by its absolute path. Credentials print as `[secret]`.
 * `kit`: the folder is one kit, which has this uuid. `source`: an object of the project in `root`.
 */
export type SpaceLocation =
  | { address: URL; credentials: Credentials }
  | { folder: string; kit?: string }
  | { source: Source; root: string }

/** A kit that isn't read from the space of option `space`. */
export interface KitSource {
  /** The aliases of the kit in option `kits`. */
  aliases: readonly string[]
  /** Names the source in the lockfile: the id of a space, or the name of an object. */
  id?: string | undefined
  space: SpaceLocation
}

/** The places of the content of a project. */
export interface Places {
  /** `none`: each kit has its own source. */
  space: SpaceLocation | { none: true }
  /** The kits with their own source, by uuid. */
  sources?: ReadonlyMap<string, KitSource>
}

/** Returns the places that a project reads, each once: that of option `space` first. */
export function locationsOf({ space, sources }: Places): SpaceLocation[] {
  const own = [...(sources?.values() ?? [])].map((source) => source.space)
  return [...new Set([...('none' in space ? [] : [space]), ...own])]
}
