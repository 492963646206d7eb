import { createHash } from 'node:crypto'
import type { ColorToken } from '../../asset.js'
import type { AssetData } from './kit-page/data.js'
import { exportName } from '../../components/collection.js'
import { offeredCuts } from '../../files/choose-cut.js'
import { presentCounterpart } from '../../kit/dark-pairs.js'
import { namesOfAsset, type NamedKit } from '../../kit/named-kit.js'
import type { Framework } from '../../request/frameworks.js'
import { isColor, isData, isPictureType } from '../../space/asset-type.js'
import type * as Colors from '../../space/color.js'
import { isFont, readFontRecord } from '../../space/font-record.js'
import { readVariant } from '../../space/font-style.js'
import type { AssetRecord } from '../../space/space.js'
import { shownDate } from '../../space/undated.js'
import { objectOf } from '../../text/json.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { hasPreview, largeThumbnail } from './choose-preview.js'

/** Returns the locations of an asset's files, relative to the page. */
export interface AssetAddresses {
  preview(this: void, asset: AssetRecord): string | undefined
  original(this: void, asset: AssetRecord): string | undefined
  /** Absent if links to the service aren't displayed. */
  permalink?(this: void, asset: AssetRecord): string | undefined
}

export interface AssetContext {
  named: NamedKit
  addresses: AssetAddresses
  components: ReadonlySet<string>
  /** The colors in the tokens of the kit, by uuid. */
  colors: ReadonlyMap<string, ColorToken>
  /** Uuids of the fonts in the tokens of the kit. */
  fonts: ReadonlySet<string>
  /** The custom properties of colors in token files, by uuid. */
  variables: ReadonlyMap<string, string>
  /** The library that reads the colors of pictures. Absent if no picture has any. */
  readColors: typeof Colors | undefined
}

/** Component names don't depend on the framework, so any framework works here. */
export const anyFramework: Framework = 'react'

/** Describes an asset for the page. Doesn't read files. */
export function assetData(asset: AssetRecord, context: AssetContext): AssetData {
  const { named, addresses, components, colors, fonts, variables } = context
  const { uuid, name, type, notes, keywords, width, height, size, dateAdded, dateUpdated } = asset
  const { name: exported, slug } = namesOfAsset(named, uuid)
  const kind = kindOfAsset(asset)
  return {
    uuid,
    // Without text, a tile couldn't be distinguished from others.
    name: name.trim() === '' ? slug : name,
    slug,
    export: exported,
    type,
    kind,
    notes,
    keywords,
    cuts: isData(asset) ? [] : offeredCuts(asset).map((cut) => cut.toLowerCase()),
    colors: kind === 'color' ? [] : colorsOf(asset, context),
    ...omitUndefined({
      component: components.has(uuid) ? exportName(exported, { as: anyFramework }) : undefined,
      width,
      height,
      size,
      preview: hasPreview(asset) ? addresses.preview(asset) : undefined,
      original: addresses.original(asset),
      color: colorOf(colors.get(uuid)),
      font: kind === 'font' ? fontOf(asset) : undefined,
      token: colors.has(uuid) || fonts.has(uuid) ? exported : undefined,
      variable: colors.has(uuid) ? variables.get(uuid) : undefined,
      dateAdded: shownDate(dateAdded),
      dateUpdated: shownDate(dateUpdated),
      fields: asset.fields,
      dark: presentCounterpart(named, asset)?.uuid,
      permalink: addresses.permalink?.(asset),
    }),
  }
}

/** Returns the revision of an asset's files, for URLs that a browser may cache. */
export function revisionOfAsset({ fileHash, fileUpdated, dateUpdated, size, thumbnails }: AssetRecord): string {
  return digest([fileHash, fileUpdated, dateUpdated, size, thumbnails])
}

/** Returns a string for URLs that changes whenever one of the parts changes. */
export function digest(parts: readonly unknown[]): string {
  return createHash('sha1').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
}

function kindOfAsset(asset: AssetRecord): AssetData['kind'] {
  if (isColor(asset)) return 'color'
  if (isFont(asset)) return 'font'
  if (isData(asset)) return 'data'
  return isPictureType(asset.type) ? 'picture' : 'file'
}

/**
 * Returns whether an asset can be displayed large: as a thumbnail, or as an original that browsers support, unlike
 * TIFF.
 */
export function hasOriginal(asset: AssetRecord): boolean {
  const kind = kindOfAsset(asset)
  if (isData(asset)) return false
  if (largeThumbnail(asset) !== undefined) return true
  return kind === 'font' || (kind === 'picture' && asset.type !== 'TIFF')
}

/** The maximum number of colors to search. Further colors are too small to see. */
const maxColors = 8

function colorsOf({ colors: entries }: AssetRecord, { readColors }: AssetContext): string[] {
  if (readColors === undefined) return []
  const read = entries.flatMap((entry) => {
    const color = readColors.readColorValue(entry)
    return color === undefined ? [] : [{ css: readColors.cssOf(color), coverage: coverageOf(entry) }]
  })
  const sorted = read.toSorted((a, b) => b.coverage - a.coverage).map(({ css }) => css)
  return [...new Set(sorted)].slice(0, maxColors)
}

function coverageOf(entry: unknown): number {
  const { coverage } = objectOf(entry)
  return typeof coverage === 'number' && Number.isFinite(coverage) ? coverage : 0
}

function colorOf(token: ColorToken | undefined): AssetData['color'] {
  if (token === undefined) return undefined
  const { css, hex, alpha, rgb, hsb } = token
  return { css, hex, alpha, rgb, hsb: [hsb.hue, hsb.saturation, hsb.brightness] }
}

/** Reads the facts about a font from its record. The file may contain more, but isn't downloaded for a list. */
function fontOf({ name, meta }: AssetRecord): AssetData['font'] {
  const { family = name, variant = '' } = readFontRecord(meta)
  const style = readVariant(variant)
  return { family, ...(style && { weight: String(style.weight), style: style.style }) }
}
