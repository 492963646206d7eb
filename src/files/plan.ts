import { createHash } from 'node:crypto'
import type { Query } from '../request/query.js'
import { isData } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'
import { chooseCut, pictureCut } from './choose-cut.js'
import { extensionOf, fileBase } from './file-name.js'
import { mediaType } from './media-type.js'
import { writeRecipe, type RasterRecipe, type SvgPolicy, type SvgRecipe } from './recipe.js'
import { outputSizes, type Output, type Size } from './sizes.js'

/**
 * One file of the output, described so that any process can make it from the description alone:
 * bundlers with a cache on disk load no module again, so nothing may live in memory only.
 */
export interface FileDescriptor {
  /** uuid of the asset. */
  asset: string
  /** The asset's name, for messages. */
  label: string
  /** ASCII base name of the output file, without extension. */
  name: string
  /** Extension of the output file, without dot. */
  ext: string
  /** Type of the original, as the service spells it. */
  type: string
  /** `file_hash` of the original as the listing gave it: the revision. */
  hash?: string
  /** When the file was last updated, as the listing gave it: the revision where there is no hash. */
  updated?: string
  /** Size of the original in bytes. */
  size?: number
  /** The service's cut to take, as the service spells it. */
  cut?: string
  /** Canonical recipe of what sharp, svgo and the sanitiser do; absent: the bytes of the service. */
  recipe?: string
}

/** A string of the module that needs the bytes of a file. */
export interface ValueDescriptor {
  file: FileDescriptor
  as: 'raw' | 'inline' | 'placeholder'
}

/** What an asset and a query amount to. No bytes are needed to make it. */
export interface AssetPlan {
  /** Absent for an asset that is data, and for `as=metadata`. */
  src?: FileDescriptor
  format?: string
  width?: number
  height?: number
  srcset?: SrcsetEntry[]
  sources?: { type: string; srcset: SrcsetEntry[] }[]
  value?: ValueDescriptor
  placeholder?: ValueDescriptor
}

export interface SrcsetEntry {
  file: FileDescriptor
  /** `640w` or `2x` */
  descriptor: string
}

/**
 * What an asset and a query amount to.
 * @param svg what becomes of SVG that holds more than a drawing
 * @throws ContentSpaceError `fileCutUnavailable`
 */
export function planAsset(asset: AssetRecord, query: Query, svg: SvgPolicy): AssetPlan {
  if (isData(asset) || query.as === 'metadata') return {}
  const cut = query.cut && chooseCut(asset, query.cut.type, query.cut.orOriginal)
  const { format: formats = ['original'], w = [], h = [], dpr = [] } = query
  const sized = w.length > 1 || h.length > 1 || dpr.length > 0
  const pictures = formats.map((format) =>
    format === 'original' && !changesPixels(query, cut ?? asset.type)
      ? [original(asset, query, cut, svg)]
      : converted(asset, query, cut, format),
  )
  const shown = pictures.at(-1) ?? []
  const largest = shown.at(-1)
  if (!largest) return {}
  const { file: src, size } = largest
  const entries = (set: Picture[]) =>
    set.map(({ file, descriptor }) => ({ file, descriptor: sized ? descriptor : '1x' }))
  return {
    src,
    format: src.ext,
    ...size,
    ...(sized ? { srcset: entries(shown) } : {}),
    ...(formats.length > 1
      ? {
          sources: distinct(pictures).map((set) => ({ type: mediaType(set[0]?.file.ext ?? ''), srcset: entries(set) })),
        }
      : {}),
    ...(query.as === 'raw' || query.as === 'inline' ? { value: { file: src, as: query.as } } : {}),
    ...(query.placeholder ? { placeholder: placeholder(asset, query, cut, query.placeholder) } : {}),
  }
}

/** A file, how a `srcset` describes it, and its size. */
interface Picture extends SrcsetEntry {
  size: Size
}

/** Formats can come out the same, as `jpg` and `original` of a photo do: the first of them stands for both. */
function distinct(pictures: Picture[][]): Picture[][] {
  return [...new Map(pictures.map((set) => [JSON.stringify(set), set])).values()]
}

