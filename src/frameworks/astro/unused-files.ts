import { readFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import glob from 'fast-glob'

/**
 * Files that aren't searched. Any other file may contain an address, even the output of an endpoint without an
 * extension.
 */
const BINARY = '**/*.{avif,gif,ico,jpeg,jpg,map,mp3,mp4,ogg,otf,pdf,png,tif,tiff,ttf,wasm,webm,webp,woff,woff2,zip}'

/**
 * Removes emitted files whose names don't occur in any text file of a static output, such as the originals of `<Image>`
 * and pictures of entries that no page renders. Astro does the same for local pictures. Keeps files whose names contain
 * characters that a text file may encode.
 * @param folder absolute path of the output
 * @param names paths of the emitted files in this folder
 */
export async function removeUnusedFiles(folder: string, names: ReadonlySet<string>): Promise<void> {
  const unused = new Set([...names].filter((name) => /^[\w.~-]+$/.test(basename(name))))
  const texts = glob.stream('**', { cwd: folder, dot: true, ignore: [BINARY] })
  for await (const file of texts) {
    if (unused.size === 0) break
    const text = await readFile(join(folder, String(file)), 'utf8')
    for (const name of unused) if (text.includes(basename(name))) unused.delete(name)
  }
  await Promise.all([...unused].map((name) => rm(join(folder, name), { force: true })))
}
