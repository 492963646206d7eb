import { offeredCuts } from '../../files/choose-cut.js'
import { planAsset, type FileDescriptor } from '../../files/plan.js'
import type { NamedKit } from '../../kit/named-kit.js'
import type { Query } from '../../request/query.js'
import { isData, isPictureType } from '../../space/asset-type.js'
import { isFont } from '../../space/font-record.js'
import { assetsOf } from '../../space/item-kinds.js'
import type { AssetRecord } from '../../space/space.js'
import { textsOf } from '../../space/wire/asset.js'
import { jsonOf } from '../../text/json.js'

/** The minimum width of a preview in pixels, for a tile or a page on a display with a pixel density of 2. */
const sizes = { small: 480, large: 1232 } as const

export type PreviewSize = keyof typeof sizes

/** The maximum size in bytes of an original that serves as its own preview. */
const smallOriginal = 48 * 1024

/** Checks whether a preview can be made of an asset. */
export function hasPreview(asset: AssetRecord): boolean {
  if (isData(asset) || isFont(asset)) return thumbnailOf(asset) !== undefined
  return thumbnailOf(asset) !== undefined || isPictureType(asset.type) || offeredCuts(asset).includes('PNG')
}

/**
 * Chooses the source of a preview: preferably a thumbnail of the service, because it doesn't count as a download.
 * Without a thumbnail, a small picture of the original, or the original itself if it is small.
 */
export function choosePreview(
  asset: AssetRecord,
  size: PreviewSize,
): { thumbnail: string } | { file: FileDescriptor } | undefined {
  const thumbnail = thumbnailOf(asset, size)
  if (thumbnail !== undefined) return { thumbnail }
  const isSmall = isPictureType(asset.type) && asset.type !== 'TIFF' && (asset.size ?? Infinity) <= smallOriginal
  if (!hasPreview(asset)) return undefined
  const query: Query = { as: 'url', full: false, w: [sizes[size]], format: ['webp'] }
  const file = asset.type === 'SVG' || isSmall ? originalFile(asset) : planAsset(asset, query, 'sanitize').src
  return file && { file }
}

/** Returns the thumbnail to display when an asset is enlarged. For a font, the page uses the font file instead. */
export function largeThumbnail(asset: AssetRecord): string | undefined {
  const isLarge = Object.keys(asset.thumbnails).some((text) => /^\d{1,5}$/.test(text) && Number(text) >= sizes.large)
  return isLarge && !isFont(asset) ? thumbnailOf(asset, 'large') : undefined
}

/** Returns the asset that represents a kit without a cover: its first photo, otherwise its first SVG. */
export function coverAsset({ kit: { sections, assets } }: NamedKit): AssetRecord | undefined {
  const items = sections.flatMap((section) => section.items)
  const listed = items.flatMap(assetsOf).flatMap((uuid) => assets[uuid] ?? [])
  const pictures = listed.filter((asset) => isPictureType(asset.type) && !isData(asset))
  return pictures.find(({ type }) => type === 'JPG') ?? pictures[0]
}

/** Returns the original as the page displays it. The page always gets sanitized SVGs, regardless of option `svg`. */
export function originalFile(asset: AssetRecord): FileDescriptor | undefined {
  return planAsset(asset, { as: 'url', full: false }, 'sanitize').src
}

/** Returns the smallest thumbnail that is large enough, or otherwise the largest. */
function thumbnailOf(asset: AssetRecord, size: PreviewSize = 'small'): string | undefined {
  const { previews, thumbnails: known } = asset
  const thumbnails = previews === undefined ? known : textsOf(jsonOf(previews))
  const listed = Object.keys(thumbnails).filter((text) => /^\d{1,5}$/.test(text))
  const sorted = listed.toSorted((a, b) => Number(a) - Number(b))
  return thumbnails[sorted.find((text) => Number(text) >= sizes[size]) ?? sorted.at(-1) ?? '']
}
