import { open } from 'node:fs/promises'
import { isUtf8 } from 'node:buffer'
import { join, relative } from 'node:path'
import { git } from '../../../disk/git.js'
import { readRegularFile } from '../../../disk/read-file.js'
import { statsOf } from '../../../disk/stats.js'

/** The text files of a repository. */
export interface Texts {
  root: string
  /**
   * Relative to the root of the project, with forward slashes. Files of the repository outside the project begin with
   * `../`.
   */
  files: readonly string[]
  /** Returns the text of a file, or undefined for a large or binary file. */
  read(file: string): Promise<string | undefined>
}

/** In bytes. People don't write larger source files. */
export const largestSource = 2 * 1024 * 1024

/** Matches files that are binary or don't refer to others. */
const others = new RegExp(
  [
    String.raw`(?:^|/)(?:package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?)$`,
    String.raw`\.(?:png|jpe?g|gif|webp|avif|ico|tiff?|bmp|woff2?|[ot]tf|eot|pdf|zip|gz|mp[34]|webm|mov|wasm|jar)$`,
  ].join('|'),
  'i',
)

/** Lists the files of the repository that may be text files. @param includes whether a file counts */
export async function readTexts(root: string, includes: (file: string) => boolean): Promise<Texts> {
  const top = (await git(root, 'rev-parse', '--show-toplevel')).trimEnd()
  const listed = await git(top, 'ls-files', '--cached', '--others', '--exclude-standard', '-z')
  const paths = listed.split('\0').map((file) => relative(root, join(top, file)).replaceAll('\\', '/'))
  const files = [...new Set(paths)].filter((file) => file !== '' && !others.test(file) && includes(file))
  return {
    root,
    files: files.filter((file) => statsOf(join(root, file))?.isFile()),
    async read(file) {
      const path = join(root, file)
      if ((statsOf(path)?.size ?? Infinity) > largestSource) return undefined
      return decodeText(await readRegularFile(path))
    },
  }
}

/** Decodes bytes in any common encoding, to look for names in the text. */
function decodeText(bytes: Buffer): string {
  if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString()
  const [first, second] = bytes
  // UTF-16 has a byte order mark, or every other byte of its ASCII is 0.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return bytes.toString('utf16le')
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return Buffer.from(bytes.subarray(0, bytes.length & ~1))
      .swap16()
      .toString('utf16le')
  return bytes.toString('latin1')
}

/** Yields a file in pieces of limited size. Each piece starts with the end of the previous one. */
export async function* piecesOf(path: string): AsyncGenerator<string> {
  const file = await open(path)
  try {
    const buffer = Buffer.alloc(largestSource)
    const overlap = 4096
    for (let kept = 0; ; kept = overlap) {
      const { bytesRead } = await file.read(buffer, kept, buffer.length - kept)
      if (bytesRead === 0 && kept > 0) return
      yield decodeText(buffer.subarray(0, kept + bytesRead))
      if (kept + bytesRead < buffer.length) return
      buffer.copy(buffer, 0, buffer.length - overlap)
    }
  } finally {
    await file.close()
  }
}
