import type { LockedKit } from '../../lock/schema.js'
import { namesIn, type NamedKit } from '../../kit/named-kit.js'
import type { AssetNames } from '../../kit/names.js'
import type { AssetRecord } from '../../space/space.js'

/** A version of a kit as one side of a comparison. */
export interface Side {
  version: number
  /** By uuid. */
  assets: ReadonlyMap<string, SideAsset>
  /** Uuids. */
  sections: ReadonlySet<string>
}

/** An asset as far as it is known: the lock alone has neither its record nor its name as people write it. */
export interface SideAsset {
  names: AssetNames
  record?: AssetRecord
  /** `file_hash` of the original. */
  hash?: string | undefined
  /** The `sha256-…` that the lock has of the original and of cuts of this revision. */
  files?: Readonly<Record<string, string>> | undefined
}

/** @param locked what the lock has of the kit */
export function sideOf(named: NamedKit, locked?: LockedKit): Side {
  const assets = Object.values(named.kit.assets).map((record) => {
    const { uuid, fileHash: hash } = record
    const lock = locked?.assets[uuid]
    const files = lock?.file_hash === hash ? lock?.files : undefined
    return [uuid, { names: namesIn(named, uuid), record, hash, files }] as const
  })
  return { version: named.kit.version, assets: new Map(assets), sections: new Set(named.sections.keys()) }
}

/**
 * What the lock remembers of a version, for one that has moved since.
 * @param kept the version as it was once loaded: it tells more of the files that are still the lock's
 * @param held whether an asset of the lock is of this version: the lock keeps those of all versions together
 */
export function lockedSide(
  locked: LockedKit,
  version: number,
  kept: NamedKit | undefined,
  held: (uuid: string) => boolean,
): Side {
  const assets = Object.entries(locked.assets).flatMap(
    ([uuid, { name, slug, aliases = [], file_hash: hash, files, lastSeen }]) => {
      if (lastSeen !== undefined || !held(uuid)) return []
      const record = kept?.kit.assets[uuid]
      const same = record !== undefined && record.fileHash === hash
      return [[uuid, { names: { name, slug, aliases }, hash, files, ...(same ? { record } : {}) }] as const]
    },
  )
  return { version, assets: new Map(assets), sections: new Set(Object.keys(locked.sections)) }
}

/** What is left of a kit that the space has no more. */
export const nothing: Omit<Side, 'version'> = { assets: new Map(), sections: new Set() }
