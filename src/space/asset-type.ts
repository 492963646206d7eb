import { objectOf } from '../text/json.js'
import type { AssetRecord } from './space.js'

interface Format {
  mediaType: string
  /** The asset type as the interface spells it. Absent for a format that the interface doesn't list. */
  type?: string
  /** The cuts that the service makes from assets of this type. */
  cuts?: readonly string[]
  /** Other media types that the signature of this kind of file may indicate. */
  alsoSignedAs?: readonly string[]
  /** Whether it is a raster format that sharp decodes. */
  raster?: true
}

/**
 * File formats by extension: the formats that the interface lists, and others that are common in projects. A Map rather
 * than an object, because a service can send any string as a type, such as `constructor`.
 */
const formats: ReadonlyMap<string, Format> = new Map<string, Format>([
  ['svg', { type: 'SVG', mediaType: 'image/svg+xml', cuts: ['PNG', 'PDF', 'EPS'] }],
  ['jpg', { type: 'JPG', mediaType: 'image/jpeg', cuts: ['PNG'], raster: true }],
  ['png', { type: 'PNG', mediaType: 'image/png', alsoSignedAs: ['image/apng'], cuts: ['JPG'], raster: true }],
  ['gif', { type: 'GIF', mediaType: 'image/gif', cuts: ['JPG', 'PNG'], raster: true }],
  ['eps', { type: 'EPS', mediaType: 'application/postscript', alsoSignedAs: ['application/eps'], cuts: ['PNG'] }],
  ['pdf', { type: 'PDF', mediaType: 'application/pdf', cuts: ['PNG'] }],
  ['tiff', { type: 'TIFF', mediaType: 'image/tiff', cuts: ['PNG', 'JPG'], raster: true }],
  // Sketch files don't have their own media type.
  ['sketch', { type: 'Sketch', mediaType: 'application/zip', cuts: ['SVG', 'PNG', 'PDF'] }],
  ['webp', { mediaType: 'image/webp', raster: true }],
  ['avif', { mediaType: 'image/avif', raster: true }],
  ['ico', { mediaType: 'image/x-icon' }],
  ['webmanifest', { mediaType: 'application/manifest+json' }],
  ['woff2', { mediaType: 'font/woff2' }],
  ['woff', { mediaType: 'font/woff' }],
  ['otf', { mediaType: 'font/otf' }],
  ['ttf', { mediaType: 'font/ttf' }],
  ['txt', { mediaType: 'text/plain' }],
  ['md', { mediaType: 'text/markdown' }],
  ['csv', { mediaType: 'text/csv' }],
  ['json', { mediaType: 'application/json' }],
  ['rtf', { mediaType: 'application/rtf' }],
  ['doc', { mediaType: 'application/msword' }],
  ['docx', { mediaType: officeType('wordprocessingml.document') }],
  ['dotx', { mediaType: officeType('wordprocessingml.template') }],
  ['ppt', { mediaType: 'application/vnd.ms-powerpoint' }],
  ['pptx', { mediaType: officeType('presentationml.presentation') }],
  ['potx', { mediaType: officeType('presentationml.template') }],
  ['xls', { mediaType: 'application/vnd.ms-excel' }],
  ['xlsx', { mediaType: officeType('spreadsheetml.sheet') }],
  ['key', { mediaType: 'application/vnd.apple.keynote' }],
  ['kth', { mediaType: 'application/vnd.apple.keynote' }],
  ['pages', { mediaType: 'application/vnd.apple.pages' }],
  ['template', { mediaType: 'application/vnd.apple.pages' }],
  ['numbers', { mediaType: 'application/vnd.apple.numbers' }],
  ['ai', { mediaType: 'application/postscript' }],
  ['indd', { mediaType: 'application/x-indesign' }],
  ['psd', { mediaType: 'image/vnd.adobe.photoshop' }],
  ['heic', { mediaType: 'image/heic' }],
  ['bmp', { mediaType: 'image/bmp' }],
  ['mov', { mediaType: 'video/quicktime' }],
  ['mp4', { mediaType: 'video/mp4' }],
  ['m4v', { mediaType: 'video/mp4' }],
  ['webm', { mediaType: 'video/webm' }],
  ['avi', { mediaType: 'video/x-msvideo' }],
  ['mp3', { mediaType: 'audio/mpeg' }],
  ['wav', { mediaType: 'audio/wav' }],
  ['m4a', { mediaType: 'audio/mp4' }],
  ['ogg', { mediaType: 'audio/ogg' }],
  ['stl', { mediaType: 'model/stl' }],
  ['obj', { mediaType: 'model/obj' }],
  ['glb', { mediaType: 'model/gltf-binary' }],
  ['gltf', { mediaType: 'model/gltf+json' }],
  ['usdz', { mediaType: 'model/vnd.usdz+zip' }],
  ['zip', { mediaType: 'application/zip' }],
])