/** Quality alone makes no picture of a drawing. */
function changesPixels(query: Query, type: string): boolean {
  const { w, h, blur, rotate, greyscale, quality } = query
  return (
    [w, h, blur, rotate, greyscale].some((value) => value !== undefined) || (quality !== undefined && hasPixels(type))
  )
}

function hasPixels(type: string): boolean {
  return ['jpg', 'png', 'gif', 'tiff', 'webp', 'avif'].includes(type.toLowerCase())
}

/** The file of the service; SVG is looked into on its way. */
function original(asset: AssetRecord, query: Query, cut: string | undefined, policy: SvgPolicy): Picture {
  const { width, height } = asset
  const ext = extensionOf(cut ?? asset.type)
  const recipe = ext === 'svg' ? svgRecipe(asset.uuid, query, policy) : undefined
  const size = { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) }
  const descriptor = width === undefined ? '1x' : `${Math.round(width)}w`
  return { file: describe(asset, cut, ext, recipe && writeRecipe(recipe)), descriptor, size }
}

/** Nothing at all is a recipe, too: the file as it is. */
function svgRecipe(uuid: string, { as, svgo }: Query, policy: SvgPolicy): SvgRecipe | undefined {
  const recipe: SvgRecipe = { kind: 'svg', policy, ...(svgo ? { svgo } : {}) }
  if (as === 'raw' || as === 'inline') return { ...recipe, prefix: prefixOf(uuid, recipe) }
  return policy === 'trust' && !svgo ? undefined : recipe
}

/** The same in every build, and another for each asset: ids of two files never meet in a document. */
export function prefixOf(uuid: string, recipe: SvgRecipe): string {
  return `c${createHash('sha256')
    .update(uuid + writeRecipe(recipe))
    .digest('hex')
    .slice(0, 7)}`
}

function converted(asset: AssetRecord, query: Query, chosen: string | undefined, format: string): Picture[] {
  const cut = pictureCut(asset, chosen)
  const type = cut ?? asset.type
  const ext = format === 'original' ? (hasPixels(type) ? extensionOf(type) : 'png') : format
  return outputSizes(query, asset, type === 'SVG').map((output) => {
    const recipe = writeRecipe(rasterRecipe(query, output, ext))
    return { file: describe(asset, cut, ext, recipe), descriptor: output.descriptor, size: output.size }
  })
}

function rasterRecipe(query: Query, { fit, width, height }: Output, format: string): RasterRecipe {
  const { background, blur, enlarge, greyscale, position, quality, rotate } = query
  const changes = { background, blur, enlarge, greyscale, position, quality, rotate, width, height }
  return {
    kind: 'raster',
    fit,
    format,
    ...Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)),
  }
}

/** Of what `src` shows: the same crop, turned and coloured alike. */
function placeholder(
  asset: AssetRecord,
  query: Query,
  chosen: string | undefined,
  preview: 'blur' | 'color',
): ValueDescriptor {
  const cut = pictureCut(asset, chosen)
  const { quality: _, ...look } = query
  const output = outputSizes(look, asset, (cut ?? asset.type) === 'SVG').at(-1) ?? {
    fit: 'scale',
    size: {},
    descriptor: '',
  }
  const ext = preview === 'blur' ? 'webp' : 'png'
  const recipe = writeRecipe({ ...rasterRecipe(look, output, ext), preview })
  return { file: describe(asset, cut, ext, recipe), as: 'placeholder' }
}

function describe(
  asset: AssetRecord,
  cut: string | undefined,
  ext: string,
  recipe: string | undefined,
): FileDescriptor {
  const { uuid, name, type, fileHash, fileUpdated, size } = asset
  return {
    asset: uuid,
    label: name,
    name: fileBase(asset),
    ext,
    type,
    ...(fileHash === undefined ? {} : { hash: fileHash }),
    ...(fileHash !== undefined || fileUpdated === undefined ? {} : { updated: fileUpdated }),
    ...(size === undefined ? {} : { size }),
    ...(cut === undefined ? {} : { cut }),
    ...(recipe === undefined ? {} : { recipe }),
  }
}
