import type { Asset, KnownAsset } from '../../asset.js'
import type { Engine } from '../../engine/engine.js'
import { assetsOf } from '../../space/item-kinds.js'
import { pick } from '../../text/pick.js'
import { imageOf } from './images.js'
import { createLoader, placedItems, type Entries } from './loader.js'
import type { KitLoader, Place } from './loader-types.js'

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
  'fields',
] as const satisfies (keyof KnownAsset)[]

/**
 * The data of an entry: the metadata of an asset, and its place in the kit. An asset that the kit contains several
 * times is where it comes first. No file is downloaded.
 */
export interface KitEntry extends Place, Pick<KnownAsset, (typeof fields)[number]> {
  /** The content of an asset that is data without a file, such as a color. */
  meta?: unknown
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
 * A loader for a content collection with the assets of a kit. The id of an entry is the asset's slug, as in
 * `content-space:asset/<kit>/<slug>`. While the dev server runs, the collection follows changes of the kit.
 * @param kit as in `content-space:kit/<kit>`: an alias, uuid or slug, with an optional `@<version>`
 * @throws ContentSpaceError `sectionNotFound`, and what `Importer.kit` throws, when the collection is loaded
 * @example
 * export const collections = { brand: defineCollection({ loader: kitLoader('brand') }) }
 */
export function kitLoader(kit: string, options: KitLoaderOptions = {}): KitLoader {
  const from = "import('unplugin-content-space/astro')"
  const more = options.image === undefined ? '' : ` & { image?: ${from}.KitImage }`
  return createLoader(kit, (engine) => readEntries(kit, options, engine), `${from}.KitEntry${more}`)
}

async function readEntries(kit: string, options: KitLoaderOptions, engine: Engine): Promise<Entries> {
  const entries = new Map<string, { data: Record<string, unknown> }>()
  for (const { item, ...place } of await placedItems(kit, options.section, engine)) {
    for (const asset of assetsOf(item)) {
      if (entries.has(asset.slug)) continue
      const meta = 'meta' in asset ? asset.meta : undefined
      const image = options.image === undefined ? undefined : await imageOf(asset, kit, options.image, engine)
      const data = { ...pick(asset, fields), meta, ...place, order: entries.size, image }
      entries.set(asset.slug, { data })
    }
  }
  return entries
}
