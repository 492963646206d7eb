import { derivedKey } from '../disk/cache-layout.js'
import type { NamedKit } from '../kit/named-kit.js'
import type { LockSession } from '../lock/session.js'
import { noMemory, type SourceMemory } from '../source/memory.js'
import type { AssetRecord } from '../space/space.js'
import { openReadSources } from './read-source.js'
import { isRemembered, versionKey, type Part, type Remembered, type RememberedKit } from './remembered.js'
import type { KitStore } from './snapshots.js'

/**
 * What earlier builds of this project have used. A build with the same lockfile reads the assets of its modules from
 * this record, and loads a kit only for something that the record does not have.
 */
export interface Recall {
  /** Whether the lockfile is the one of the record, which is then known to be valid. */
  readonly isValid: boolean
  /** Returns the part for the id of a module. */
  part(this: void, id: string): Part | undefined
  /** Remembers the part that was made for the id of a module. */
  learn(this: void, id: string, part: Part): void
  /** Returns an asset of the parts that this build has used. */
  asset(this: void, uuid: string): AssetRecord | undefined
  /** Notes that a file was read. */
  readFile(this: void, file: { asset: string; cut?: string | undefined }, integrity: string): void
  /**
   * SVG files without active content. The record applies only to bytes whose hash is in the lockfile. Otherwise, a
   * process that writes to the cache could replace a file and mark it as checked.
   */
  safeSvg: {
    has(this: void, file: { asset: string; cut?: string | undefined }, integrity: string): boolean
    add(this: void, integrity: string): void
  }
  /** Notes that a kit was loaded. @returns whether no part of it was used before */
  readKit(this: void, kit: NamedKit): boolean
  /** Returns the ids of the modules whose parts were found. */
  used(this: void): string[]
  /** Whether this build has used nothing that the record does not have: it cannot change the lockfile. */
  isComplete(this: void): boolean
  /** The digest of imports and declarations, if they were up to date when they were recorded. */
  declared(this: void): string | undefined
  /** What was found in the source. */
  source: SourceMemory
  /** Writes the record, if the lockfile contains all results of this build. @param declared undefined: keeps it */
  save(this: void, declared: string | undefined): Promise<void>
  /** Writes what a build has found in the source that changes nothing else. */
  saveSource(this: void): Promise<void>
}

export interface RecallContext {
  store: Pick<KitStore, 'peek' | 'put'>
  /** Address and id of the space. */
  space: string
  /** A text that changes with the project and with options that change names or declarations. */
  project: string
  /** `sha256-…` of the lockfile, if there is one. It contains the digests of listings, so it determines all parts. */
  lock: string | undefined
  /** Called for each kit when a part of it is used. */
  onKit: (kit: RememberedKit) => void
}

/** Assets in one record. With more, loading the kit is as fast. */
const maxAssets = 2000

/** Remembers nothing. For projects whose content is not locked, and for processes that do not end after one build. */
export const noRecall: Recall = {
  isValid: false,
  part: () => undefined,
  learn: () => {},
  asset: () => undefined,
  readFile: () => {},
  safeSvg: { has: () => false, add: () => {} },
  readKit: () => true,
  used: () => [],
  isComplete: () => false,
  declared: () => undefined,
  source: noMemory,
  save: async () => {},
  saveSource: async () => {},
}

/**
 * @param session returns the lock of the run, which is opened later
 * @param warningOf returns the warning about export names that a kit has caused
 */
export async function openRecall(
  context: RecallContext,
  session: () => Pick<LockSession, 'digest' | 'locked'>,
  warningOf: (kit: NamedKit) => RememberedKit['warning'],
): Promise<Recall> {
  const { store, lock, onKit } = context
  const key = derivedKey({ space: context.space, inputs: context.project })
  const before = lock === undefined ? undefined : await readRecord(context, key, lock)
  const used = new Set<string>()
  const announced = new Set<string>()
  const assets = new Map<string, AssetRecord>()
  const learned = new Map<string, Part>()
  const loaded = new Map<string, NamedKit>()
  const checked = new Set<string>()
  const source = openReadSources(before?.source ?? {})
  const safe = new Set(before?.safe)
  let hasNewFiles = false

  function announce(found: Part): void {
    const name = versionKey({ uuid: found.kit, version: found.version })
    for (const asset of found.assets) assets.set(asset.uuid, asset)
    const kit = before?.kits.find((one) => versionKey(one) === name)
    if (kit === undefined || announced.has(name) || loaded.has(name)) return
    announced.add(name)
    onKit(kit)
  }

  function loadedKits(uuids: ReadonlySet<string>): RememberedKit[] {
    return [...loaded.values()].flatMap((named) => {
      const { uuid, name, version, assets: records } = named.kit
      // A draft changes without a change of the lockfile.
      if (version === 0) return []
      const contains = [...uuids].flatMap((asset) =>
        Object.hasOwn(records, asset) ? [`${asset} ${records[asset]?.fileHash}`] : [],
      )
      return [{ uuid, name, version, assets: Object.keys(records).length, contains, warning: warningOf(named) }]
    })
  }

  function recordOf(digest: string, declared: string | undefined): Remembered | undefined {
    const kept = before?.lock === digest ? before : undefined
    const parts = { ...kept?.parts, ...Object.fromEntries(learned) }
    const uuids = new Set(Object.values(parts).flatMap((one) => one.assets.map((asset) => asset.uuid)))
    if (uuids.size === 0 || uuids.size > maxAssets) return undefined
    const kits = new Map([...(kept?.kits ?? []), ...loadedKits(uuids)].map((kit) => [versionKey(kit), kit]))
    return {
      lock: digest,
      kits: [...kits.values()],
      parts,
      safe: [...new Set([...safe, ...checked])],
      declared: declared ?? kept?.declared,
      source: source.all(),
    }
  }

  async function write(record: Remembered): Promise<void> {
    await store.put(key, Buffer.from(JSON.stringify(record)))
  }

  return {
    isValid: before !== undefined,
    part(id) {
      const found = before?.parts[id]
      if (found === undefined) return undefined
      used.add(id)
      announce(found)
      return found
    },
    learn: (id, part) => void learned.set(id, part),
    asset: (uuid) => assets.get(uuid),
    readFile({ asset, cut }, integrity) {
      if (before && session().locked(asset, cut) !== integrity) hasNewFiles = true
    },
    safeSvg: {
      has: ({ asset, cut }, integrity) =>
        checked.has(integrity) || (safe.has(integrity) && session().locked(asset, cut) === integrity),
      add: (integrity) => void checked.add(integrity),
    },
    readKit(named) {
      loaded.set(versionKey(named.kit), named)
      return !announced.has(versionKey(named.kit))
    },
    used: () => [...used],
    isComplete: () => used.size > 0 && loaded.size === 0 && !hasNewFiles,
    declared: () => before?.declared,
    source,
    async save(declared) {
      const isLocked = loaded.size > 0 && loadedKits(new Set()).length === loaded.size
      const digest = isLocked ? await session().digest() : undefined
      const record = digest === undefined ? undefined : recordOf(digest, declared)
      if (record) await write(record)
    },
    async saveSource() {
      const read = source.learned()
      if (before && read) await write({ ...before, source: read })
    },
  }
}

/** Reads the record of a lockfile. */
async function readRecord({ store }: RecallContext, key: string, lock: string): Promise<Remembered | undefined> {
  const kept = await store.peek(key)
  const record = kept && parse(kept.bytes)
  return isRemembered(record) && record.lock === lock ? record : undefined
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString())
  } catch {
    return undefined
  }
}
