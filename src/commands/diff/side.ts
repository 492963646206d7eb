import { contentDigest } from '../../kit/content-digest.js'
import { namesIn, type NamedKit } from '../../kit/named-kit.js'
import type { AssetNames } from '../../kit/names.js'
import { findRenamed } from '../../lock/renamed.js'
import type { LockedKit } from '../../lock/schema.js'
import type { AssetRecord } from '../../space/space.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { structureOf, withAssets, type SideSection } from './structure.js'

/** A version of a kit as one side of a comparison. */
export interface Side {
  /** Name of the kit, as far as it is known. */
  name?: string
  version: number
  /** The version identifier, as far as it is known. */
  label: string
  /** Release notes, as far as they are known. */
  notes: string
  /** Assets by uuid. */
  assets: ReadonlyMap<string, SideAsset>
  /** Uuids of sections. */
  sections: ReadonlySet<string>
  /** The digest of its listing, as far as it is known. Absent for a draft. */
  content?: string | undefined
  /** Absent if only the lockfile knows this version: it has no names of sections, and no places of assets. */
  structure?: readonly SideSection[]
}

/** An asset on one side. The lockfile alone contains neither its record nor its exact name. */
export interface SideAsset {
  names: AssetNames
  record?: AssetRecord
  /** `file_hash` of the original. */
  hash?: string | undefined
  /** The locked `sha256-…` of the original and of cuts with the same `file_hash`. */
  files?: Readonly<Record<string, string>> | undefined
}

/** Returns the side of a loaded kit. @param locked the kit in the lockfile */
export function sideOf(named: NamedKit, locked?: LockedKit): Side {
  const assets = Object.values(named.kit.assets).map((record) => {
    const { uuid, fileHash: hash } = record
    const lock = locked?.assets[uuid]
    const files = lock?.file_hash === hash ? lock?.files : undefined
    return [uuid, { names: namesIn(named, uuid), record, hash, files }] as const
  })
  const { name, version, versionIdentifier: label, notes } = named.kit
  const sections = new Set(named.sections.keys())
  const content = version === 0 ? undefined : contentDigest(named.kit)
  return { name, version, label, notes, assets: new Map(assets), sections, content, structure: structureOf(named) }
}

/**
 * Returns the side of a version that is only known from the lockfile.
 * @param lastLoaded the version as it was loaded before: it describes the files that have the locked hash
 * @param own the assets that this version has for certain: the lockfile does not separate versions
 * @param others the other versions, as far as they are known: an asset that is only in these is left out
 */
export function lockedSide(
  locked: LockedKit,
  version: number,
  lastLoaded: NamedKit | undefined,
  own: ReadonlyMap<string, unknown> = new Map(),
  others: readonly ({ assets: ReadonlyMap<string, unknown> } | undefined)[] = [],
): Side {
  const assets = Object.entries(locked.assets).flatMap(
    ([uuid, { name, slug, aliases = [], file_hash: hash, files, lastSeen }]) => {
      if (lastSeen !== undefined) return []
      if (!own.has(uuid) && others.some((other) => other?.assets.has(uuid))) return []
      const found = lastLoaded?.kit.assets[uuid]
      const record = found?.fileHash === hash ? found : undefined
      return [[uuid, { names: { name, slug, aliases }, hash, files, ...omitUndefined({ record }) }] as const]
    },
  )
  const known = Object.values(locked.selectors).find((selector) => selector.version === version)
  const label = known?.versionIdentifier ?? ''
  const sections = new Set(Object.keys(locked.sections))
  const { content } = known ?? {}
  // What was loaded after the lockfile was written may not be the locked state. A draft has only a date.
  const isLocked =
    lastLoaded !== undefined &&
    (content === undefined ? lastLoaded.kit.dateUpdated === known?.date : contentDigest(lastLoaded.kit) === content)
  const more = isLocked ? { name: lastLoaded.kit.name, structure: structureOf(lastLoaded) } : {}
  return { version, label, notes: '', assets: new Map(assets), sections, content, ...more }
}

/**
 * Returns a locked version whose files are not known, because the lockfile has those of another version: its digest
 * shows whether the listing differs, and assets that the lockfile does not have are new.
 */
export function unreadSide({ selectors, assets }: LockedKit, now: Side): Side {
  const { content } = Object.values(selectors).find(({ version }) => version === now.version) ?? {}
  const { version, label, sections } = now
  const known = [...now.assets].filter(([uuid]) => assets[uuid] !== undefined)
  return { version, label, notes: '', assets: new Map(known), sections, content }
}

/** Returns the side of a kit that is no longer in the space. */
export function emptySide(version: number): Side {
  return { version, label: '', notes: '', assets: new Map(), sections: new Set() }
}

/** Gives files that were renamed in a folder without uuids the uuids of the later side. */
export function alignRenamed(before: Side, after: Side): Side {
  const renamed = findRenamed(hashesOf(before), hashesOf(after))
  if (renamed.size === 0) return before
  const laterOf = new Map([...renamed].map(([uuid, earlier]) => [earlier, uuid]))
  const uuidOf = (uuid: string) => laterOf.get(uuid) ?? uuid
  const assets = [...before.assets].map(([uuid, asset]) => [uuidOf(uuid), asset] as const)
  const structure = before.structure && withAssets(before.structure, uuidOf)
  return { ...before, assets: new Map(assets), ...omitUndefined({ structure }) }
}

function hashesOf({ assets }: Side): Map<string, string | undefined> {
  return new Map([...assets].map(([uuid, { hash }]) => [uuid, hash]))
}
