import { createHash } from 'node:crypto'
import { memoizeWeak } from '../async/memoize.js'
import { frameworkOf, type Framework } from '../request/frameworks.js'
import { pixelKeys, recipeKeys, svgKeys } from '../request/parameters.js'
import { canBeDark, type Query } from '../request/query.js'
import { extensionOf, isData, isRaster, mediaType } from '../space/asset-type.js'
import { fontFormat } from '../space/font-record.js'
import { identifyFile, isProvisional, type FileRevision } from '../space/revision.js'
import type { AssetRecord, Origin, PairedAsset } from '../space/space.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { pick } from '../text/pick.js'
import { chooseCut, pictureCut, scaledCut, scalingOf } from './choose-cut.js'
import { fileBase } from './file-name.js'
import { writeRecipe, type RasterRecipe, type SvgPolicy, type SvgRecipe } from './recipe.js'
import { outputSizes, type Output, type Size } from './sizes.js'

/**
 * A file of the output. Any process can make the file from its descriptor alone. Bundlers with a cache on disk don't
 * load modules again, so making a file can't depend on data in memory.
 */
export interface FileDescriptor extends FileRevision {
  /** The uuid of the asset. */
  asset: string
  label: string
  /** The base name of the output file, in ASCII and without extension. */
  name: string
  /** The extension of the output file, without the dot. */
  ext: string
  /** The type of the original, as the service spells it: `SVG`. */
  type: string
  /** The size of the original in bytes, if it is final. */
  size?: number
  /** The cut to download, as `writeCut` names it: `PNG`. Undefined for the original. */
  cut?: string
  /** How the download is converted, as `writeRecipe` writes it. Undefined if it isn't converted. */
  recipe?: string
  /**
   * The query of the set of application icons that the file belongs to. We emit the file to the root of the output
   * under exactly its name.
   */
  set?: string
  /** Where the asset comes from, if its kit has its own source. */
  from?: Origin
}

export type ValueDescriptor =
  | { file: FileDescriptor; as: 'raw' | 'inline' | 'placeholder' }
  /** An SVG for a framework's runtime, as `component-text.ts` writes it. */
  | { file: FileDescriptor; as: 'component'; framework: Framework }

/** The files and values that an import of an asset needs. Planning doesn't read files. */
export interface AssetPlan {
  /** Undefined if the asset is data, and for `as=metadata`. */
  src?: FileDescriptor
  format?: string
  /** The size of `src` in pixels. */
  width?: number
  height?: number
  srcset?: SrcsetEntry[]
  sources?: { type: string; srcset: SrcsetEntry[] }[]
  value?: ValueDescriptor
  placeholder?: ValueDescriptor
  /** The plan for the dark counterpart. */
  dark?: AssetPlan
}

export interface SrcsetEntry {
  file: FileDescriptor
  /** `640w` or `2x` */
  descriptor: string
}

/**
 * Plans the files of an asset's import.
 * @param svg option `svg`
 * @throws ContentSpaceError `fileCutUnavailable`
 */
export function planAsset(asset: PairedAsset, query: Query, svg: SvgPolicy): AssetPlan {
  const plan = planOne(asset, query, svg)
  if (asset.dark === undefined || plan.src === undefined || !canBeDark(query)) return plan
  const { placeholder: _, ...own } = query
  const dark = planOne(asset.dark, own, svg)
  return dark.src === undefined ? plan : { ...plan, dark }
}

function planOne(asset: AssetRecord, query: Query, svg: SvgPolicy): AssetPlan {
  if (isData(asset) || query.as === 'metadata') return {}
  const cut = query.cut && chooseCut(asset, query.cut.type, query.cut.orOriginal)
  const { format: formats = ['original'], w = [], h = [], dpr = [] } = query
  const hasSizes = w.length > 1 || h.length > 1 || dpr.length > 0
  const sets = formats.map((format) =>
    format === 'original' && pixelKeys(query, isRaster(cut ?? asset.type)).length === 0
      ? [originalPicture(asset, query, cut, svg)]
      : convertedPictures(asset, query, cut, format),
  )
  const lastSet = sets.at(-1) ?? []
  const largest = lastSet.at(-1)
  if (!largest) return {}
  const { file: src, size } = largest
  const entries = (set: Picture[]) =>
    set.map(({ file, descriptor }) => ({ file, descriptor: hasSizes ? descriptor : '1x' }))
  return omitUndefined({
    src,
    format: src.ext,
    width: size.width,
    height: size.height,
    srcset: hasSizes ? entries(lastSet) : undefined,
    sources:
      formats.length > 1
        ? distinct(sets).map((set) => ({ type: mediaType(set[0]?.file.ext ?? ''), srcset: entries(set) }))
        : undefined,
    value: planValue(src, query),
    placeholder: isInlined(src, query) ? undefined : planPlaceholder(asset, query, cut),
  })
}

function planValue(file: FileDescriptor, query: Query): ValueDescriptor | undefined {
  const { as } = query
  if (as === 'raw' || as === 'inline') return { file, as }
  const framework = frameworkOf(as)
  return framework !== undefined && isInlined(file, query) ? { file, as: 'component', framework } : undefined
}

