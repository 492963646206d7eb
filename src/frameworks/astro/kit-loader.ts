import type { Asset, BaseItem, CodeSnippetItem, GuideItem, KnownAsset, NoteItem } from '../../asset.js'
import type { Engine } from '../../engine/engine.js'
import { assetsOf } from '../../space/item-kinds.js'
import { pick } from '../../text/pick.js'
import { fieldsType } from './field-names.js'
import { imageOf } from './images.js'
import { createLoader, placedItems, type Entries } from './loader.js'
import type { KitLoader, LoaderContext, Place } from './loader-types.js'

const metadata = [
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

/**
 * The data of an entry: the metadata of an asset, and its place in the kit. If the kit contains the asset several
 * times, the entry's place is the first one. The loader doesn't download files.
 */
export interface KitEntry<Fields = KnownAsset['fields']> extends Place, Pick<KnownAsset, (typeof metadata)[number]> {
  /**
   * The values of custom fields, if the asset has any. The type of a collection's entries declares the collection's own
   * fields.
   */
  fields?: Fields | undefined
  /** The content of a data asset without a file, such as a color. */
  meta?: unknown
}

/** A picture that `<Image>` and `<Picture>` of `astro:assets` accept. */
export interface KitImage extends Asset {
  width: number
  height: number
  format: 'avif' | 'gif' | 'jpeg' | 'jpg' | 'png' | 'svg' | 'tiff' | 'webp'
}

/** Selects the content of a collection. */
export interface KitLoaderOptions {
  /**
   * The slug or uuid of a section. The collection then contains only the section's assets.
   * @default all sections
   */
  section?: string | undefined
  /**
   * A query as in ids, or an empty string for the originals. Entries of pictures then have `image`, the imported asset.
   * Astro builds the pictures of all entries if a site reads any collection.
   * @example 'w=640;1280&format=webp'
   */
  image?: string | undefined
}

/** The module that the types of a collection refer to. */
const from = "import('unplugin-content-space/astro')"

/**
 * Creates a loader for a content collection with the assets of a kit. The id of an entry is the asset's slug, as in
 * `content-space:asset/<kit>/<slug>`. While the dev server runs, the collection follows changes to the kit.
 * @param kit as in `content-space:kit/<kit>`: an alias, uuid or slug, with an optional `@<version>`
 * @throws ContentSpaceError when the collection is loaded: `sectionNotFound`, and any error of `Importer.kit`
 * @example export const collections = { brand: defineCollection({ loader: kitLoader('brand') }) }
 */
export function kitLoader(kit: string, options: KitLoaderOptions = {}): KitLoader {
  const more = options.image === undefined ? '' : ` & { image?: ${from}.KitImage }`
  const name = [kit, options.section ?? []].flat().join(' ')
  async function read(engine: Engine, { config }: LoaderContext): Promise<Entries> {
    const reading = readAssets(kit, options, engine)
    const [entries, { writeFieldTypes }] = await Promise.all([reading, import('./field-types.js')])
    await writeFieldTypes(config.root, name, entries)
    return entries
  }
  return createLoader(kit, read, `${from}.KitEntry<${fieldsType(name)}>${more}`)
}

async function readAssets(kit: string, options: KitLoaderOptions, engine: Engine): Promise<Entries> {
  const entries = new Map<string, { data: Record<string, unknown> }>()
  for (const { item, ...place } of await placedItems(kit, options.section, engine)) {
    for (const asset of assetsOf(item)) {
      if (entries.has(asset.slug)) continue
      const meta = 'meta' in asset ? asset.meta : undefined
      const image = options.image === undefined ? undefined : await imageOf(asset, kit, options.image, engine)
      const data = { ...pick(asset, metadata), fields: asset.fields, meta, ...place, order: entries.size, image }
      entries.set(asset.slug, { data })
    }
  }
  return entries
}

/** The data of an entry: a note, a guide or code, and its place in the kit. */
export interface GuideEntry extends Place, Pick<BaseItem, 'display'> {
  type: 'inline_note' | 'guide' | 'code_snippet'
  /** Only for a guide: its title, such as `'Do'`. */
  title?: string | undefined
  /** Markdown as the authors wrote it, or the code. It isn't sanitized. */
  content: string
  /** Only for a guide. */
  color?: string | undefined
  /** Only for code: its language, such as `'css'`. */
  language?: string | undefined
  /** The slug of a guide's asset, which is also the id of the asset's entry with `kitLoader`. */
  asset?: string | undefined
}

/**
 * Creates a loader for a content collection with the notes, guides and code of a kit. The id of an entry is the uuid of
 * its item. Astro renders its Markdown: `const { Content } = await render(entry)`. Neither Astro nor the loader
 * sanitizes the Markdown.
 * @param kit as in `kitLoader`
 * @param options.section the slug or uuid of a section; default: all sections
 * @throws ContentSpaceError when the collection is loaded: `sectionNotFound`, and any error of `Importer.kit`
 * @example export const collections = { guides: defineCollection({ loader: guideLoader('brand') }) }
 */
export function guideLoader(kit: string, { section }: { section?: string | undefined } = {}): KitLoader {
  return createLoader(kit, (engine) => readGuides(kit, section, engine), `${from}.GuideEntry`)
}

async function readGuides(kit: string, section: string | undefined, engine: Engine): Promise<Entries> {
  const entries = new Map<string, { data: Record<string, unknown>; body: string }>()
  for (const { item, ...place } of await placedItems(kit, section, engine)) {
    if (item.type !== 'inline_note' && item.type !== 'guide' && item.type !== 'code_snippet') continue
    const { uuid, raw: _, ...texts } = item
    const asset = 'asset' in item ? item.asset?.slug : undefined
    const data = { ...texts, content: item.content ?? '', asset, ...place, order: entries.size }
    entries.set(uuid, { data, body: markdownOf(item) })
  }
  return entries
}

function markdownOf(item: NoteItem | GuideItem<unknown> | CodeSnippetItem): string {
  if (item.type !== 'code_snippet') return item.content ?? ''
  // Make the fence longer than any fence in the code.
  const fence = '`'.repeat(Math.max(2, ...[...item.content.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  return `${fence}${/^[\w#+.-]*$/.test(item.language) ? item.language : ''}\n${item.content}\n${fence}\n`
}
