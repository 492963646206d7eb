import { attempt } from '../async/attempt.js'
import { ContentSpaceError, ignoreCodes } from '../errors.js'
import { contentOf, type Content } from '../disk/content.js'
import { formatAppIcons, type AppIconsQuery } from '../request/app-icons.js'
import { parseQuery } from '../request/query.js'
import { svgNamespace } from './svg/rules.js'
import { isRaster } from '../space/asset-type.js'
import type { AssetRecord } from '../space/space.js'
import { escapeAttribute } from '../text/attribute.js'
import { defaultSize } from '../text/svg-size.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { planAsset, type FileDescriptor, type ValueDescriptor } from './plan.js'
import { writeRecipe, type RasterRecipe, type SvgPolicy, type TextRecipe } from './recipe.js'

/** An icon of the set. All properties except `file` go into the manifest. */
interface PlannedIcon {
  file: FileDescriptor
  sizes: string
  type: string
  purpose?: 'maskable'
}

/** A `<link>` of the set. All properties except `file` are its attributes. */
export interface PlannedLink {
  rel: 'icon' | 'apple-touch-icon' | 'manifest'
  file: FileDescriptor
  sizes?: string
  type?: string
}

export interface AppIconsPlan {
  icons: PlannedIcon[]
  manifest: FileDescriptor
  links: PlannedLink[]
  /** The source SVG and its dark counterpart, if any. */
  sources: FileDescriptor[]
}

export interface AppIconsOrder {
  asset: AssetRecord
  dark?: AssetRecord | undefined
  query: AppIconsQuery
  svg: SvgPolicy
  /** The application's name, unless the query overrides it. */
  name: string
  /** Whether a dev server serves the files, two folders below its base. */
  served?: boolean
}

/** The side length of the largest icon in pixels. */
const largest = 512

/**
 * The padding of a maskable icon in percent of its side. The safe zone is a circle whose diameter is 80 % of the side,
 * and the largest square inside it is 56.6 % of the side: https://www.w3.org/TR/appmanifest/#icon-masks
 */
const maskablePadding = 22

/**
 * Plans the icons of an application without reading files.
 * @throws ContentSpaceError `invalidId` if the asset isn't a picture or is too small
 */
export function planAppIcons({ asset, dark, query, svg, name, served }: AppIconsOrder): AppIconsPlan {
  const pair = [asset, ...(dark ? [dark] : [])]
  for (const drawing of pair) checkDrawing(drawing, dark !== undefined)
  const { background, padding, theme, display = 'standalone', start = served ? '../../' : './' } = query
  const draw = () => planAsset(asset, parseQuery(`w=${largest}&format=png`), svg)
  const plan = attempt(draw, ignoreCodes('fileCutUnavailable'))
  if (plan?.src === undefined) throw notDrawable(asset, plan ? 'is data and has no file' : 'is not a picture')
  const { recipe: _, ...source } = plan.src
  const backdrop = background === 'transparent' ? undefined : background
  const describe = (base: string, ext: string, recipe: RasterRecipe | TextRecipe): FileDescriptor => ({
    ...source,
    name: base,
    ext,
    recipe: writeRecipe(recipe),
    set: formatAppIcons(query),
  })
  const raster = (base: string, side: number, own: Partial<RasterRecipe> = {}): FileDescriptor => {
    const format = own.format ?? 'png'
    const square = { kind: 'raster', format, fit: 'contain', width: side, height: side } as const
    const opaque = backdrop === undefined ? undefined : (true as const)
    return describe(base, format, { ...omitUndefined({ background: backdrop, padding, opaque }), ...square, ...own })
  }
  const onBackdrop = { background: backdrop ?? '#fff', opaque: true } as const

  const favicon = { file: raster('favicon', 48, { format: 'ico' }), sizes: '16x16 32x32 48x48', type: 'image/x-icon' }
  const drawings = pair.flatMap((one) => drawingOf(one, svg))
  const drawn: TextRecipe = { kind: 'icon', policy: svg, drawings, ...omitUndefined({ background: backdrop, padding }) }
  const vector = { file: describe('icon', 'svg', drawn), sizes: 'any', type: 'image/svg+xml' }
  const scalable = isVectorFile(asset) ? [vector] : []
  const touch = { file: raster('apple-touch-icon', 180, onBackdrop), sizes: '180x180', type: 'image/png' }
  const installed: PlannedIcon[] = [
    { file: raster('icon-192', 192), sizes: '192x192', type: 'image/png' },
    { file: raster('icon-512', largest), sizes: '512x512', type: 'image/png' },
    {
      file: raster('icon-maskable-512', largest, { ...onBackdrop, padding: Math.max(padding ?? 0, maskablePadding) }),
      sizes: '512x512',
      type: 'image/png',
      purpose: 'maskable',
    },
  ]
  const manifest = describe('manifest', 'webmanifest', {
    kind: 'manifest',
    manifest: JSON.stringify({
      name: query.name ?? name,
      icons: installed.map(({ file, ...icon }) => ({ src: `${file.name}.${file.ext}`, ...icon })),
      start_url: start,
      display,
      theme_color: theme ?? backdrop ?? '#ffffff',
      background_color: backdrop ?? '#ffffff',
    }),
  })
  return {
    icons: [favicon, ...scalable, touch, ...installed],
    manifest,
    links: [
      // Browsers that support SVG prefer the SVG icon over a PNG of this size.
      { rel: 'icon', file: favicon.file, sizes: '32x32' },
      ...scalable.map(({ file, type }) => ({ rel: 'icon', file, type }) as const),
      { rel: 'apple-touch-icon', file: touch.file },
      { rel: 'manifest', file: manifest },
    ],
    sources: [source, ...pair.slice(1).flatMap((one) => planAsset(one, parseQuery(''), svg).src ?? [])],
  }
}

