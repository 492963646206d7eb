import { objectOf } from '../text/json.js'

export interface ItemKind {
  /** The keys of `data` that may contain each text field of this kind of item. The first key with a value counts. */
  texts: Readonly<Record<string, readonly string[]>>
  /** Text fields that may be absent. If another field is missing, it is an empty string. */
  optional?: readonly string[]
  /** Whether the item is incomplete without an asset. */
  needsAsset?: true
}

/**
 * The item types whose content we understand. Everything that reads, displays or writes items is derived from this
 * table. An item of another type keeps its `data` unchanged. An item of any type may contain an asset.
 */
export const itemKinds: ReadonlyMap<string, ItemKind> = new Map<string, ItemKind>([
  ['heading', { texts: { content: ['content'], displaySize: ['display_size'] }, optional: ['displaySize'] }],
  ['asset', { texts: { displaySize: ['display_size'] }, optional: ['displaySize'], needsAsset: true }],
  ['inline_note', { texts: { content: ['content'] } }],
  ['code_snippet', { texts: { content: ['content'], language: ['code_language'] } }],
  [
    'guide',
    {
      texts: { title: ['title'], content: ['content'], color: ['color'] },
      optional: ['title', 'content', 'color'],
    },
  ],
  ['gallery', { texts: { name: ['name', 'view_name'] } }],
  ['supporting_image', { texts: {}, needsAsset: true }],
])

/** Reads the text fields of an item. @returns undefined for a type that is not in the table */
export function readTexts(type: string, data: unknown): Record<string, string> | undefined {
  const kind = itemKinds.get(type)
  if (kind === undefined) return undefined
  const sent = objectOf(data)
  const texts: Record<string, string> = {}
  for (const property in kind.texts) {
    const found = kind.texts[property]?.map((key) => sent[key]).find((value) => typeof value === 'string')
    const text = found ?? (kind.optional?.includes(property) ? undefined : '')
    if (text !== undefined) texts[property] = text
  }
  return texts
}

interface ItemTexts {
  type: string
  title?: string | undefined
  name?: string | undefined
  content?: string | undefined
}

/** Joins the text fields of an item: `Do: Use the logo on white.` */
export function itemText({ title, name, content }: ItemTexts): string {
  return [title ?? name, content].filter(Boolean).join(': ')
}

/** Something that contains assets: an item of a section, either as loaded or as displayed. */
interface Carrier<A> {
  type: string
  asset?: A | undefined
  /** Only for a gallery. */
  assets?: A[] | undefined
}

export function assetsOf<A>({ asset, assets = [] }: Carrier<A>): A[] {
  return asset === undefined ? assets : [asset, ...assets]
}

/** Returns an item with only some of its assets, or nothing if the item is incomplete without its asset. */
export function keepAssets<A, I extends Carrier<A>>(item: I & Carrier<A>, isKept: (asset: A) => boolean): I[] {
  const { type, asset, assets } = item
  const own = asset !== undefined && isKept(asset) ? asset : undefined
  if (own === undefined && itemKinds.get(type)?.needsAsset) return []
  return [{ ...item, ...(asset !== own && { asset: own }), ...(assets && { assets: assets.filter(isKept) }) }]
}
