import { ContentSpaceError } from '../errors.js'
import { memoize } from '../async/memoize.js'
import { compareStrings } from '../text/compare.js'
import type { KitReference, VersionSelector } from '../request/request.js'
import type { KitRecord, OutlineSection, Space } from '../space/space.js'
import { openKitIndex } from './kit-index.js'
import { headOf, loadKit, type KitHead, type LoadedKit } from '../kit/load.js'
import type { LockSession } from '../lock/session.js'
import type { Snapshots } from './snapshots.js'
import { headingsOf, nameKit, type NamedKit } from '../kit/named-kit.js'

export interface CatalogContext {
  space: Space
  memory: LockSession
  snapshots: Snapshots
  /** The kits that the project configures. */
  configured: readonly KitReference[]
  strict: boolean
  warn: (message: string) => void
  /** Told of each version of a kit once it is there. */
  onKit: (kit: NamedKit) => void
}

interface KitOutline extends KitHead {
  sections: OutlineSection[]
}

/** The kits of a space. Each is fetched once; what failed is tried again when it is asked for again. */
export interface Catalog {
  kits(): Promise<KitRecord[]>
  /**
   * A version of a kit, whole and named.
   * @throws ContentSpaceError `kitNotFound` and `versionNotFound` with the nearest right ones, and what the space
   *   throws
   */
  load(reference: KitReference): Promise<NamedKit>
  /**
   * The uuid of a kit that is named by uuid or slug.
   * @throws ContentSpaceError `kitNotFound` with the nearest right ones, `ambiguousName`
   */
  find(kit: string): Promise<string>
  /** The version that the space recommends of a kit now, whatever the lock pins. */
  useVersion(uuid: string): Promise<number>
  /**
   * A version of a kit, as `load` gives it, of which the lock learns nothing. One that is being moved away from is
   * not asked for again, where it is known from before.
   */
  peek(uuid: string, version: number): Promise<NamedKit>
  /** A version as it was when it was loaded last, by whichever run, where that is still known. */
  lastLoaded(uuid: string, version: number): Promise<NamedKit | undefined>
  /** Sections and headings alone, without loading their items. Throws as `load` does. */
  outline(reference: KitReference): Promise<KitOutline>
  /** The kit of a section that is known by its uuid alone. */
  loadWithSection(section: string, version: VersionSelector): Promise<NamedKit>
  /** The kit, of those configured or remembered, of an asset that is known by its uuid alone. */
  loadWithAsset(asset: string): Promise<NamedKit>
  /** Loads again what has moved: drafts, and what `use` means. @returns whether anything has */
  refresh(): Promise<boolean>
}