function officeType(name: string): string {
  return `application/vnd.openxmlformats-officedocument.${name}`
}

/** The extensions of types that the public service names differently. Its Lottie animations are JSON files. */
const extensions: ReadonlyMap<string, string> = new Map([
  ['keynote', 'key'],
  ['keynote_theme', 'kth'],
  ['pages_template', 'template'],
  ['lottie', 'json'],
  ['sketch_layer', 'sketch'],
  ['sketch_symbol', 'sketch'],
  ['sketch_layer_style', 'sketch'],
  ['sketch_text_style', 'sketch'],
])

const aliases: ReadonlyMap<string, string> = new Map([
  ['jpeg', 'jpg'],
  ['tif', 'tiff'],
])

function formatOf(type: string): Format | undefined {
  const extension = type.toLowerCase()
  return formats.get(aliases.get(extension) ?? extension)
}

/** Each type that the interface lists, with the cuts that the service makes from it. */
export const cutsByType: ReadonlyMap<string, readonly string[]> = new Map(
  [...formats.values()].flatMap(({ type, cuts = [] }) => (type === undefined ? [] : [[type, cuts] as const])),
)

/** Spells a type as the interface does: `jpeg` becomes `JPG`. Keeps a type that the interface doesn't list. */
export function canonicalType(type: string): string {
  return formatOf(type)?.type ?? type
}

/** The types of colors and fonts, which the interface doesn't list. */
export const dataTypes = { color: 'COLOR', font: 'TEXT_STYLE' } as const

/**
 * Checks whether an asset is data without a file, such as a color or a link. Data is never downloaded. The service
 * doesn't have to list a size for a color, a link, or a Google Fonts font.
 */
export function isData({ type, size, meta }: DataFields): boolean {
  const isUnsized = /^(?:color|url)$/i.test(type) || (isType(type, 'font') && isOfGoogleFonts(meta))
  return (size ?? (isUnsized ? 0 : 1)) === 0 && !cutsByType.has(type)
}

type DataFields = Pick<AssetRecord, 'type' | 'size'> & Partial<Pick<AssetRecord, 'meta'>>

function isOfGoogleFonts(meta: unknown): boolean {
  const { source, stylesheetUrl } = objectOf(objectOf(meta)['font'])
  return source === 'google-fonts' && typeof stylesheetUrl === 'string'
}

/** Checks whether an asset is a color. An asset with a file isn't a color, even if it lists colors. */
export function isColor(asset: Pick<AssetRecord, 'type' | 'size'>): boolean {
  return isType(asset.type, 'color') && isData(asset)
}

/** Checks whether a type, in any case, is a known file type or data type. */
export function isKnownType(type: string): boolean {
  const name = type.toLowerCase()
  return formatOf(name) !== undefined || extensions.has(name) || /^(?:color|text_style|url)$/.test(name)
}

/** Checks whether a type stands for colors or fonts. @param type in any case */
export function isType(type: string, kind: keyof typeof dataTypes): boolean {
  return type.toUpperCase() === dataTypes[kind]
}

/** Checks whether a type is a raster format that sharp decodes. @param type in any case */
export function isRaster(type: string): boolean {
  return formatOf(type)?.raster === true
}

/** Checks whether sharp decodes files of a type. @param type in any case */
export function isPictureType(type: string): boolean {
  return canonicalType(type) === 'SVG' || isRaster(type)
}

/** Vector formats, whose cuts can be made in any size. */
const vectorTypes = /^(?:svg|pdf|eps|ai|sketch(?:_layer|_symbol)?|indd|fig)$/i

export function isVector(type: string): boolean {
  return vectorTypes.test(type)
}

/** Returns the extension for a type: `jpg` for JPG, and `bin` for an unknown type that isn't a plain word. */
export function extensionOf(type: string): string {
  const name = type.toLowerCase()
  return extensions.get(name) ?? (/^[a-z0-9]{1,16}$/.test(name) ? name : 'bin')
}

export function mediaType(extension: string): string {
  return formatOf(extension)?.mediaType ?? 'application/octet-stream'
}

/**
 * Returns the media types that the signature of a file of this type may indicate.
 * @param type as the interface spells it
 * @returns undefined for a type that the interface doesn't list
 */
export function signaturesOf(type: string): readonly string[] | undefined {
  const format = cutsByType.has(type) ? formatOf(type) : undefined
  return format && [format.mediaType, ...(format.alsoSignedAs ?? [])]
}
