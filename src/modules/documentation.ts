import type { NamedKit } from '../kit/named-kit.js'
import { assetsOf } from '../space/item-kinds.js'
import type { AssetRecord } from '../space/space.js'
import { oneLine } from '../text/display.js'
import { addTo } from '../text/group-by.js'

/** The names of the sections that contain an asset, by its uuid. */
export type Places = ReadonlyMap<string, readonly string[]>

/**
 * Returns the sections of all assets of a kit. Call it once for all comments, because a kit may have thousands of
 * assets.
 */
export function placesIn({ kit }: NamedKit): Places {
  const places = new Map<string, string[]>()
  for (const { name, items } of kit.sections) {
    for (const uuid of new Set(items.flatMap(assetsOf))) addTo(places, uuid, name)
  }
  return places
}

/** Returns the comment that editors show for an asset. */
export function documentation(
  { name, type, width, height, notes, uuid }: AssetRecord,
  named: NamedKit,
  places: Places,
  picture: string | undefined,
): string {
  const size = width === undefined || height === undefined ? '' : `, ${width} × ${height}`
  const sections = places.get(uuid) ?? []
  const place = sections.length === 0 ? '' : `, in ${sections.join(', ')}`
  // A base64 data URI can't end a comment or a Markdown link, so it doesn't need escaping.
  const pictureText = picture === undefined ? '' : ` ![](${picture})`
  return comment(`${name} (${type}${size}${place})${withNotes(notes)}`, namingText(uuid, named) + pictureText)
}

export function withNotes(notes: string): string {
  return notes === '' ? '' : `: ${notes}`
}

/**
 * Writes text by content authors as a comment. Escapes anything that could end the comment or the line, or start a tag.
 * @param code follows the text unchanged
 */
export function comment(text: string, code = ''): string {
  const line = oneLine(text).replace(/\*\//g, '* /').replace(/\s+/gu, ' ').replaceAll('@', '\uFF20')
  return `/** ${line.trim()}${code} */`
}

/** Shows how the option `kits` names an asset. Slugs and export names can't end a comment. */
export function namingText(uuid: string, { assets, suggested }: NamedKit): string {
  const { slug = '', name = '' } = assets.get(uuid) ?? {}
  return ` · names: { '${slug}': '${suggested.get(uuid) ?? name}' }`
}