/** Returns the error for an output with two sets of icons, whose files would have the same names. */
export function secondSet(icon: FileDescriptor, other: FileDescriptor): ContentSpaceError {
  return new ContentSpaceError('invalidId', 'One output cannot have two sets of application icons.', {
    asset: icon.asset,
    lines: [other, icon].map(({ label, set }) => (set ? `${label} (${set})` : label)),
    hint: 'Import the same asset with the same query, because the files of both have the same names.',
  })
}

function isVectorFile({ type }: AssetRecord): boolean {
  return type.toUpperCase() === 'SVG'
}

function checkDrawing(asset: AssetRecord, isPaired: boolean): void {
  const { type, width = largest, height = largest } = asset
  if (isPaired && !isVectorFile(asset))
    throw notDrawable(asset, 'is not an SVG, and only SVG icons have a dark version')
  if (!isRaster(type) || Math.min(width, height) >= largest) return
  throw notDrawable(asset, `is too small for an icon of ${largest} pixels: it has ${width} × ${height}`)
}

function notDrawable({ uuid, name, type }: AssetRecord, why: string): ContentSpaceError {
  return new ContentSpaceError('invalidId', `${name} (${type}) ${why}.`, {
    asset: uuid,
    hint: `Make application icons from an SVG, or from a picture of at least ${largest} × ${largest} pixels.`,
  })
}

/** Plans an SVG to be embedded in another SVG: its ids get a prefix, and its style sheet applies only to itself. */
function drawingOf(asset: AssetRecord, svg: SvgPolicy): string[] {
  const { value } = planAsset(asset, parseQuery('as=svelte'), svg)
  return value === undefined ? [] : [JSON.stringify(value.file)]
}

/** Composes a text file from options and SVGs. */
export async function composeText(
  recipe: TextRecipe,
  read: (value: ValueDescriptor) => Promise<string>,
): Promise<Content> {
  if (recipe.kind === 'manifest') return contentOf(`${JSON.stringify(JSON.parse(recipe.manifest), null, 2)}\n`)
  const { drawings, background, padding = 0 } = recipe
  // The component text for Svelte keeps attributes as they are in the SVG file.
  const texts = await Promise.all(
    drawings.map((file) => read({ file: JSON.parse(file), as: 'component', framework: 'svelte' })),
  )
  return contentOf(writeIcon(texts, padding, background))
}

/** @param texts the SVG and its dark counterpart, if any, both as written by `componentText` */
function writeIcon(texts: readonly string[], padding: number, background: string | undefined): string {
  const themes = ['light', 'dark']
  const side = 100 - 2 * padding
  const nested = texts.map((text, at) => {
    const [head = '', ...markup] = text.split('\n')
    const [own]: [Record<string, string>] = JSON.parse(head)
    const place = { x: padding, y: padding, width: side, height: side }
    const viewBox = `0 0 ${defaultSize.width} ${defaultSize.height}`
    const all = Object.entries({ ...own, ...place, viewBox: own['viewBox'] ?? viewBox })
    const attributes = all.map(([name, value]) => `${name}="${escapeAttribute(String(value))}"`)
    const drawing = `<svg ${attributes.join(' ')}>${markup.join('\n')}</svg>`
    return texts.length === 1 ? drawing : `<g class="${themes[at]}">${drawing}</g>`
  })
  const style = texts.length === 1 ? '' : `<style>${themeRules}</style>`
  const backdrop = background === undefined ? '' : `<path fill="${escapeAttribute(background)}" d="M0 0h100v100H0z"/>`
  return `<svg xmlns="${svgNamespace}" viewBox="0 0 100 100">${style}${backdrop}${nested.join('')}</svg>\n`
}

const themeRules = '.dark{display:none}@media (prefers-color-scheme:dark){.light{display:none}.dark{display:inline}}'
