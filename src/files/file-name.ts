import { canonicalType, isType } from '../space/asset-type.js'
import { isFontExtension } from '../space/font-record.js'
import { isAscii, knownLetters } from '../text/letters.js'
import { isReservedOnWindows } from '../text/windows-names.js'

/** The maximum length of a base name in characters. */
const maxLength = 80

/**
 * Makes the base name of an asset's output files: lower-case ASCII words joined by `-`, such as `hero-photo`, which is
 * valid on every file system and in every URL. The name depends only on the asset, so that kits that share an asset
 * emit a single file.
 */
export function fileBase({ uuid, name, type = '' }: { uuid: string; name: string; type?: string }): string {
  const [ending = '', extension = ''] = /\.([^.]+)$/.exec(name) ?? []
  const repeatsType =
    ending !== '' && (canonicalType(extension) === type || (isType(type, 'font') && isFontExtension(extension)))
  const stem = repeatsType ? name.slice(0, -ending.length) : name
  // A fast path, because a kit has thousands of names and most of them are ASCII.
  const letters = isAscii(stem) ? stem : knownLetters(stem).normalize('NFKD').replaceAll(/\p{M}/gu, '')
  const words = letters.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const base = words.join('-').slice(0, maxLength).replace(/-$/, '')
  return base === '' || isReservedOnWindows(base) ? `asset-${uuid.slice(0, 8).toLowerCase()}` : base
}
