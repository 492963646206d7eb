import { ContentSpaceError } from '../errors.js'
import { once } from '../once.js'
import type { KitReference, VersionSelector } from '../request.js'
import type { KitRecord, OutlineSection, Space } from '../space/space.js'
import { canonicalUuid } from '../space/uuid.js'
import { headOf, loadKit, type KitHead, type LoadedKit } from './load.js'
import { headingsOf, nameKit, type GivenKitNames, type NamedKit } from './named.js'
import { nameSlugs, slugsIn, type GivenSlugs } from './names.js'
import { find } from './resolve.js'

/** What earlier runs know, and where this one leaves what it learns. */
export interface Memory {
  /** Slugs given to kits, by uuid. */
  kits(): GivenSlugs
  /** Names given to what a kit holds. */
  names(kit: string): GivenKitNames
  /** The version that a selector of a kit is pinned to. */
  version(kit: string, selector: VersionSelector): number | undefined
  /** A snapshot that was kept whole. Never the draft. */
  snapshot(kit: string, version: number): Promise<LoadedKit | undefined>
  /** Told of every kit that is loaded, each time it is asked for. */
  learn(kit: NamedKit, selector: VersionSelector): Promise<void>
}

/** The memory of a first run. */
export const noMemory: Memory = {
  kits: () => ({}),
  names: () => ({}),
  version: () => undefined,
  snapshot: async () => undefined,
  learn: async () => {},
}

export interface CatalogContext {
  space: Space
  memory: Memory
  /** The kits that the project configures. */
  configured: readonly KitReference[]
  strict: boolean
  warn: (message: string) => void
  /** Told of each version of a kit once it is there. */
  onKit: (kit: NamedKit) => void
}

export interface KitOutline extends KitHead {
  sections: OutlineSection[]
}

/** The kits of a space. Each is fetched once; what failed is tried again when it is asked for again. */
export interface Catalog {
  kits(): Promise<KitRecord[]>
  /**
   * A version of a kit, whole and named.
   * @throws ContentSpaceError `kitNotFound` and `versionNotFound` with the nearest right ones, and what the space throws
   */
  load(reference: KitReference): Promise<NamedKit>
  /** Sections and headings alone, without loading their items. Throws as `load` does. */
  outline(reference: KitReference): Promise<KitOutline>
  /** The kit of a section that is known by its uuid alone. */
  loadWithSection(section: string, version: VersionSelector): Promise<NamedKit>
  /** The kit, of those configured or remembered, of an asset that is known by its uuid alone. */
  loadWithAsset(asset: string): Promise<NamedKit>
  /** Loads the drafts again. @returns whether any of them has changed */
  refresh(): Promise<boolean>
}

