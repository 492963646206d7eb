import type { Font } from 'fontkitten'
import type { FontToken } from '../asset.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { describedTables, formatOfFont, type FontFormat } from './font-tables.js'
import { isWeight, readVariant } from './font-style.js'

/** What a font file says about itself. Names are absent where it has none. */
export interface FontFile {
  format: FontFormat
  /** `Inter`, for all variants of a family. */
  family?: string
  /** `Light Italic` */
  variant?: string
  /** `Inter Light Italic` */
  fullName?: string
  /** `Inter-LightItalic` */
  postscriptName?: string
  weight: number
  /** Of a variable font. */
  weightRange?: [min: number, max: number]
  style: FontToken['style']
}

/**
 * Reads names, weight and style of a font file.
 * @returns undefined for anything else than a font, and for a font that is damaged or too large
 */
export async function readFontFile(bytes: Buffer): Promise<FontFile | undefined> {
  const format = formatOfFont(bytes)
  if (format === undefined) return undefined
  try {
    const [{ create }, tables] = await Promise.all([import('fontkitten'), describedTables(bytes, format)])
    const font = create(tables)
    return font.isCollection ? undefined : { format, ...fontNames(font), ...faceOf(font) }
  } catch {
    // The library throws errors of its own and of the language for damaged files.
    return undefined
  }
}

/** The typographic names take precedence. The others put all but four variants into families of their own. */
function fontNames(font: Font): Pick<FontFile, 'family' | 'variant' | 'fullName' | 'postscriptName'> {
  const name = (...keys: string[]): string | undefined =>
    keys.map((key) => cleanName(font.getName(key))).find((text) => text !== undefined)
  return omitUndefined({
    family: name('preferredFamily', 'fontFamily'),
    variant: name('preferredSubfamily', 'fontSubfamily'),
    fullName: name('fullName'),
    postscriptName: name('postscriptName'),
  })
}

/** Longest name. A longer one is damaged. */
const maxName = 200

/** @param text of the library: bytes if it does not know the encoding */
function cleanName(text: unknown): string | undefined {
  const name = typeof text === 'string' ? text.replaceAll('\0', '').trim() : ''
  return name === '' || name.length > maxName ? undefined : name
}

function faceOf(font: Font): Pick<FontFile, 'weight' | 'weightRange' | 'style'> {
  const named = readVariant(font.getName('preferredSubfamily') ?? font.getName('fontSubfamily') ?? '')
  const table = font['OS/2'] as Font['OS/2'] | undefined
  const weight = [table?.usWeightClass ?? 0, named?.weight ?? 0, 400].find(isWeight) ?? 400
  const { oblique = false, italic = named?.style === 'italic' } = table?.fsSelection ?? {}
  const style = oblique || named?.style === 'oblique' ? 'oblique' : italic ? 'italic' : 'normal'
  const { min, max, default: normal } = font.variationAxes['wght'] ?? { min: 0, max: 0, default: 0 }
  const isVariable = isWeight(min) && isWeight(max) && isWeight(normal) && min < max
  return isVariable ? { weight: Math.round(normal), weightRange: [min, max], style } : { weight, style }
}
