import * as v from 'valibot'
import { cutsByType, isType } from './asset-type.js'
import type { FontFormat } from './font-tables.js'
import type { AssetRecord } from './space.js'
import { orAbsent } from './wire/fields.js'

const text = orAbsent(v.pipe(v.string(), v.trim(), v.nonEmpty(), v.maxLength(200)))
const format = v.pipe(
  v.string(),
  v.transform((extension) => extension.toLowerCase().replace(/^\./, '')),
  v.picklist(['woff2', 'woff', 'otf', 'ttf'] satisfies FontFormat[]),
)

const fontRecord = v.object({
  /** `Inter`, for all variants of the family. */
  family: text,
  /** `Light Italic`, `300italic` */
  variant: text,
  extension: orAbsent(format),
  source: text,
  stylesheetUrl: orAbsent(v.pipe(v.string(), v.trim(), v.url(), v.regex(/^https?:/i))),
})
const fontMeta = v.object({ font: fontRecord })

/** Reads the valid fields of an asset's `meta.font`. */
export function readFontRecord(meta: unknown) {
  const read = v.safeParse(fontMeta, meta)
  const { extension, source, stylesheetUrl, family, variant } = read.success ? read.output.font : {}
  return {
    family,
    variant,
    format: extension,
    /** The URL of an external style sheet. Absent for a font whose file is in the space. */
    stylesheet: source === 'file' ? undefined : stylesheetUrl,
    /** Whether a service other than the space provides the font. */
    isElsewhere: source !== undefined && source !== 'file',
  }
}

/** Checks whether an asset is a font: by its type, or by its name if the interface doesn't list its type. */
export function isFont(asset: Pick<AssetRecord, 'type' | 'name'>): boolean {
  return isType(asset.type, 'font') || namedFormat(asset) !== undefined
}

/** Returns the format of a font: from its record, otherwise from its type, otherwise from its name. */
export function fontFormat(asset: Pick<AssetRecord, 'type' | 'name' | 'meta'>): FontFormat | undefined {
  return isFont(asset) ? (readFontRecord(asset.meta).format ?? namedFormat(asset)) : undefined
}

export function isFontExtension(extension: string): boolean {
  return v.is(format, extension)
}

function namedFormat({ type, name }: Pick<AssetRecord, 'type' | 'name'>): FontFormat | undefined {
  if (cutsByType.has(type)) return undefined
  const candidates = [type, /\.([^.]+)$/.exec(name)?.[1]]
  return candidates.map((candidate) => v.safeParse(format, candidate)).find((read) => read.success)?.output
}
