import type { KitSummary, KnownKit, KnownSection } from '../../asset.js'
import { abortable } from '../../async/abortable.js'
import type { Engine } from '../../engine/engine.js'
import { findSection, type NamedKit } from '../../kit/named-kit.js'
import { nameSlugs } from '../../kit/names.js'
import { parseKit } from '../../request/request.js'
import { canonicalName } from '../../space/short-id.js'
import type { KitVersion } from '../../space/space.js'

/* The commands of `Importer`, which describes them. */

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, which then rejects with `aborted`. */
  signal?: AbortSignal | undefined
}

/** @internal */
export async function readKits({ modules }: Engine, { signal }: CallOptions = {}): Promise<KitSummary[]> {
  return abortable(modules.kits(), signal)
}

/** @internal */
export async function readKit(engine: Engine, id: string, { signal }: CallOptions = {}): Promise<KnownKit> {
  return abortable(knownKit(engine, id), signal)
}

/** @param full as in `Modules.kit` @internal */
export async function knownKit({ modules, options }: Engine, id: string, full?: boolean): Promise<KnownKit> {
  const reference = parseKit(id, options.kits)
  return modules.kit(reference, full)
}

function loadedKit({ catalog, options }: Engine, id: string): Promise<NamedKit> {
  return catalog.load(parseKit(id, options.kits))
}

/** Returns a kit as it was listed, with its short ids. @internal */
export async function listedKit(engine: Engine, id: string): Promise<NamedKit['kit']> {
  return (await loadedKit(engine, id)).kit
}

/**
 * Reads the sections of a kit.
 * @param wanted the slug or uuid of a section; default: all sections
 * @throws ContentSpaceError `sectionNotFound`, `ambiguousName`, and any error of `Importer.kit`
 * @internal
 */
export async function readSections(engine: Engine, id: string, wanted?: string): Promise<KnownSection[]> {
  const { sections } = await readKit(engine, id)
  if (wanted === undefined) return sections
  const { uuid } = findSection(await loadedKit(engine, id), canonicalName(wanted))
  return sections.filter((section) => section.uuid === uuid)
}

/** @internal */
export async function readVersions(
  { options, catalog, space }: Engine,
  id: string,
  { signal }: CallOptions = {},
): Promise<KitVersion[]> {
  const read = async () => {
    const uuid = await catalog.find(parseKit(id, options.kits).kit)
    // For an unknown kit, this throws the catalog's error, which names the nearest kits.
    await catalog.useVersion(uuid)
    return space.kit(uuid, 'versions')
  }
  return (await abortable(read(), signal)).versions ?? []
}

/**
 * Reloads drafts from the space, and the lockfile from disk. @returns whether any generated module changes
 * @throws ContentSpaceError any error of the reload, unless something has changed, because callers must then load the
 *   content again
 * @internal
 */
export async function refresh({ catalog }: Engine): Promise<boolean> {
  const { changed, error } = await catalog.refresh()
  if (error !== undefined && !changed) throw error
  return changed
}

/**
 * Returns the kits of a project as ids name them: the kits of option `kits` and of the lockfile, or all kits of the
 * space if there are none. Locked kits are read from the lockfile and the cache, without a connection.
 * @internal
 */
export async function kitsInUse(engine: Engine): Promise<string[]> {
  const { options, lock } = engine
  const named = new Set([...options.kits.values()].map(({ kit }) => kit))
  const locked = Object.entries(lock.kits()).filter(([uuid, { slug }]) => !named.has(uuid) && !named.has(slug))
  const used = [...options.kits.keys(), ...locked.map(([uuid, { slug }]) => (options.kits.has(slug) ? uuid : slug))]
  return used.length > 0 ? used : [...nameSlugs(await readKits(engine), 'kit').values()].map(({ slug }) => slug)
}

/** A kit, and the text that refers to it in ids. */
export interface FoundKit {
  id: string
  kit: KnownKit
}

/**
 * Loads kits without their records, by default those in use.
 * @throws ContentSpaceError any error of loading a kit
 * @internal
 */
export async function loadKits(engine: Engine, ids?: readonly string[]): Promise<FoundKit[]> {
  const load = async (id: string) => ({ id, kit: await knownKit(engine, id, false) })
  return Promise.all((ids ?? (await kitsInUse(engine))).map(load))
}