/** Checks whether a component contains the SVG itself instead of its URL. */
function isInlined({ ext }: FileDescriptor, { as }: Query): boolean {
  return ext === 'svg' && frameworkOf(as) !== undefined
}

/** A file with its descriptor in a `srcset` and its size. */
interface Picture extends SrcsetEntry {
  size: Size
}

/**
 * Drops formats that have the same files as an earlier format. For example, drops `original` after `jpg` for a photo.
 */
function distinct(sets: Picture[][]): Picture[][] {
  return [...new Map(sets.map((set) => [JSON.stringify(set), set])).values()]
}

/** Returns the service's file, unconverted. Only SVGs have a recipe, because we check SVGs. */
function originalPicture(asset: AssetRecord, query: Query, cut: string | undefined, policy: SvgPolicy): Picture {
  const { width, height } = asset
  const ext = (cut === undefined ? fontFormat(asset) : undefined) ?? extensionOf(cut ?? asset.type)
  const recipe = ext === 'svg' ? svgRecipe(asset.uuid, query, policy) : undefined
  const descriptor = width === undefined ? '1x' : `${Math.round(width)}w`
  return {
    file: describe(asset, cut, ext, recipe),
    descriptor,
    size: { width, height },
  }
}

/** @returns the recipe as JSON; undefined if the file is neither checked nor changed */
function svgRecipe(uuid: string, query: Query, policy: SvgPolicy): string | undefined {
  const { recipe, text, isPrefixed } = sharedRecipe(query)(policy)
  if (isPrefixed) return writeRecipe({ ...recipe, prefix: prefixOf(uuid, text) })
  return policy === 'trust' && !query.svgo ? undefined : text
}

/** Returns the recipe that all SVGs have in common. Memoized, because a kit may have thousands of them. */
const sharedRecipe = memoizeWeak((query: Query) => {
  const component = frameworkOf(query.as) === undefined ? undefined : (true as const)
  const made = new Map<SvgPolicy, { recipe: SvgRecipe; text: string; isPrefixed: boolean }>()
  return (policy: SvgPolicy) => {
    const known = made.get(policy)
    if (known) return known
    const recipe: SvgRecipe = { kind: 'svg', policy, ...omitUndefined({ ...pick(query, svgKeys), component }) }
    const shared = { recipe, text: writeRecipe(recipe), isPrefixed: component ?? query.as === 'raw' }
    made.set(policy, shared)
    return shared
  }
})

/**
 * Returns a prefix for ids that differs between files, so that they can be in one document. It is the same in every
 * build.
 * @param recipe as `writeRecipe` writes it
 */
export function prefixOf(uuid: string, recipe: string): string {
  const digest = createHash('sha256').update(uuid + recipe)
  return `c${digest.digest('hex').slice(0, 7)}`
}

function convertedPictures(asset: AssetRecord, query: Query, chosenCut: string | undefined, format: string): Picture[] {
  const { type, cut, outputs } = pictureSource(asset, query, chosenCut)
  const ext = format === 'original' ? (isRaster(type) ? extensionOf(type) : 'png') : format
  return outputs.map((output) => {
    const recipe = writeRecipe(rasterRecipe(query, output, ext))
    return { file: describe(asset, cut, ext, recipe), descriptor: output.descriptor, size: output.size }
  })
}

/**
 * Returns the source of a query's pictures and their sizes. All pictures are made from one download in the largest
 * size.
 */
function pictureSource(asset: AssetRecord, query: Query, chosenCut: string | undefined) {
  const cut = pictureCut(asset, chosenCut)
  const type = cut ?? asset.type
  const outputs = outputSizes(query, asset, type === 'SVG' || scalingOf(asset, cut) !== undefined)
  const scale = Math.max(1, ...outputs.map((output) => output.scale))
  return { type, outputs, cut: cut === undefined ? undefined : scaledCut(asset, cut, scale) }
}

function rasterRecipe(query: Query, { fit, width, height }: Output, format: string): RasterRecipe {
  return { kind: 'raster', fit, format, ...omitUndefined({ ...pick(query, recipeKeys), width, height }) }
}

/** Plans a preview of `src`, with the same crop, rotation, and colors. */
function planPlaceholder(asset: AssetRecord, query: Query, chosenCut: string | undefined): ValueDescriptor | undefined {
  const preview = query.placeholder
  if (preview === undefined) return undefined
  const { quality: _, effort: __, lossless: ___, ...transformation } = query
  const { cut, outputs } = pictureSource(asset, transformation, chosenCut)
  const output = outputs.at(-1) ?? { fit: 'scale', size: {}, scale: 1, descriptor: '' }
  const ext = preview === 'blur' ? 'webp' : 'png'
  const recipe = writeRecipe({ ...rasterRecipe(transformation, output, ext), preview })
  return { file: describe(asset, cut, ext, recipe), as: 'placeholder' }
}

function describe(
  asset: AssetRecord,
  cut: string | undefined,
  ext: string,
  recipe: string | undefined,
): FileDescriptor {
  const { uuid, name, type, size, from } = asset
  const revision = identifyFile(asset)
  return omitUndefined({
    asset: uuid,
    label: name,
    name: fileBase(asset),
    ext,
    type,
    ...revision,
    size: isProvisional(revision) ? undefined : size,
    cut,
    recipe,
    from,
  })
}
