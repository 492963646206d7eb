import type { Asset, KnownAsset } from '../../asset.js'
import { NAME } from '../../bundlers/plugin.js'
import type { Session } from '../../bundlers/session/session.js'
import { ContentSpaceError } from '../../errors.js'
import type { Engine } from '../../engine/engine.js'
import { assetsOf } from '../../space/item-kinds.js'
import { pick } from '../../text/pick.js'
import { imageOf } from './images.js'

const fields = [
  'uuid',
  'name',
  'type',
  'width',
  'height',
  'notes',
  'keywords',
  'colors',
  'size',
  'dateAdded',
  'dateUpdated',
  'fileUpdated',
  'export',
] as const satisfies (keyof KnownAsset)[]

/** The data of an entry: the metadata of an asset, and its place in the kit. No file is downloaded. */
export interface KitEntry extends Pick<KnownAsset, (typeof fields)[number]> {
  /** The content of an asset that is data without a file, such as a color. */
  meta?: unknown
  /** The section that contains the asset. An asset that the kit contains several times is where it comes first. */
  section: { uuid: string; name: string; slug: string }
  /** The heading above the asset, if there is one. */
  heading?: { uuid: string; name: string } | undefined
  /** The position in the collection, from 0. */
  order: number
}

/** A picture that `<Image>` and `<Picture>` of `astro:assets` accept. */
export interface KitImage extends Asset {
  width: number
  height: number
  format: 'avif' | 'gif' | 'jpeg' | 'jpg' | 'png' | 'svg' | 'tiff' | 'webp'
}

/** What a collection contains. */
export interface KitLoaderOptions {
  /**
   * The slug or uuid of a section: the collection contains only its assets.
   * @default all sections
   */
  section?: string | undefined
  /**
   * A query as in ids, or an empty string for the originals. Entries of pictures then have `image`, the imported asset.
   * A site that reads any collection uses all these pictures.
   * @example 'w=640;1280&format=webp'
   */
  image?: string | undefined
}

/**
 * A loader of Astro's content layer, with the parts of its context that are used here. `never` stands for a type of
 * Astro's copy of Zod, which this package does not import.
 */
export interface KitLoader {
  name: string
  load: (context: LoaderContext) => Promise<void>
  createSchema: () => Promise<{ schema: never; types: string }>
}

interface StoreEntry {
  id: string
  data: Record<string, unknown>
  digest?: number | string
}

interface LoaderContext {
  config: { vite: { plugins?: unknown[] } }
  store: {
    get(id: string): { digest?: number | string | undefined } | undefined
    set(entry: StoreEntry): boolean
    keys(): string[]
    delete(id: string): void
  }
  parseData(this: void, entry: StoreEntry): Promise<Record<string, unknown>>
  generateDigest(this: void, data: Record<string, unknown>): string | number
  logger: { info(message: string): void; error(message: string): void }
  watcher?: { add(path: string): unknown; on(event: 'change', listener: (path: string) => void): unknown } | undefined
}

/**
 * A loader for a content collection with the assets of a kit. The id of an entry is the asset's slug, as in
 * `content-space:asset/<kit>/<slug>`. While the dev server runs, the collection follows changes of the kit.
 * @param kit as in `content-space:kit/<kit>`: an alias, uuid or slug, with an optional `@<version>`
 * @throws ContentSpaceError `sectionNotFound`, and what `Importer.kit` throws, when the collection is loaded
 * @example
 * export const collections = { brand: defineCollection({ loader: kitLoader('brand') }) }
 */
export function kitLoader(kit: string, options: KitLoaderOptions = {}): KitLoader {
  const update = async (session: Session, context: LoaderContext): Promise<void> => {
    const [engine, { finish }] = await Promise.all([session.engine(), import('../../bundlers/session/content.js')])
    await updateEntries(await readEntries(kit, options, engine), context)
    await finish(engine)
  }
  let stopFollowing: (() => void) | undefined
  return {
    name: `unplugin-content-space:${kit}`,
    async load(context) {
      const session = sessionOf(context.config)
      await update(session, context)
      if (context.watcher === undefined) return
      stopFollowing?.()
      stopFollowing = session.onChange(() => {
        update(session, context).catch((error) => context.logger.error(String(error)))
      })
    },
    async createSchema() {
      const { custom } = await import('astro/zod')
      // The content is validated when it is loaded.
      const from = "import('unplugin-content-space/astro')"
      const more = options.image === undefined ? '' : ` & { image?: ${from}.KitImage }`
      return { schema: custom(), types: `export type Entry = ${from}.KitEntry${more}\n` }
    },
  }
}

/** Returns the session of the Vite plugin, so that pages and collections load a kit once. */
function sessionOf({ vite: { plugins = [] } }: LoaderContext['config']): Session {
  const plugin = plugins.flat(Infinity).find(hasSession)
  if (plugin) return plugin.api
  throw new ContentSpaceError('invalidOption', 'kitLoader needs the integration.', {
    hint: "Add contentSpace() from 'unplugin-content-space/astro' to the integrations of the Astro configuration.",
  })
}

function hasSession(plugin: unknown): plugin is { api: Session } {
  return typeof plugin === 'object' && plugin !== null && 'name' in plugin && plugin.name === NAME && 'api' in plugin
}

type Entries = ReadonlyMap<string, Record<string, unknown>>

/** Adds entries that are new or have changed, and deletes those that the kit no longer contains. */
async function updateEntries(entries: Entries, { store, generateDigest, parseData }: LoaderContext): Promise<void> {
  for (const [id, data] of entries) {
    const digest = generateDigest(data)
    if (store.get(id)?.digest === digest) continue
    store.set({ id, data: await parseData({ id, data }), digest })
  }
  for (const id of store.keys()) if (!entries.has(id)) store.delete(id)
}

async function readEntries(
  kit: string,
  { section: wanted, image: query }: KitLoaderOptions,
  engine: Engine,
): Promise<Entries> {
  const { readKit } = await import('../../commands/kits.js')
  const { name: kitName, sections } = await readKit(engine, kit)
  const chosen = sections.filter(({ slug, uuid }) => wanted === undefined || slug === wanted || uuid === wanted)
  if (chosen.length === 0 && wanted !== undefined) {
    throw new ContentSpaceError('sectionNotFound', `Kit ${kitName} has no section ${wanted}.`, {
      hint: `Its sections are ${sections.map(({ slug }) => slug).join(', ')}.`,
    })
  }
  const entries = new Map<string, Record<string, unknown>>()
  for (const { uuid, name, slug, items } of chosen) {
    const section = { uuid, name, slug }
    let heading: KitEntry['heading']
    for (const item of items) {
      if (item.type === 'heading') heading = { uuid: item.uuid, name: item.content }
      for (const asset of assetsOf(item)) {
        if (entries.has(asset.slug)) continue
        const meta = 'meta' in asset ? asset.meta : undefined
        const image = query === undefined ? undefined : await imageOf(asset, kit, query, engine)
        entries.set(asset.slug, { ...pick(asset, fields), meta, section, heading, order: entries.size, image })
      }
    }
  }
  return entries
}
