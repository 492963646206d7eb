import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreErrno } from '../disk/file-error.js'

/** The extensions of languages that compile to CSS, as a part of a pattern. */
export const preprocessed = 'less|sass|scss|styl|stylus|sss'

/** The extensions of all style sheets. */
export const styleSheets = `css|pcss|postcss|${preprocessed}`

const extensions = `js|jsx|cjs|mjs|ts|tsx|cts|mts|vue|svelte|astro|md|mdx|${styleSheets}|html|htm`
const tools = ['storybook', 'vitepress', 'vuepress']

/** Globs don't match a folder whose name begins with a dot, unless they name it. Some tools keep source in one. */
export const sourceGlobs: readonly string[] = ['**', `**/.{${tools.join()}}/**`].map(
  (folder) => `${folder}/*.{${extensions.replaceAll('|', ',')}}`,
)

const source = new RegExp(`^[^.].*\\.(?:${extensions})$`, 's')
const skipped = ['ENOENT', 'EACCES', 'EPERM']
const declaration = /\.d\.[cm]?ts$/
/** Folders with code of packages, and with output. */
export const outputFolders: readonly string[] = ['node_modules', 'dist', 'build', 'out', 'coverage']

/**
 * Finds what `sourceGlobs` match, without the output and the declarations that `findFiles` ignores. Every build does
 * it, and loading the library that finds other globs takes longer than a small build.
 * @returns paths relative to the root, with forward slashes
 */
export async function findSourceFiles(root: string): Promise<string[]> {
  const found: string[] = []
  async function search(folder: string, ofTool: string | undefined): Promise<void> {
    const inner: Promise<void>[] = []
    for (const entry of await list(join(root, folder))) {
      const { name } = entry
      const path = `${folder}${name}`
      if (entry.isFile()) {
        if (source.test(name) && !declaration.test(name)) found.push(path)
      } else if (entry.isDirectory() && !outputFolders.includes(name)) {
        const tool = name.startsWith('.') ? name.slice(1) : undefined
        const isEntered = tool === undefined || (ofTool === undefined && tools.includes(tool))
        const isCache = name === 'cache' && /(?:^|\/)\.vitepress\/$/.test(folder)
        if (isEntered && !isCache) inner.push(search(`${path}/`, tool ?? ofTool))
      }
    }
    await Promise.all(inner)
  }
  await search('', undefined)
  return found
}

/** A folder may be removed while the project is searched. One that only another user may read is not searched. */
async function list(folder: string) {
  return (await readdir(folder, { withFileTypes: true }).catch(ignoreErrno(...skipped))) ?? []
}
