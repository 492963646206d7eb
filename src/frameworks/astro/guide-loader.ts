import type { Engine } from '../../engine/engine.js'
import type { BaseItem, CodeSnippetItem, GuideItem, NoteItem } from '../../asset.js'
import { createLoader, placedItems, type Entries } from './loader.js'
import type { KitLoader, Place } from './loader-types.js'

/** The data of an entry: a note, a guide or code, and its place in the kit. */
export interface GuideEntry extends Place, Pick<BaseItem, 'display'> {
  type: 'inline_note' | 'guide' | 'code_snippet'
  /** Of a guide: `'Do'`. */
  title?: string | undefined
  /** Markdown as the authors wrote it, or the code. It is not sanitized. */
  content: string
  /** Of a guide. */
  color?: string | undefined
  /** Of code: `'css'`. */
  language?: string | undefined
  /** The slug of the asset that a guide shows: the id of its entry with `kitLoader`. */
  asset?: string | undefined
}

/**
 * A loader for a content collection with the notes, guides and code of a kit. The id of an entry is the uuid of its
 * item. Astro renders its Markdown: `const { Content } = await render(entry)`. It does not sanitize it, and neither
 * does the loader.
 * @param kit as in `kitLoader`
 * @param options.section the slug or uuid of a section. Default: all sections
 * @throws ContentSpaceError `sectionNotFound`, and what `Importer.kit` throws, when the collection is loaded
 * @example
 * export const collections = { guides: defineCollection({ loader: guideLoader('brand') }) }
 */
export function guideLoader(kit: string, { section }: { section?: string | undefined } = {}): KitLoader {
  return createLoader(
    kit,
    (engine) => readEntries(kit, section, engine),
    "import('unplugin-content-space/astro').GuideEntry",
  )
}

async function readEntries(kit: string, section: string | undefined, engine: Engine): Promise<Entries> {
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
  // Longer than any fence in the code.
  const fence = '`'.repeat(Math.max(2, ...[...item.content.matchAll(/`+/g)].map(([run]) => run.length)) + 1)
  return `${fence}${/^[\w#+.-]*$/.test(item.language) ? item.language : ''}\n${item.content}\n${fence}\n`
}
