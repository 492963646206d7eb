import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import fastGlob from 'fast-glob'
import sharp from 'sharp'

/** The names and bytes of a space's files, to recognize them in outputs. */
export interface Content {
  /** Returns the name of a file's asset, derived from the file's name: `solvane-logo`. */
  assetOf(this: void, path: string): string | undefined
  /** @returns what is wrong with the bytes of a file that has an asset's name; undefined if they are right */
  problemOf(this: void, path: string, bytes: Buffer): Promise<string | undefined>
}

const media = ['svg', 'png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'tif', 'tiff', 'pdf', 'eps']

/** @param space the folder of the space */
export async function readContent(space: string): Promise<Content> {
  const files = await fastGlob(`**/*.{${media.join(',')}}`, { cwd: space })
  const originals = new Map<string, Set<string>>()
  for (const file of files) {
    const name = basename(file, extname(file))
    const hashes = originals.get(name) ?? new Set()
    originals.set(name, hashes.add(sha256(await readFile(join(space, file)))))
  }
  const names = [...originals.keys()].toSorted((a, b) => b.length - a.length)
  const named = new RegExp(`^(${names.join('|')})(?:[.~_-][^/]*)?\\.(${media.join('|')})$`, 'i')
  const assetOf = (path: string): string | undefined => named.exec(basename(path))?.[1]
  return {
    assetOf,
    async problemOf(path, bytes) {
      const name = assetOf(path) ?? ''
      if (originals.get(name)?.has(sha256(bytes))) return undefined
      if (/\.svg$/i.test(path)) return `${path} is not the drawing ${name}`
      const { format } = await sharp(bytes)
        .metadata()
        .catch(() => ({ format: 'unreadable' }))
      const extension = { jpeg: 'jpg', heif: 'avif', tiff: 'tif' }[format] ?? format
      return path
        .toLowerCase()
        .replace(/\.jpeg$/, '.jpg')
        .replace(/\.tiff$/, '.tif')
        .endsWith(`.${extension}`)
        ? undefined
        : `${path} contains ${extension}`
    },
  }
}

/**
 * Lists the assets whose files are in an output.
 * @returns the names of the assets, sorted and without duplicates
 */
export async function emittedAssets(output: string, { assetOf }: Content): Promise<string[]> {
  const files = await fastGlob('**/*', { cwd: output, dot: true, ignore: ['**/node_modules/**', 'cache/**'] })
  return [...new Set(files.flatMap((file) => assetOf(file) ?? []))].toSorted()
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
