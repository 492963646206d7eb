import type { Font } from 'fontkitten'
import type { FontToken } from '../asset.js'
import { omitUndefined } from '../text/omit-undefined.js'
import { describedTables, formatOfFont, type FontFormat } from './font-tables.js'
import { agreedWeight, isWeight, readVariant, readWidth, widths } from './font-style.js'

/** The properties of a font, as its file states them. Missing names are absent. */
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
  /** Only for a variable font. */
  weightRange?: [min: number, max: number]
  style: FontToken['style']
  /** In degrees. Only for a variable font. */
  slantRange?: [min: number, max: number]
  /** In percent. Absent for 100. */
  stretch?: number
  /** Only for a variable font. */
  stretchRange?: [min: number, max: number]
}

type Face = Omit<FontFile, 'format' | 'family' | 'variant' | 'fullName' | 'postscriptName'>

/**
 * Reads names, weight, style and width of a font file.
 * @returns undefined for anything but a font, and for a font that is damaged or too large
 */
export async function readFontFile(bytes: Buffer): Promise<FontFile | undefined> {
  const format = formatOfFont(bytes)
  if (format === undefined) return undefined
  try {
    const [{ create }, tables] = await Promise.all([import('fontkitten'), describedTables(bytes, format)])
    const font = create(tables)
    return font.isCollection ? undefined : { format, ...fontNames(font), ...faceOf(font) }
  } catch {
    // For damaged files, the library throws its own errors as well as JavaScript errors.
    return undefined
  }
}

/** Typographic names take precedence, because the legacy names put all but four variants into separate families. */
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

/** The longest name in characters. A longer name means that the file is damaged. */
const maxName = 200

/** @param text from the library: bytes if it doesn't know the encoding */
function cleanName(text: unknown): string | undefined {
  const name = typeof text === 'string' ? text.replaceAll('\0', '').trim() : ''
  return name === '' || name.length > maxName ? undefined : name
}

function faceOf(font: Font): Face {
  const typographic = font.getName('preferredSubfamily')
  const variant = typographic ?? font.getName('fontSubfamily') ?? ''
  const named = readVariant(variant)
  const table = font['OS/2'] as Font['OS/2'] | undefined
  const number = table?.usWeightClass ?? 0
  // Without a typographic name, prefer the number, because the legacy name is one of only four, so several variants
  // share it.
  const weight = agreedWeight(number, typographic === null && isWeight(number) ? '' : variant)
  const { oblique = false, italic = named?.style === 'italic' } = table?.fsSelection ?? {}
  const style = oblique || named?.style === 'oblique' ? 'oblique' : italic ? 'italic' : 'normal'
  const width = widths[(table?.usWidthClass ?? 5) - 1] ?? 100
  const stretch = width === 100 ? readWidth(variant) : width
  return { weight, style, ...omitUndefined({ stretch }), ...variations(font) }
}

/** Returns the ranges of a variable font, except for ranges outside the limits of CSS. */
function variations({ variationAxes }: Font): Partial<Face> {
  const { wght, wdth, slnt } = variationAxes
  const weights = wght && isWeight(wght.min) && isWeight(wght.max) && isWeight(wght.default) && wght.min < wght.max
  const stretches = wdth && wdth.min > 0 && wdth.min < wdth.max
  const slants = slnt && slnt.min >= -90 && slnt.max <= 90 && slnt.min < slnt.max
  return {
    ...(weights && { weight: Math.round(wght.default), weightRange: [wght.min, wght.max] }),
    ...(stretches && { stretch: wdth.default, stretchRange: [wdth.min, wdth.max] }),
    // Font files measure the slant to the left, and CSS to the right.
    ...(slants && { slantRange: [0 - slnt.max, 0 - slnt.min] }),
  }
}
