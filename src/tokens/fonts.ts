import type { FontToken } from '../asset.js'
import { planAsset, type FileDescriptor } from '../files/plan.js'
import type { NamedKit } from '../kit/named-kit.js'
import { isData } from '../space/asset-type.js'
import type { FontFile } from '../space/font-file.js'
import { isFont, readFontRecord } from '../space/font-record.js'
import { readVariant, readWidth } from '../space/font-style.js'
import { allPresent } from '../space/offline.js'
import type { AssetRecord } from '../space/space.js'
import { groupBy } from '../text/group-by.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { versionText } from '../text/quantities.js'
import { placedAssets, type PlacedAsset } from './placed.js'

/** A font without a URL, because modules and token files refer to its file in different ways. */
export type KitFont = Omit<FontToken, 'src'> & {
  /** The unconverted file. Undefined for a font in an external style sheet. */
  file?: FileDescriptor
}

export interface FontContext {
  read(this: void, file: FileDescriptor): Promise<Uint8Array>
  warn(this: void, message: string): void
}

/** The source of a font: a file of the space, or an external style sheet. */
type FontSource = { file: FileDescriptor } | { stylesheet: string }

/** A font before its file is read. */
export interface FontPlan extends PlacedAsset {
  source: FontSource
}

/**
 * Finds the fonts of a kit without reading files. A data asset isn't a font unless it contains the URL of a style
 * sheet.
 */
export function planFonts(named: NamedKit): FontPlan[] {
  return placedAssets(named).flatMap((placed) => {
    const source = isFont(placed.asset) ? sourceOfFont(placed.asset) : undefined
    return source ? [{ ...placed, source }] : []
  })
}

function sourceOfFont(asset: AssetRecord): FontSource | undefined {
  const { stylesheet } = readFontRecord(asset.meta)
  if (stylesheet !== undefined) return { stylesheet }
  const { src: file } = isData(asset) ? {} : planAsset(asset, { as: 'url', full: false }, 'trust')
  return file && { file }
}

/**
 * Reads the fonts of a kit. Takes family, weight, and style from the service's record, or else from the file.
 * @param isUsed selects fonts; by default, all
 * @throws ContentSpaceError any error of `context.read`
 */
export async function fontsOf(
  named: NamedKit,
  context: FontContext,
  isUsed: (plan: FontPlan) => boolean = () => true,
): Promise<Map<string, KitFont>> {
  for (const { asset } of placedAssets(named)) {
    // A font can lack a source only if another service provides it, because all other fonts are files.
    if (!isFont(asset) || !readFontRecord(asset.meta).isElsewhere || sourceOfFont(asset)) continue
    context.warn(
      `${named.kit.name} (${versionText(named.kit.version)}): the font ${asset.name} has neither a file nor a style ` +
        'sheet, and is not in its tokens. Set the URL of its style sheet in the space, or upload the font.',
    )
  }
  const plans = planFonts(named)
  const alike = alikeInRecords(plans)
  const used = plans.filter(isUsed)
  const fonts = await allPresent(
    used.map(async (plan) => [plan.name, await readFont(plan, context, alike.has(plan))] as const),
  )
  for (const equal of equalFaces(fonts.map(([, font]) => font))) {
    const names = equal.map(({ name }) => name).join(', ')
    context.warn(
      `${named.kit.name} (${versionText(named.kit.version)}): the fonts ${names} have the same family, weight, style ` +
        'and width, so pages show only the last one. Keep one of them in the space.',
    )
  }
  return new Map(fonts)
}

/** Finds fonts that can't be distinguished by their records, although their files may differ. */
function alikeInRecords(plans: readonly FontPlan[]): Set<FontPlan> {
  const said = plans.flatMap((plan) => {
    const { family, variant = '' } = readFontRecord(plan.asset.meta)
    const face = readVariant(variant)
    return family !== undefined && face ? [{ ...face, family, plan }] : []
  })
  return new Set(equalFaces(said).flatMap((equal) => equal.map(({ plan }) => plan)))
}

type FaceFields = 'family' | 'weight' | 'weightRange' | 'style' | 'slantRange' | 'stretch' | 'stretchRange'

/** Groups fonts whose `@font-face` rules have equal descriptors. */
function equalFaces<T extends Pick<FontToken, FaceFields>>(fonts: readonly T[]): T[][] {
  const faces = groupBy(fonts, ({ family, weight, weightRange, style, slantRange, stretch = 100, stretchRange }) =>
    JSON.stringify([family.toLowerCase(), weightRange ?? weight, slantRange ?? style, stretchRange ?? stretch]),
  )
  return [...faces.values()].filter((equal) => equal.length > 1)
}

/**
 * Reads a font.
 * @param isAlike whether another font has an equal record
 */
async function readFont({ asset, token, source }: FontPlan, context: FontContext, isAlike: boolean): Promise<KitFont> {
  const { family, variant = '', format } = readFontRecord(asset.meta)
  const said = readVariant(variant)
  const named = family ?? asset.name
  if ('stylesheet' in source)
    return { ...token, family: named, ...(said ?? regular), format: 'css', stylesheet: source.stylesheet }
  const isComplete = family !== undefined && format !== undefined && said !== undefined && !variable.test(asset.name)
  if (isComplete && !isAlike) return { ...token, family, ...said, format, file: source.file }
  const read = await readFile(asset, source.file, context)
  const { weight = 400, style = 'normal', weightRange, slantRange, stretch, stretchRange } = read ?? {}
  const ext = read?.format ?? source.file.ext
  return {
    ...token,
    family: family ?? read?.family ?? asset.name,
    ...omitUndefined({ weight: said?.weight ?? weight, weightRange, style: said?.style ?? style, slantRange }),
    ...omitUndefined({ stretch: stretch ?? readWidth(variant), stretchRange }),
    format: ext,
    file: { ...source.file, ext },
  }
}

const regular = { weight: 400, style: 'normal' } as const

/** Matches the names of variable fonts, whose weights have to be read from the file. */
const variable = /variable|\bwght\b|\bVF\b/i

/** Reads a font file. Loads the font library only when it is needed. */
async function readFile(asset: AssetRecord, file: FileDescriptor, context: FontContext): Promise<FontFile | undefined> {
  const [bytes, { readFontFile }] = await Promise.all([context.read(file), import('../space/font-file.js')])
  const read = await readFontFile(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (read === undefined)
    context.warn(`${asset.name} is not a font that can be read. Its name is used as the family, with weight 400.`)
  return read
}
