import type { FileDescriptor } from '../../files/plan.js'
import { sha256 } from './digest.js'

/** Matches placeholders such as `[hash]` and `[contenthash:8]`. */
const HASH = /\[(?:[a-z]+:)?(?:content|chunk|full|module)?hash\b/i

/**
 * Names a file for the bundler's naming pattern. If the pattern contains a hash, the hash distinguishes the files of an
 * asset. Otherwise, we append the conversion: `hero-photo-640.webp` and `hero-photo-1280.webp`.
 * @param pattern the bundler's pattern for names of emitted files; anything but a string counts as a pattern with a
 *   hash
 * @returns the name without folder and extension
 */
export function nameFor(file: FileDescriptor, pattern: unknown): string {
  return file.set !== undefined || typeof pattern !== 'string' || HASH.test(pattern)
    ? file.name
    : nameOfConversion(file)
}

/** Checks whether two application icons belong to the same set, because an output can contain only one set. */
export function isSameSet(icon: FileDescriptor, other: FileDescriptor): boolean {
  return icon.asset === other.asset && icon.set === other.set
}

/**
 * Appends the width of a conversion. Other conversions don't have a short name, so we append a digest. The digest
 * doesn't depend on the revision of the original, so the name stays the same when the content changes.
 */
function nameOfConversion({ name, ext, type, cut, recipe = '{}' }: FileDescriptor): string {
  const parsed: Record<string, unknown> = JSON.parse(recipe)
  const { kind, width, height, fit, format: _, policy: _policy, version: _version, ...changes } = parsed
  const scaled = fit === 'scale'
  if (kind === 'raster' && !scaled) Object.assign(changes, { fit, height })
  // An unconverted cut whose extension differs from the original's already has a different name.
  if (cut !== undefined && (kind === 'raster' || ext === type.toLowerCase())) changes['cut'] = cut
  const digest = Object.keys(changes).length === 0 ? '' : sha256(JSON.stringify(changes)).slice(0, 8)
  return [name, width ?? (scaled ? height : undefined), digest].filter(Boolean).join('-')
}

/** Returns a name that consists of words and a digest of the content: `hero-photo-1a2b3c4d`. */
export function nameOfContent(text: string, content: string): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return [...words, sha256(content).slice(0, 8)].join('-')
}

export function joinUrl(base: string, path: string): string {
  return base.endsWith('/') || base === '' ? base + path : `${base}/${path}`
}
