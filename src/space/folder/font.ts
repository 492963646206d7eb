import { omitUndefined } from '../../text/omit-undefined.js'
import { readFontFile, type FontFile } from '../font-file.js'
import { nameOfWidth, readVariant } from '../font-style.js'

/**
 * Describes a font file as the service does in `meta.font`.
 * @returns an object without names for an unreadable file
 */
export async function describeFont(bytes: Buffer, extension: string): Promise<Readonly<Record<string, string>>> {
  const font = await readFontFile(bytes)
  if (font === undefined) return { extension: extension.toLowerCase(), source: 'file' }
  const { family, fullName, postscriptName, format } = font
  const names = omitUndefined({ family, displayName: fullName, fontName: postscriptName })
  return { ...names, variant: variantOf(font), extension: format, source: 'file' }
}

/** Returns the name of the variant. If the name contradicts the file, builds a name from weight and style instead. */
function variantOf({ variant = '', weight, style, stretch, ...font }: FontFile): string {
  if (font.weightRange ?? font.stretchRange ?? font.slantRange)
    return style === 'normal' ? 'Variable' : `Variable ${style}`
  const said = readVariant(variant)
  if (said?.weight === weight && said.style === style && said.stretch === stretch) return variant
  const face = style === 'normal' ? String(weight) : `${weight}${style}`
  return stretch === undefined ? face : `${nameOfWidth(stretch)} ${face}`
}