export function openCatalog(context: CatalogContext): Catalog {
  const { space, memory, configured } = context
  const lists = once(() => space.kits())
  const records = once((uuid) => space.kit(uuid, 'use_versions').catch((error) => explainKit(error, uuid)))
  const versions = once((key) => fetchVersion(key))

  async function fetchVersion(key: string): Promise<NamedKit> {
    const { uuid, version } = readKey(key)
    const kept = await memory.snapshot(uuid, version)
    const named = nameKit(kept ?? (await fetchKit(uuid, version)), memory.names(uuid))
    context.onKit(named)
    return named
  }

  const outlines = once(async (key): Promise<KitOutline> => {
    const { uuid, version } = readKey(key)
    const kept = await memory.snapshot(uuid, version)
    if (kept) {
      const { assets: _, ...head } = kept
      return { ...head, sections: kept.sections.map((section) => ({ uuid: section.uuid, name: section.name, headings: headingsOf(section) })) }
    }
    const record = await records.get(uuid)
    const outline = await space.outline(uuid, version).catch((error) => explainVersion(error, record))
    return { ...headOf(record, outline, { assets: 0, items: 0, sections: outline.sections.length }), sections: outline.sections }
  })

  async function fetchKit(uuid: string, version: number): Promise<LoadedKit> {
    const record = await records.get(uuid)
    return loadKit(record, version, context).catch((error) => explainVersion(error, record))
  }

  async function findKit(wanted: string): Promise<KitRecord> {
    const list = await lists.get('')
    return find(wanted, list, slugsIn(nameSlugs(list, 'kit', memory.kits())), {
      what: 'kit',
      where: space.label,
      code: 'kitNotFound',
    })
  }

  /** Looks the kit up in the list of all, which fails with the nearest right ones. */
  async function explainKit(error: unknown, uuid: string): Promise<never> {
    if (error instanceof ContentSpaceError && error.code === 'kitNotFound') await findKit(uuid)
    throw error
  }

  async function explainVersion(error: unknown, { uuid, name, useVersion }: KitRecord): Promise<never> {
    if (!(error instanceof ContentSpaceError) || error.code !== 'versionNotFound') throw error
    const { versions: all = [] } = await space.kit(uuid, 'versions')
    const numbers = all.map(({ version }) => (version === 0 ? '0 (draft)' : version)).join(', ')
    const hint = `Its versions are ${numbers}; use is ${useVersion}.`
    throw new ContentSpaceError('versionNotFound', `Kit ${name} has no such version.`, { ...error.facts, kit: uuid, hint, cause: error })
  }

  async function uuidOf(kit: string): Promise<string> {
    if (canonicalUuid(kit) !== undefined) return kit
    const given = Object.entries(memory.kits()).find(([, { slug, aliases = [] }]) => slug === kit || aliases.includes(kit))
    return given?.[0] ?? (await findKit(kit)).uuid
  }

  /** The uuid and the number of the version that a reference means. */
  async function keyOf({ kit, version: selector }: KitReference): Promise<string> {
    const uuid = await uuidOf(kit)
    const exact = selector === 'use' ? undefined : selector
    const version = memory.version(uuid, selector) ?? exact ?? (await records.get(uuid)).useVersion
    return `${uuid}@${version}`
  }

  async function load(reference: KitReference): Promise<NamedKit> {
    const named = await versions.get(await keyOf(reference))
    await memory.learn(named, reference.version)
    return named
  }

  /** The first of the project's kits that holds what is looked for. */
  async function search(references: readonly KitReference[], holds: (kit: NamedKit) => boolean): Promise<NamedKit | undefined> {
    for (const reference of references) {
      const named = await load(reference)
      if (holds(named)) return named
    }
    return undefined
  }

  /** One request tells whether a draft has moved: its dates are in the record of its kit. */
  async function refreshKit(uuid: string): Promise<boolean> {
    const before = await records.get(uuid)
    const record = await space.kit(uuid, 'use_versions')
    if (JSON.stringify(record) === JSON.stringify(before)) return false
    const draft = `${uuid}@0`
    const loaded = versions.keys().includes(draft)
    // Only what came whole replaces what was there.
    const kit = loaded ? await loadKit(record, 0, context) : undefined
    records.set(uuid, record)
    if (kit) versions.set(draft, nameKit(kit, memory.names(uuid)))
    outlines.forget(draft)
    return true
  }

  function known(): KitReference[] {
    const remembered = Object.keys(memory.kits()).map((kit) => ({ kit, version: 'use' as const }))
    return [...configured, ...remembered]
  }

  return {
    kits: () => lists.get(''),
    load,
    outline: async (reference) => outlines.get(await keyOf(reference)),
    async loadWithSection(section, version) {
      const within = known().map(({ kit }) => ({ kit, version }))
      try {
        const { kitUuid } = await space.section(section, version === 'use' ? 0 : version)
        return await load({ kit: kitUuid, version })
      } catch (error) {
        // A section may be in the version in use, and no longer in the draft.
        if (!(error instanceof ContentSpaceError) || error.code !== 'sectionNotFound') throw error
        const named = await search(within, ({ sections }) => sections.has(section))
        if (named) return named
        throw error
      }
    },
    async loadWithAsset(asset) {
      const named = await search(known(), ({ assets }) => assets.has(asset))
      if (named) return named
      throw new ContentSpaceError('assetNotFound', `There is no asset ${asset} in the kits of this project.`, {
        asset,
        hint: 'Add its kit to option kits, or write content-space:asset/<kit>/<asset>.',
      })
    },
    async refresh() {
      lists.forget('')
      const changes = await Promise.all(records.keys().map(refreshKit))
      return changes.includes(true)
    },
  }
}

function readKey(key: string): { uuid: string; version: number } {
  const [uuid = '', version] = key.split('@')
  return { uuid, version: Number(version) }
}
