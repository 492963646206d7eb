import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreErrno } from '../disk/file-error.js'

/** The extensions of languages that compile to CSS, for a pattern. */
export const preprocessed = 'less|sass|scss|styl|stylus|sss'

/** The extensions of all style sheets. */
export const styleSheets = `css|pcss|postcss|${preprocessed}`

const extensions = `js|jsx|cjs|mjs|ts|tsx|cts|mts|vue|svelte|astro|md|mdx|${styleSheets}|html|htm`
const tools = ['storybook', 'vitepress', 'vuepress']

/**
 * Globs match a folder whose name begins with a dot only if they name it, but some tools keep source in such folders.
 */
export const sourceGlobs: readonly string[] = ['**', `**/.{${tools.join()}}/**`].map(
  (folder) => `${folder}/*.{${extensions.replaceAll('|', ',')}}`,
)

const source = new RegExp(`^[^.].*\\.(?:${extensions})$`, 's')
const skipped = ['ENOENT', 'EACCES', 'EPERM']
const declaration = /\.d\.[cm]?ts$/
/** Folders with code of packages or with output. */
export const outputFolders: readonly string[] = ['node_modules', 'dist', 'build', 'out', 'coverage']

/**
 * Finds the files that `sourceGlobs` match, without the output and the declarations that `findFiles` ignores. Every
 * build runs this, so it doesn't load a glob library, which would take longer than a small build.
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

/** Lists a folder. Skips a folder that disappears during the search or that this user can't read. */
async function list(folder: string) {
  return (await readdir(folder, { withFileTypes: true }).catch(ignoreErrno(...skipped))) ?? []
}
