import { offeredCuts } from '../../files/choose-cut.js'
import { planAsset, type FileDescriptor } from '../../files/plan.js'
import type { NamedKit } from '../../kit/named-kit.js'
import type { Query } from '../../request/query.js'
import { isData, isPictureType } from '../../space/asset-type.js'
import { isFont } from '../../space/font-record.js'
import { assetsOf } from '../../space/item-kinds.js'
import type { AssetRecord } from '../../space/space.js'

/** Pixels that a preview should have at least: a tile, or a page, on a display with two pixels for each point. */
const sizes = { small: 480, large: 1232 } as const

export type PreviewSize = keyof typeof sizes

/** Bytes of an original that is small enough to be its own preview. */
const smallOriginal = 48 * 1024

/** Whether there is something to make a preview from. */
export function hasPreview(asset: AssetRecord): boolean {
  if (isData(asset) || isFont(asset)) return thumbnailOf(asset) !== undefined
  return thumbnailOf(asset) !== undefined || isPictureType(asset.type) || offeredCuts(asset).includes('PNG')
}

/**
 * Chooses the source of a preview: a thumbnail of the service, which does not count as a download. For an asset without
 * thumbnails: a small picture of the original, or the original itself if it is small.
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

/** The thumbnail that shows an asset large. A font is shown by its file. */
export function largeThumbnail(asset: AssetRecord): string | undefined {
  const isLarge = Object.keys(asset.thumbnails).some((text) => /^\d{1,5}$/.test(text) && Number(text) >= sizes.large)
  return isLarge && !isFont(asset) ? thumbnailOf(asset, 'large') : undefined
}

/** The asset that represents a kit without a cover: its first photo, otherwise its first drawing. */
export function coverAsset({ kit: { sections, assets } }: NamedKit): AssetRecord | undefined {
  const items = sections.flatMap((section) => section.items)
  const listed = items.flatMap(assetsOf).flatMap((uuid) => assets[uuid] ?? [])
  const pictures = listed.filter((asset) => isPictureType(asset.type) && !isData(asset))
  return pictures.find(({ type }) => type === 'JPG') ?? pictures[0]
}

/** The original as the page shows it: drawings are always sanitized, whatever option `svg` is. */
export function originalFile(asset: AssetRecord): FileDescriptor | undefined {
  return planAsset(asset, { as: 'url', full: false }, 'sanitize').src
}

/** Returns the smallest thumbnail that is large enough, else the largest. */
function thumbnailOf(asset: AssetRecord, size: PreviewSize = 'small'): string | undefined {
  const thumbnails = asset.previews ?? asset.thumbnails
  const listed = Object.keys(thumbnails).filter((text) => /^\d{1,5}$/.test(text))
  const sorted = listed.toSorted((a, b) => Number(a) - Number(b))
  return thumbnails[sorted.find((text) => Number(text) >= sizes[size]) ?? sorted.at(-1) ?? '']
}
