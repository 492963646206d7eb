import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { ignoreErrno, throwFileError } from '../../../disk/file-error.js'
import { statsOf } from '../../../disk/stats.js'
import { styleSheets } from '../../../source/source-files.js'
import { isWritten } from '../../../tokens/formats/sheet.js'
import { isCatalog } from '../catalog.js'
import { isPage } from '../page/page.js'
import { picturesIn, type PictureInText } from './pictures-in.js'

export interface Contents {
  /** Absent if the file itself is a picture. */
  text?: string
  pictures: readonly PictureInText[]
}

/** Text files that may contain pictures. An SVG file is itself a picture. */
const textual = new RegExp(
  [
    String.raw`\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx?|json5?|ya?ml|${styleSheets}`,
    'html?|php|twig|erb|ejs|hbs|liquid|njk|pug)$',
  ].join('|'),
  'i',
)

/** Returns whether a file, by its name, is a text file that may contain pictures. */
export function isTextual(file: string): boolean {
  return textual.test(extname(file))
}

/** The beginning of declarations, including those in other packages of the repository. */
const declarations = '// Made by unplugin-content-space '

/**
 * In bytes. Larger files are neither pictures for web pages nor text that people write by hand. They are compared only
 * byte by byte, and read in pieces.
 */
export const largestContents = 16 * 1024 * 1024

/**
 * Reads the pictures in a file. Returns none if the file is missing, too large, or written by this package.
 * @throws ContentSpaceError `fileSystem`
 */
export async function readContents(path: string): Promise<Contents> {
  if ((statsOf(path)?.size ?? 0) > largestContents) return { pictures: [] }
  const bytes = await readFile(path).catch(ignoreErrno('ENOENT')).catch(throwFileError(path))
  if (bytes === undefined) return { pictures: [] }
  if (!isTextual(path)) return { pictures: [{ bytes, line: 1, start: 0, end: bytes.length }] }
  const text = bytes.toString()
  const isOwn = isPage(text) || isWritten(text) || isCatalog(text) || text.startsWith(declarations)
  return isOwn ? { pictures: [] } : { text, pictures: picturesIn(text) }
}
