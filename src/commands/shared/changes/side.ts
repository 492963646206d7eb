import { byIdentity } from '../../../kit/identity.js'
import { nameKit, namesOfAsset, type NamedKit } from '../../../kit/named-kit.js'
import type { AssetNames } from '../../../kit/names.js'
import { assetShortIds } from '../../../kit/short-ids.js'
import { givenNames } from '../../../lock/given-names.js'
import { findRenamed } from '../../../lock/renamed.js'
import type { LockedKit, LockedTable } from '../../../lock/schema.js'
import { kitOfTable, revisionOfLocked } from '../../../lock/table.js'
import { revisionOfFile } from '../../../space/revision.js'
import type { AssetRecord } from '../../../space/space.js'
import { omitUndefined } from '../../../text/omit-undefined.js'
import { structureOf, withAssets, type SideSection } from './structure.js'

/** A version of a kit as one side of a comparison. */
export interface Side {
  /** Name of the kit, if known. */
  name?: string
  version: number
  /** The version identifier, if known. */
  label: string
  /** Release notes, if known. */
  notes: string
  /** Assets by uuid. */
  assets: ReadonlyMap<string, SideAsset>
  /** Uuids of sections. */
  sections: ReadonlySet<string>
  /** A string that differs between two sides of the same version if their content differs. Absent if unknown. */
  content?: string | undefined
  /** Absent if only the lockfile has this version, because the lockfile doesn't contain all sections. */
  structure?: readonly SideSection[]
  /**
   * Whether it contains only the assets in the lockfile. Additional assets of the other side then don't count as new.
   */
  isPartial?: true
  /** Uuids by identity, for assets whose identity and uuid differ. */
  identities?: ReadonlyMap<string, string>
}

/** An asset on one side. For a draft, the lockfile contains neither its record nor its exact name. */
export interface SideAsset {
  names: AssetNames
  shortIds?: readonly string[] | undefined
  record?: AssetRecord
  /** `file_hash` of the original. */
  hash?: string | undefined
  /** The locked `sha256-…` of the original and of cuts with the same `file_hash`. */
  files?: Readonly<Record<string, string>> | undefined
}

/** Returns the side of a loaded kit. @param locked the kit in the lockfile */
export function sideOf(named: NamedKit, locked?: LockedKit): Side {
  const { kit } = named
  const lines = locked?.versions[kit.version]?.assets ?? {}
  const assets = Object.values(kit.assets).map((record) => {
    const { uuid, fileHash: hash } = record
    const line = lines[uuid]
    const isSame = line !== undefined && revisionOfLocked(uuid, line) === revisionOfFile(record)
    const shortIds = assetShortIds(kit).get(uuid)
    const files = isSame ? line.files : undefined
    return [uuid, { names: namesOfAsset(named, uuid), shortIds, record, hash, files }] as const
  })
  const { name, version, versionIdentifier: label, notes } = kit
  const sections = new Set(named.sections.keys())
  const structure = structureOf(named)
  return { name, version, label, notes, assets: new Map(assets), sections, structure, identities: byIdentity(kit) }
}

/** Returns the side of a version that only the lockfile has. */
export function lockedSide(uuid: string, locked: LockedKit, version: number): Side {
  const table = locked.versions[version]
  if (table === undefined) return { ...emptySide(version), isPartial: true }
  const kit = kitOfTable(uuid, locked, version, table)
  const named = nameKit(kit, givenNames(kit, [{ version, table }], []))
  const whole = sideOf(named, locked)
  const isWhole = table.whole?.['kit'] !== undefined
  if (isWhole && version !== 0) return whole
  const { structure: _, ...side } = whole
  // The table of a draft contains names and revisions of assets, but not their text or positions.
  const assets = version === 0 ? draftAssets(table) : side.assets
  return { ...side, assets, ...(!isWhole && { isPartial: true }) }
}

function draftAssets({ assets }: LockedTable): Map<string, SideAsset> {
  return new Map(
    Object.entries(assets).flatMap(([uuid, line]) => {
      const { name, slug, aliases = [], files, record, lastSeen } = line
      const hash = typeof record?.['file_hash'] === 'string' ? revisionOfLocked(uuid, line) : undefined
      return lastSeen === undefined ? [[uuid, { names: { name, slug, aliases }, hash, files }] as const] : []
    }),
  )
}

/** Leaves out assets that the other side may have contained, because only the lockfile has that side. */
export function withoutUnknown(side: Side, known: ReadonlyMap<string, unknown>): Side {
  return { ...side, assets: new Map([...side.assets].filter(([uuid]) => known.has(uuid))) }
}

/** Returns the side of a kit that is no longer in the space. */
export function emptySide(version: number): Side {
  return { version, label: '', notes: '', assets: new Map(), sections: new Set() }
}

/** Gives assets the uuids of the later side, if a folder derives uuids or a published version has its own. */
export function alignRenamed(before: Side, after: Side): Side {
  const earlierOf = new Map([...(before.identities ?? [])].map(([identity, uuid]) => [uuid, identity]))
  const identified = [...before.assets.keys()].flatMap((uuid): [string, string][] => {
    const identity = earlierOf.get(uuid) ?? uuid
    const now = after.identities?.get(identity) ?? identity
    return now !== uuid && !after.assets.has(uuid) && after.assets.has(now) ? [[uuid, now]] : []
  })
  const renamed = [...findRenamed(hashesOf(before), hashesOf(after))].map(([uuid, earlier]) => [earlier, uuid] as const)
  const laterOf = new Map([...renamed, ...identified])
  if (laterOf.size === 0) return before
  const uuidOf = (uuid: string) => laterOf.get(uuid) ?? uuid
  const assets = [...before.assets].map(([uuid, asset]) => [uuidOf(uuid), asset] as const)
  const structure = before.structure && withAssets(before.structure, uuidOf)
  return { ...before, assets: new Map(assets), ...omitUndefined({ structure }) }
}

function hashesOf({ assets }: Side): Map<string, string | undefined> {
  return new Map([...assets].map(([uuid, { hash }]) => [uuid, hash]))
}
