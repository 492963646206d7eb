import { knownLetters } from '../text/letters.js'
import { canonicalType } from '../space/asset-type.js'
import { isReservedOnWindows } from '../text/windows-names.js'

/**
 * The base name of an asset's files in the output: lower-case ASCII words joined by `-`, safe on every file system
 * and in every address. It comes from the asset alone, so that two kits with one asset emit one file.
 */
export function fileBase({ uuid, name, type }: { uuid: string; name: string; type: string }): string {
  const extension = /\.([^.]+)$/.exec(name)
  const stem = extension && canonicalType(extension[1] ?? '') === type ? name.slice(0, extension.index) : name
  const words =
    knownLetters(stem)
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  const base = words.join('-').slice(0, 80).replace(/-$/, '')
  return base === '' || isReservedOnWindows(base) ? `asset-${uuid.slice(0, 8).toLowerCase()}` : base
}

/** The extension for a type: `jpg` for JPG, `bin` for what is no plain word. */
export function extensionOf(type: string): string {
  const extension = type.toLowerCase()
  return /^[a-z0-9]{1,16}$/.test(extension) ? extension : 'bin'
}
