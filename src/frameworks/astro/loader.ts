import type { Item, KnownAsset } from '../../asset.js'
import { NAME } from '../../bundlers/plugin.js'
import type { Session } from '../../bundlers/session/session.js'
import { ContentSpaceError } from '../../errors.js'
import type { Engine } from '../../engine/engine.js'
import type { KitLoader, LoaderContext, Place, StoreEntry } from './loader-types.js'

/** Entries by id. */
export type Entries = ReadonlyMap<string, Omit<StoreEntry, 'id'>>

/**
 * Creates a loader. While the dev server runs, the collection follows changes to the kit.
 * @param read returns the entries of the collection
 * @param type the type of an entry's data. The content is validated when it is loaded.
 */
export function createLoader(
  kit: string,
  read: (engine: Engine, context: LoaderContext) => Promise<Entries>,
  type: string,
): KitLoader {
  const update = async (session: Session, context: LoaderContext): Promise<void> => {
    const [engine, { finish }] = await Promise.all([session.engine(), import('../../bundlers/session/content.js')])
    await updateEntries(await read(engine, context), context)
    await finish(engine)
  }
  let stopFollowing: (() => void) | undefined
  return {
    name: `unplugin-content-space:${kit}`,
    async load(context) {
      const session = sessionIn(context.config.vite.plugins)
      await update(session, context)
      if (context.watcher === undefined) return
      stopFollowing?.()
      stopFollowing = session.onChange(() => {
        update(session, context).catch((error) => context.logger.error(String(error)))
      })
    },
    async createSchema() {
      const { custom } = await import('astro/zod')
      return { schema: custom(), types: `export type Entry = ${type}\n` }
    },
  }
}

/** Returns the session of the Vite plugin, so that pages and collections load each kit only once. */
function sessionIn(plugins: unknown[] = []): Session {
  const plugin = plugins.flat(Infinity).find(hasSession)
  if (plugin) return plugin.api
  throw new ContentSpaceError('invalidOption', 'Loaders of content collections need the integration.', {
    hint: "Add contentSpace() from 'unplugin-content-space/astro' to the integrations of the Astro configuration.",
  })
}

function hasSession(plugin: unknown): plugin is { api: Session } {
  return typeof plugin === 'object' && plugin !== null && 'name' in plugin && plugin.name === NAME && 'api' in plugin
}

/** Adds new and changed entries, and deletes entries that the kit no longer contains. */
async function updateEntries(entries: Entries, context: LoaderContext): Promise<void> {
  const { store, generateDigest, parseData, renderMarkdown } = context
  for (const [id, { data, body }] of entries) {
    const digest = generateDigest({ ...data, body })
    if (store.get(id)?.digest === digest) continue
    const text = body === undefined ? {} : { body, rendered: await renderMarkdown(body) }
    store.set({ id, data: await parseData({ id, data }), ...text, digest })
  }
  for (const id of store.keys()) if (!entries.has(id)) store.delete(id)
}

/**
 * Lists the items of a kit with their places.
 * @param wanted the slug or uuid of a section; default: all sections
 * @throws ContentSpaceError any error of `readSections`
 */
export async function placedItems(
  kit: string,
  wanted: string | undefined,
  engine: Engine,
): Promise<(Omit<Place, 'order'> & { item: Item<KnownAsset> })[]> {
  const { readSections } = await import('../../commands/shared/kits.js')
  const sections = await readSections(engine, kit, wanted)
  return sections.flatMap(({ uuid, name, slug, items }) => {
    let heading: Place['heading']
    return items.map((item) => {
      if (item.type === 'heading') heading = { uuid: item.uuid, name: item.content }
      return { item, section: { uuid, name, slug }, heading }
    })
  })
}
