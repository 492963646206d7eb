import { basename, resolve } from 'node:path'
import { ContentSpaceError } from '../errors.js'
import { omitUndefined } from '../text/omit-undefined.js'

/** The formats of token files, which contain colors and fonts. */
export const tokenFormats = ['css', 'tailwind', 'scss', 'dtcg', 'ts'] as const

export type TokenFormat = (typeof tokenFormats)[number]

/** A file with the colors and fonts of a kit. Paths are relative to the folder of the configuration file. */
export interface TokenFile {
  /** A kit as in `content-space:kit/<kit>`: an alias, uuid or slug, with an optional `@<version>`. */
  kit: string
  /** @example 'src/tokens.css' */
  file: string
  /**
   * `css`: custom properties. `tailwind`: a theme of Tailwind 4. `scss`: variables of Sass. `dtcg`: Design Tokens
   * Format Module 2025.10. `ts`: constants.
   * @default by the ending of the file name: `.css`, `.scss`, `.tokens.json` (dtcg) or `.ts`
   */
  format?: TokenFormat
  /**
   * The first word of each name, or an empty string for none. Format `ts` doesn't use a prefix.
   * @default the alias or slug of the kit for `css` and `scss`, none for the others
   */
  prefix?: string
  /**
   * A folder to write the font files to. The file then refers to them by relative addresses.
   * @default none, so the file contains ids, which the plugin resolves
   */
  fonts?: string
  /**
   * The name of a section or a heading with dark colors. Each of them is paired with the color of the same name, and
   * doesn't get its own token name.
   * @example 'Dark Colours'
   */
  dark?: string
}

/** A token file with all defaults that don't depend on the kit. Paths are absolute. */
export type ResolvedTokenFile = TokenFile & { format: TokenFormat }

/** The formats by file name ending. */
const formatsByEnding: readonly (readonly [string, TokenFormat])[] = [
  ['.css', 'css'],
  ['.scss', 'scss'],
  ['.tokens.json', 'dtcg'],
  ['.tokens', 'dtcg'],
  ['.ts', 'ts'],
]

export const endings = formatsByEnding.map(([ending, format]) => `${ending} (${format})`).join(', ')

/**
 * Completes a token file with its defaults.
 * @param root the folder that relative paths are relative to
 * @throws ContentSpaceError `invalidOption` for a name without a known format, and for an invalid prefix
 */
export function resolveTokenFile(
  { kit, file, format, prefix, fonts, dark }: TokenFile,
  root: string,
): ResolvedTokenFile {
  const resolved = format ?? formatOf(file)
  checkPrefix(prefix, resolved)
  return {
    kit,
    file: resolve(root, file),
    format: resolved,
    ...omitUndefined({ prefix, dark, fonts: fonts === undefined ? undefined : resolve(root, fonts) }),
  }
}

/** @throws ContentSpaceError `invalidOption`, including if two entries name the same file */
export function resolveTokenFiles(given: readonly TokenFile[], root: string): ResolvedTokenFile[] {
  const files = given.map((one) => resolveTokenFile(one, root))
  const paths = files.map(({ file }) => file)
  const repeated = paths.find((path, at) => paths.indexOf(path) !== at)
  if (repeated === undefined) return files
  throw new ContentSpaceError('invalidOption', `Two entries of option tokens write ${repeated}.`, {
    hint: 'Give each of them its own file.',
  })
}

function formatOf(file: string): TokenFormat {
  const name = file.toLowerCase()
  const found = formatsByEnding.find(([ending]) => name.endsWith(ending))
  if (found !== undefined) return found[1]
  throw new ContentSpaceError(
    'invalidOption',
    `The format of the tokens is unclear from the file name ${basename(file)}.`,
    {
      hint: `Use a name that ends with ${endings}, or set the format: ${tokenFormats.join(', ')}.`,
    },
  )
}

function checkPrefix(prefix: string | undefined, format: TokenFormat): void {
  if (prefix === undefined || prefix === '') return
  if (format === 'ts') {
    throw new ContentSpaceError('invalidOption', `Format ts does not support a prefix, but '${prefix}' was given.`, {
      hint: 'Rename the exports where they are imported.',
    })
  }
  if (!/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_-]*$/u.test(prefix)) {
    throw new ContentSpaceError('invalidOption', `The prefix '${prefix}' is not valid.`, {
      hint: 'A prefix consists of letters, digits, - and _.',
    })
  }
}
