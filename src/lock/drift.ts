import { isRevisionHash } from '../space/sources/revision.js'
import { compareStrings } from '../text/compare.js'
import { isDeepStrictEqual } from 'node:util'
import { shortList, versionText } from '../text/quantities.js'
import type { Lock, LockedAsset, LockedKit, LockedTable, LockedVersion } from './schema.js'
import { revisionOfLocked } from './table.js'

/** A kit's selector that now resolves to another version. */
export interface VersionChange {
  /** The kit's slug. */
  kit: string
  selector: string
  from: LockedVersion | undefined
  to: LockedVersion
}

/** The assets of a kit whose files were replaced within a locked version. */
export interface ReplacedFiles {
  /** Slug of the kit. */
  slug: string
  /** Uuids. */
  assets: ReadonlySet<string>
}

/** Returns a version of a locked kit. */
export function lockedVersion({ versions }: LockedKit, version: number): LockedVersion | undefined {
  const table = versions[version]
  return table && { version, versionIdentifier: table.label, ...(table.date !== undefined && { date: table.date }) }
}

/** Returns the version of a kit that was last in use: the version of `use`, or otherwise the newest. */
export function lastVersion(kit: LockedKit): LockedVersion | undefined {
  const newest = Math.max(...Object.keys(kit.versions).map(Number))
  return lockedVersion(kit, kit.use ?? newest)
}

/**
 * Lists how a run would change a lockfile, one line per difference, sorted. Ignores hashes of new downloads. For
 * drafts, compares only names, because their content isn't locked.
 */
export function lockDrift(before: Lock, after: Lock): string[] {
  const differences = Object.entries(after.kits).flatMap(([uuid, kit]) => {
    const locked = before.kits[uuid]
    if (locked === undefined) return [`kit ${kit.slug} (${uuid}) is not in the lockfile`]
    return kitDrift(locked, kit).map((difference) => `kit ${locked.slug}: ${difference}`)
  })
  const isListed = before.list !== undefined || after.list === undefined
  return [...differences, ...(isListed ? [] : ['the list of kits is not in the lockfile'])].toSorted(compareStrings)
}

/** Lists the entries of a lockfile that another lockfile lacks, because they are no longer used. */
export function unusedIn(before: Lock, after: Lock): string[] {
  return Object.entries(before.kits).flatMap(([uuid, { slug, versions }]) => {
    const now = after.kits[uuid]
    if (now === undefined) return [`kit ${slug} is in the lockfile, but nothing uses it`]
    return Object.entries(versions).flatMap(([version, { assets }]) => {
      const table = now.versions[version]
      if (table === undefined)
        return [`kit ${slug}: ${versionText(Number(version))} is in the lockfile, but nothing uses it`]
      const unused = Object.keys(assets).filter((asset) => table.assets[asset] === undefined)
      const names = unused.map((asset) => assets[asset]?.slug ?? asset)
      return names.length === 0 ? [] : [`kit ${slug}: nothing uses ${shortList(names)}`]
    })
  })
}

function kitDrift(before: LockedKit, after: LockedKit): string[] {
  const isOther = after.use !== undefined && before.use !== after.use
  return [
    ...slugDrift('the kit', before, after),
    ...(isOther ? [`version use is ${after.use}, but ${before.use ?? 'not'} in the lockfile`] : []),
    ...Object.entries(after.versions).flatMap(([version, table]) => {
      const was = before.versions[version]
      const what = version === '0' ? 'draft' : version
      return was === undefined ? [`version ${what} is not in the lockfile`] : tableDrift(was, table)
    }),
  ]
}

function tableDrift(before: LockedTable, after: LockedTable): string[] {
  const parts = Object.keys(after.whole ?? {}).filter((part) => before.whole?.[part] === undefined)
  return [
    ...parts.map((part) => `all of ${nameOfPart(part, after)} is used, but not in the lockfile`),
    ...rowDrift('section', before.sections, after.sections, (was, is) => slugDrift(`section ${was.slug}`, was, is)),
    ...rowDrift('heading', before.items, after.items, (was, is) => slugDrift(`heading ${was.slug}`, was, is)),
    ...rowDrift('asset', before.assets, after.assets, assetDrift),
  ]
}

function nameOfPart(part: string, { sections, items }: LockedTable): string {
  if (part === 'kit') return 'the kit'
  if (part === 'outline' || part === 'tokens') return `its ${part}`
  return `section ${sections[part]?.slug ?? items[part]?.slug ?? part}`
}

function rowDrift<T extends { slug?: string | undefined }>(
  what: string,
  before: Readonly<Record<string, T>>,
  after: Readonly<Record<string, T>>,
  compare: (was: T, is: T) => string[],
): string[] {
  return Object.entries(after).flatMap(([uuid, is]) => {
    const was = before[uuid]
    if (is.slug === undefined) return []
    return was === undefined ? [`${what} ${is.slug} (${uuid}) is not in the lockfile`] : compare(was, is)
  })
}

function slugDrift(what: string, was: { slug?: string | undefined }, is: { slug?: string | undefined }): string[] {
  return was.slug === is.slug ? [] : [`${what} is now called ${is.slug}`]
}