export function openCatalog(context: CatalogContext): Catalog {
  const { space, memory, snapshots, configured } = context
  const directory = openKitIndex(space, () => memory.kits())

  const versions = memoize(async (key) => {
    const { uuid, version } = readKey(key)
    const kit = (await kept(uuid, version)) ?? (await fetchKit(uuid, version))
    const named = nameKit(kit, memory.names(uuid))
    context.onKit(named)
    return named
  })

  const outlines = memoize(async (key) => {
    const { uuid, version } = readKey(key)
    const kit = await kept(uuid, version)
    return kit ? outlineOf(kit) : fetchOutline(uuid, version)
  })

  async function kept(uuid: string, version: number): Promise<LoadedKit | undefined> {
    return memory.isUpdating(uuid) ? undefined : snapshots.current(uuid, version, () => directory.kit(uuid))
  }

  async function fetchKit(uuid: string, version: number): Promise<LoadedKit> {
    const record = await directory.kit(uuid).catch((error) => explainMissing(error, uuid, version))
    const kit = await loadKit(record, version, context).catch((error) => explainVersion(error, record, space))
    await snapshots.keep(kit, record)
    return kit
  }

  async function fetchOutline(uuid: string, version: number): Promise<KitOutline> {
    const kit = await directory.kit(uuid)
    const outline = await space.outline(uuid, version).catch((error) => explainVersion(error, kit, space))
    const { sections } = outline
    return { ...headOf(kit, outline, { assets: 0, items: 0, sections: sections.length }), sections }
  }

  async function keyOf({ kit, version: selector }: KitReference): Promise<string> {
    const uuid = await directory.uuidOf(kit)
    const exact = selector === 'use' ? undefined : selector
    const version = memory.version(uuid, selector) ?? exact ?? (await directory.kit(uuid)).useVersion
    return `${uuid}@${version}`
  }

  async function load(reference: KitReference): Promise<NamedKit> {
    const named = await versions.get(await keyOf(reference))
    memory.record(named, reference.version)
    return named
  }

  async function recall(uuid: string, version: number): Promise<NamedKit | undefined> {
    const kit = await snapshots.last(uuid, version)
    return kit && nameKit(kit, memory.names(uuid))
  }

  /** The first of the project's kits that holds what is looked for. */
  async function search(
    uuid: string,
    holds: (kit: NamedKit) => boolean,
    version?: VersionSelector,
  ): Promise<NamedKit | undefined> {
    const remembered = Object.keys(memory.kits()).map((kit) => ({ kit, version: 'use' as const }))
    const holder = memory.findOwner(uuid)
    const loaded = versions
      .keys()
      .toSorted(compareStrings)
      .map(readKey)
      .map((key) => ({ kit: key.uuid, version: key.version }))
    for (const reference of [...(holder ? [holder] : []), ...configured, ...remembered, ...loaded]) {
      const named = await load({ kit: reference.kit, version: version ?? reference.version })
      if (holds(named)) return named
    }
    return undefined
  }

  /**
   * One request tells whether a kit has moved: it names the dates or the revision of its draft, and the version in use.
   */
  async function refreshKit(uuid: string): Promise<boolean> {
    const [before, kit] = [await directory.kit(uuid), await directory.ask(uuid)]
    if (JSON.stringify(kit) === JSON.stringify(before)) return false
    const draft = `${uuid}@0`
    // Only what came whole replaces what was there.
    const loaded = versions.keys().includes(draft) ? await loadKit(kit, 0, context) : undefined
    directory.replace(kit)
    outlines.forget(draft)
    if (loaded) versions.set(draft, nameKit(loaded, memory.names(uuid)))
    return true
  }

  return {
    kits: () => directory.kits(),
    load,
    find: (kit) => directory.uuidOf(kit),
    useVersion: async (uuid) => (await directory.kit(uuid)).useVersion,
    async peek(uuid, version) {
      const key = `${uuid}@${version}`
      const old = version === 0 || versions.keys().includes(key) ? undefined : await recall(uuid, version)
      return old ?? versions.get(key)
    },
    lastLoaded: recall,
    outline: async (reference) => outlines.get(await keyOf(reference)),
    async loadWithSection(section, version) {
      const holder = memory.findOwner(section)
      const known = holder && (await load({ kit: holder.kit, version }))
      if (known?.sections.has(section)) return known
      try {
        const { kitUuid } = await space.section(section, version === 'use' ? 0 : version)
        return await load({ kit: kitUuid, version })
      } catch (error) {
        if (!(error instanceof ContentSpaceError) || error.code !== 'sectionNotFound') throw error
        // A section may be in the version in use, and no longer in the draft.
        const named = await search(section, ({ sections }) => sections.has(section), version)
        if (named) return named
        throw error
      }
    },
    async loadWithAsset(asset) {
      const named = await search(asset, ({ assets }) => assets.has(asset))
      if (named) return named
      throw new ContentSpaceError('assetNotFound', `There is no asset ${asset} in the kits of this project.`, {
        asset,
        hint: 'Add its kit to option kits, or write content-space:asset/<kit>/<asset>.',
      })
    },
    async refresh() {
      directory.forget()
      if (await memory.reload()) {
        for (const key of versions.keys()) versions.forget(key)
        for (const key of outlines.keys()) outlines.forget(key)
        return true
      }
      const moved = await Promise.all(directory.known().map(refreshKit))
      return moved.includes(true)
    },
  }
}

/** `<uuid>@<version>` */
function readKey(key: string): { uuid: string; version: number } {
  const [uuid = '', version] = key.split('@')
  return { uuid, version: Number(version) }
}

function outlineOf(kit: LoadedKit): KitOutline {
  const { assets: _, sections, ...head } = kit
  return {
    ...head,
    sections: sections.map((section) => ({ uuid: section.uuid, name: section.name, headings: headingsOf(section) })),
  }
}

/** What is wanted offline is a version, whatever would have been asked for first. */
function explainMissing(error: unknown, kit: string, version: number): never {
  if (!(error instanceof ContentSpaceError) || error.code !== 'offline') throw error
  const { hint } = error
  const message = `Version ${version} of kit ${kit} is not in the cache.`
  throw new ContentSpaceError('offline', message, {
    ...error.facts,
    kit,
    version,
    ...(hint === undefined ? {} : { hint }),
  })
}

/** Adds the versions that there are to the error of one that there is not. */
async function explainVersion(error: unknown, { uuid, name, useVersion }: KitRecord, space: Space): Promise<never> {
  if (!(error instanceof ContentSpaceError) || error.code !== 'versionNotFound') throw error
  const { versions = [] } = await space.kit(uuid, 'versions')
  const numbers = versions.map(({ version }) => (version === 0 ? '0 (draft)' : version)).join(', ')
  const hint = `Its versions are ${numbers}; use is ${useVersion}.`
  throw new ContentSpaceError('versionNotFound', `Kit ${name} has no such version.`, {
    ...error.facts,
    kit: uuid,
    hint,
    cause: error,
  })
}
