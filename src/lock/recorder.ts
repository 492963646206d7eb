import type { LoadedKit } from '../kit/load.js'
import { findGiven } from '../kit/lookup.js'
import type { GivenKitNames, NamedKit } from '../kit/named-kit.js'
import { nameSlugs } from '../kit/names.js'
import type { VersionSelector } from '../request/request.js'
import { computeLock, withDownloads, type DownloadedFile, type LockedSources } from './compute.js'
import { lockDrift, replacedFiles, unusedIn, versionChanges } from './drift.js'
import { givenNames, kitSlugs, type VersionTable } from './given-names.js'
import { finalPart } from './records.js'
import type { LockedSummary, Lock, LockedTable, UsedBy } from './schema.js'
import { hasContent, hasUse, type NeededParts } from './table.js'
import { collectUses } from './uses.js'

/** Selects the kits whose versions, content and hashes `content-space update` resolves again. */
export interface UpdateOptions {
  /** Uuid or slug. Default: every kit of the lockfile. */
  kit?: string
  /** Whether to also generate names again. */
  rename: boolean
  /**
   * With `rename`: whether to write the new names into the source. Otherwise, the lines to change are only reported.
   */
  write?: boolean
  /** With `write`: whether the source may have uncommitted changes in Git. */
  force?: boolean
}

export interface RecorderOptions {
  /** Whether to write hashes of downloads. A dev server doesn't, because it loads only files that pages request. */
  hashes: boolean
  sources?: LockedSources | undefined
}

/**
 * Records the uses and downloads of a run, and computes the resulting lock.
 * @param before returns the lockfile as it was read
 * @param updated uuids of the kits that the run resolves again
 * @internal
 */