function assetDrift(was: LockedAsset, is: LockedAsset): string[] {
  const differences: string[] = []
  if (was.name !== is.name || was.slug !== is.slug)
    differences.push(`asset ${was.name} (${was.slug}) is now called ${is.name} (${is.slug})`)
  if (was.lastSeen === undefined && is.lastSeen !== undefined) differences.push(`asset ${was.name} was removed`)
  if (was.lastSeen !== undefined && is.lastSeen === undefined) differences.push(`asset ${was.name} was added again`)
  return differences
}

/** Lists how the service has changed the locked entries of a version, one line per change. */
export function tableChanges(locked: LockedTable, now: LockedTable): string[] {
  const assets = Object.entries(locked.assets).flatMap(([uuid, was]) => {
    const is = now.assets[uuid]
    if (was.record === undefined) return []
    if (is?.record === undefined) return [`asset ${was.slug} was removed`]
    const fields = Object.keys({ ...was.record, ...is.record }).filter(
      (field) => !isDeepStrictEqual(was.record?.[field], is.record?.[field]),
    )
    if (!isDeepStrictEqual(was.fields, is.fields)) fields.push('custom fields')
    return fields.length === 0 ? [] : [`asset ${was.slug}: ${fields.map(spelled).join(', ')}`]
  })
  const parts = Object.entries(locked.sections).flatMap(([uuid, was]) => {
    const is = now.sections[uuid]
    if (is === undefined) return [`section ${was.slug} was removed`]
    return was.name === is.name ? [] : [`section ${was.slug}: name`]
  })
  const items = Object.entries({ ...locked.items, ...now.items }).filter(
    ([uuid]) => !isDeepStrictEqual(withoutRaw(locked.items[uuid]), withoutRaw(now.items[uuid])),
  )
  const added = Object.entries(now.assets).flatMap(([uuid, { slug }]) =>
    locked.assets[uuid] === undefined ? [`asset ${slug} was added`] : [],
  )
  const others = parts.length + added.length === 0 && items.length > 0 ? ['the texts or the order of items'] : []
  return [...assets, ...added, ...parts, ...others]
}

function withoutRaw(item: LockedTable['items'][string] | undefined): unknown {
  return item && { ...item, shortId: undefined, raw: undefined }
}

function spelled(field: string): string {
  return field === 'meta' ? 'cuts or data' : field
}

export function versionChanges(before: Lock, after: Lock, named: ReadonlyMap<string, ReadonlySet<number | 'use'>>) {
  return Object.entries(after.kits).flatMap(([uuid, kit]): VersionChange[] => {
    const was = before.kits[uuid]
    return [...(named.get(uuid) ?? [])].flatMap((selector) => {
      const version = selector === 'use' ? kit.use : selector
      const to = version === undefined ? undefined : lockedVersion(kit, version)
      const earlier = selector === 'use' ? was?.use : selector
      const from = was && earlier !== undefined ? lockedVersion(was, earlier) : undefined
      const text = selector === 0 ? 'draft' : String(selector)
      return to === undefined || (from && isDeepStrictEqual({ ...to, ...from }, to))
        ? []
        : [{ kit: kit.slug, selector: text, from, to }]
    })
  })
}

/**
 * Finds files whose bytes differ from the lockfile although the version is the same. If a file doesn't have a listed
 * hash, only its bytes tell whether it has changed. Ignores drafts, because their files are expected to change.
 * @param after the lock of the run, with the hashes of its downloads
 * @returns kits by uuid
 */
export function replacedFiles(before: Lock, after: Lock): Map<string, ReplacedFiles> {
  const kits = Object.entries(after.kits).flatMap(([uuid, kit]): [string, ReplacedFiles][] => {
    const was = before.kits[uuid]
    const replaced = Object.entries(kit.versions).flatMap(([version, { assets }]) => {
      const { [version]: same, ...others } = was?.versions ?? {}
      if (version === '0') return []
      return Object.entries(assets).flatMap(([asset, is]) => {
        const isOther = same === undefined && hasUnknownHash(is)
        const earlier = isOther
          ? Object.values(others).flatMap((one) => one.assets[asset] ?? [])[0]
          : same?.assets[asset]
        return isReplaced(asset, earlier, is, isOther) ? [asset] : []
      })
    })
    return replaced.length === 0 ? [] : [[uuid, { slug: was?.slug || kit.slug, assets: new Set(replaced) }]]
  })
  return new Map(kits)
}

function hasUnknownHash({ record }: LockedAsset): boolean {
  const hash = record?.['file_hash']
  return typeof hash === 'string' && isRevisionHash(hash)
}

/** @param byBytes whether only the bytes tell if the file has changed, because its revision doesn't */
function isReplaced(uuid: string, was: LockedAsset | undefined, is: LockedAsset, byBytes: boolean): boolean {
  if (was?.record === undefined || is.record === undefined) return false
  const [before, after] = [was.files?.['original'], is.files?.['original']]
  return (
    (!byBytes && revisionOfLocked(uuid, was) !== revisionOfLocked(uuid, is)) ||
    (before !== undefined && after !== undefined && before !== after)
  )
}
