import { basename, dirname, posix, relative, sep } from 'node:path'
import type { ResolvedTokenFile } from '../config/token-files.js'
import type { FileDescriptor } from '../files/plan.js'
import { formats } from './formats/formats.js'
import type { SheetFont } from './formats/sheet.js'
import { fontFormats, isImported } from './formats/style-sheet.js'
import { resolver, resolverPath } from './formats/resolver.js'
import { pairColors, type DarkOf } from './dark.js'
import { countsOf, scriptLabels, variableLabels, type LabeledTokens } from './labels.js'

/** The plan of a token file and the files beside it. */
export interface TokenFilePlan {
  text: string
  /** Whether any color has a dark counterpart. */
  isPaired: boolean
  /** The contents of other files, by absolute path. */
  beside: ReadonlyMap<string, string>
  /** The font files by their names in the folder `fonts`. */
  fonts: ReadonlyMap<string, FileDescriptor>
  /** The text's references to font files, by the files' names in the folder `fonts`. */
  addresses: ReadonlyMap<string, string>
  /** The URLs of font files relative to the project's root, with their media types if known. */
  preload: readonly { href: string; type?: string }[]
  /** Fonts in external style sheets that this file doesn't import. */
  notImported: readonly { name: string; stylesheet: string }[]
}

/** The project of a token file, and how the project names the kit. */
export interface TokenFilePlace {
  /** An absolute path. */
  root: string
  /** The kit as written in ids: `brand@2`. */
  id: string
  /** The kit's alias or slug. */
  name: string
  /** The option `darkMode`. If undefined, the user's color scheme is used. */
  darkMode?: string | undefined
  /** Returns the dark counterpart of a color in the option `kits`. */
  darkOf?: DarkOf
}

type Address = NonNullable<SheetFont['address']>

/** A font that has a file. `name` is its file name in the folder `fonts`, if that folder is configured. */
type PlacedFont = { type: string; file: FileDescriptor; name?: string; address: Address }

/** Plans a token file without reading font files. */
export function planTokenFile(target: ResolvedTokenFile, kit: TokenFilePlace, given: LabeledTokens): TokenFilePlan {
  const tokens = pairColors(given, target.dark, kit.darkOf, target.format === 'ts')
  const { format } = target
  const { write, address: addressText, isStyleSheet, namesKit } = formats[format]
  const files = fontFiles(target, kit, tokens)
  const written = [...files.values()].flatMap((font) => (font.name === undefined ? [] : [{ ...font, name: font.name }]))
  const isUsable = ({ relative: isRelative }: Address): boolean => isRelative || isStyleSheet
  const { slugs, former } = format === 'ts' ? scriptLabels(tokens) : variableLabels(tokens)
  const colors = [...tokens.colors].map(([name, color]) => {
    return [name, { ...color, slug: slugs.get(color.uuid) ?? color.slug }] as const
  })
  const fonts = [...tokens.fonts].map(([name, { file: _file, ...font }]): [string, SheetFont] => {
    const address = files.get(font.uuid)?.address
    const named = { ...font, slug: slugs.get(font.uuid) ?? font.slug }
    return [name, address && isUsable(address) ? { ...named, address } : named]
  })
  const word = cssWord(kit.name)
  const prefix = target.prefix ?? (namesKit ? word : '')
  const map = prefix || word || 'colors'
  const sheet = {
    kit: kit.id,
    prefix,
    map,
    colors: new Map(colors),
    fonts: new Map(fonts),
    former,
    darkMode: kit.darkMode,
  }
  const isPaired = colors.some(([, { dark }]) => dark !== undefined)
  return {
    text: write(sheet),
    isPaired,
    beside:
      format === 'dtcg' && isPaired ? new Map([[resolverPath(target.file), resolver(sheet, target.file)]]) : new Map(),
    fonts: new Map(written.map(({ name, file }) => [name, file])),
    addresses: new Map(written.map(({ name, address }) => [name, addressText(address.text)])),
    preload: [...files.values()].map(({ name, address, type }) => ({
      href: name === undefined ? address.text : pathBetween(kit.root, target.fonts ?? '', name),
      ...(type in fontFormats ? { type: `font/${type}` } : {}),
    })),
    notImported: [...tokens.fonts.values()].flatMap(({ name, stylesheet }) =>
      stylesheet !== undefined && isStyleSheet && !isImported(stylesheet) ? [{ name, stylesheet }] : [],
    ),
  }
}

/**
 * Returns the fonts that have a file, by uuid. Their URLs are paths relative to the token file, or ids. If file names
 * would be equal, adds the fonts' uuids to them.
 */
function fontFiles(
  { file: sheet, fonts: folder }: ResolvedTokenFile,
  { id }: TokenFilePlace,
  { fonts }: LabeledTokens,
) {
  const all = [...fonts.values()].flatMap(({ file, ...font }) => (file ? [{ ...font, file }] : []))
  const counts = countsOf(all.map(({ file }) => nameOfFontFile(file)))
  return new Map(
    all.map(({ uuid, slug, format: type, file }): [string, PlacedFont] => {
      if (folder === undefined)
        return [uuid, { type, file, address: { text: `content-space:asset/${id}/${slug}`, relative: false } }]
      const own = nameOfFontFile(file)
      const name = counts.get(own) === 1 ? own : `${file.name}-${uuid.toLowerCase()}.${file.ext}`
      return [uuid, { type, file, name, address: { text: relativeAddress(sheet, folder, name), relative: true } }]
    }),
  )
}

function nameOfFontFile({ name, ext }: FileDescriptor): string {
  return basename(`${name}.${ext}`)
}

function relativeAddress(file: string, folder: string, name: string): string {
  const address = pathBetween(dirname(file), folder, name)
  return address.startsWith('../') ? address : `./${address}`
}

/** Returns the path from one folder to a file in another. */
function pathBetween(from: string, to: string, name: string): string {
  return posix.join(...relative(from, to).split(sep).map(encodeURIComponent), name)
}

/** Replaces characters that are allowed in aliases but not in variable names. */
export function cssWord(alias: string): string {
  return alias.replace(/[^\p{L}\p{M}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '')
}