export function createRecorder(
  before: () => Lock,
  update: UpdateOptions | undefined,
  updated: ReadonlySet<string>,
  { hashes, sources }: RecorderOptions,
) {
  const uses = collectUses()
  const downloads = new Map<string, DownloadedFile & { integrity: string }>()
  /** Kits that keep all entries. */
  const kept = new Set<string>()
  let list: Lock['list']
  /** Whether the run drops entries that it doesn't use. */
  let mode = { exact: false, prune: false }
  /** Whether the run has used or downloaded anything that the lockfile lacks. */
  let isChanged = false
  /** Whether the run has used anything that the lockfile lacks. */
  let hasNewUses = false
  /** Whether all uses of the run are recorded, so that names no longer depend on their order. */
  let isSettled = false
  let computed: { lock: Lock; drift: string[]; hashed?: { lock: Lock; count: number } } | undefined

  function results(): NonNullable<typeof computed> {
    if (computed) return computed
    const { list: was, ...base } = before()
    const known = list ?? (mode.exact ? undefined : was)
    const start = known ? { ...base, list: known } : base
    const lock = computeLock({
      base: start,
      uses: uses.all(),
      ...mode,
      updated,
      rename: update?.rename ?? false,
      kept,
      sources,
    })
    computed = { lock, drift: lockDrift(before(), lock) }
    return computed
  }

  function current(): Lock {
    const made = results()
    if (!hashes) return made.lock
    if (made.hashed?.count !== downloads.size)
      made.hashed = { lock: withDownloads(made.lock, [...downloads.values()]), count: downloads.size }
    return made.hashed.lock
  }

  function change(): void {
    computed = undefined
    isChanged = true
  }

  const tableOf = (kit: string, version: number): LockedTable | undefined => before().kits[kit]?.versions[version]

  return {
    current,
    change,
    isChanged: (): boolean => isChanged || mode.exact,
    hasNewUses: (): boolean => hasNewUses,
    /** Forgets what the source used when it was last read. */
    forgetSource(this: void): void {
      uses.clearSource()
      computed = undefined
    },
    /** Call it after `before` has changed. @param isReplaced whether the recorded uses are out of date */
    restart(this: void, isReplaced: boolean): void {
      computed = undefined
      if (isReplaced) uses.clear()
    },
    /** Returns the names of a kit and its contents that are locked or were assigned in this run. */
    names(this: void, { kit, isAlone = false }: { kit: LoadedKit; isAlone?: boolean }): GivenKitNames {
      const { uuid, version } = kit
      const was = before().kits[uuid]
      const now = uses.of(uuid).length > 0 ? results().lock.kits[uuid]?.versions[version] : undefined
      const own = now ? [{ version, table: now }] : []
      const known = isSettled ? results().lock.kits[uuid] : was
      const tables = Object.entries(known?.versions ?? {}).map(([key, table]) => ({ version: Number(key), table }))
      const rank = (one: VersionTable): number => (one.version === known?.use ? Infinity : one.version)
      const sorted = tables.toSorted((a, b) => rank(b) - rank(a))
      const isReplaced = (one: VersionTable): boolean =>
        one.version === version || (updated.has(uuid) && one.version === was?.use)
      const replaced = sorted.filter(isReplaced)
      const others = isAlone ? [] : sorted.filter((one) => !isReplaced(one))
      if (!updated.has(uuid)) return givenNames(kit, now ? own : replaced, others)
      if (!update?.rename) return givenNames(kit, [...own, ...replaced], others)
      return { ...givenNames(kit, own, []), dropped: givenNames(kit, replaced, others) }
    },
    /**
     * Takes other versions that this run uses into account for names.
     * @returns whether that may change a name
     */
    settle(this: void): boolean {
      const isOther =
        !isSettled && Object.values(results().lock.kits).some((kit) => Object.keys(kit.versions).length > 1)
      isSettled = true
      return isOther && isChanged
    },
    /** Records which parts of a kit are used. @param by who uses them; default: the source */
    record(this: void, named: NamedKit, selector: VersionSelector, use: NeededParts, by?: UsedBy): void {
      const { uuid, version } = named.kit
      const listed = { ...use, assets: [...use.assets] }
      if (!uses.add(named, selector, listed, by)) return
      computed = undefined
      const locked = updated.has(uuid) ? undefined : tableOf(uuid, version)
      // A listing may contain the final state of content that the service was still processing before.
      const table = locked && !named.isPartial ? finalPart(locked) : locked
      const isUse = selector !== 'use' || before().kits[uuid]?.use === version
      const isKnown =
        isUse && table !== undefined && hasContent(table) && hasUse(table, listed) && hasNames(table, named, listed)
      if (!isKnown || (by === undefined && isByOthers(table, listed))) isChanged = hasNewUses = true
    },
    /** Records that the list of kits is used. */
    recordList(this: void, kits: Readonly<Record<string, LockedSummary>>): void {
      if (list === kits) return
      list = kits
      computed = undefined
      if (before().list !== kits) isChanged = hasNewUses = true
    },
    /** @returns whether the run hasn't recorded this download before */
    recordDownload(this: void, file: DownloadedFile, integrity: string): boolean {
      const key = JSON.stringify([file.asset, file.cut, file.hash ?? file.updated])
      if (downloads.get(key)?.integrity === integrity) return false
      downloads.set(key, { ...file, integrity })
      if (computed) delete computed.hashed
      return true
    },
    /** Keeps all entries of a kit, because an import of it couldn't be resolved. */
    keepKit(this: void, kit: string): void {
      const found = findGiven(kit, kitSlugs(before()))
      if (found) kept.add(found)
      computed = undefined
    },
    /**
     * Makes this run drop entries that it doesn't use.
     * @param prune whether to also drop entries that only builds use
     */
    dropUnused(this: void, prune = false): void {
      mode = { exact: true, prune }
      computed = undefined
    },
    /** Returns the slug that a kit has or will get in the lockfile. */
    slugOf: ({ kit: { uuid, name } }: NamedKit): string =>
      results().lock.kits[uuid]?.slug ?? nameSlugs([{ uuid, name }], 'kit', kitSlugs(before())).get(uuid)?.slug ?? '',
    drift: (): readonly string[] => (isChanged || updated.size > 0 ? results().drift : []),
    /** Returns the entries of the lockfile that this run doesn't use. */
    unused: (): readonly string[] => unusedIn(before(), results().lock),
    versionChanges() {
      const selectors = new Map<string, Set<VersionSelector>>()
      for (const { named, selectors: own } of uses.all()) {
        const known = selectors.get(named.kit.uuid) ?? new Set()
        for (const selector of own) known.add(selector)
        selectors.set(named.kit.uuid, known)
      }
      return versionChanges(before(), results().lock, selectors)
    },
    replaced: () => replacedFiles(before(), current()),
  }
}

/** Returns whether a table has the names of everything that is used. */
function hasNames({ assets }: LockedTable, named: NamedKit, use: NeededParts): boolean {
  return [...use.assets].every((uuid) => {
    const [line, names] = [assets[uuid], named.assets.get(uuid)]
    return (
      line?.name === names?.name && line?.slug === names?.slug && (line?.aliases?.length ?? 0) === names?.aliases.length
    )
  })
}

/** Returns whether the source now uses something that a table keeps for other users. */
function isByOthers(table: LockedTable | undefined, { assets, whole: [part] = [] }: NeededParts): boolean {
  const isPart = part !== undefined && table?.whole?.[part]?.by !== undefined
  return isPart || [...assets].some((uuid) => table?.assets[uuid]?.by !== undefined)
}
