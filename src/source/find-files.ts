import { isAbsolute, join, relative, resolve } from 'node:path'
import { findSourceFiles, outputFolders, sourceGlobs } from './source-files.js'

/** Ignores packages, output, and declaration files, which contain the specifiers of all modules without using them. */
const ignored = [`**/{${outputFolders.join()}}/**`, '**/.vitepress/cache/**', '**/*.d.{ts,mts,cts}']

/**
 * Finds the source files of a project. Skips output (`dist`, `build`, `out`, `coverage`), `node_modules`, declaration
 * files, and folders whose name begins with a dot, unless a glob names them.
 * @param globs absolute or relative to the root; globs that begin with `!` exclude files
 * @returns absolute paths by their path relative to the root, with forward slashes
 */
export async function findFiles(root: string, globs: readonly string[]): Promise<Map<string, string>> {
  if (globs.join() !== sourceGlobs.join()) return findMatching(root, globs)
  return new Map((await findSourceFiles(root)).map((file) => [file, join(root, file)]))
}

/** Finds files like `findFiles`, but for any globs. The glob library is loaded only for a project's own globs. */
export async function findMatching(root: string, globs: readonly string[]): Promise<Map<string, string>> {
  const { default: glob } = await import('fast-glob')
  const excluded = globs.flatMap((text) => (text.startsWith('!') ? [text.slice(1)] : []))
  const included = globs.filter((text) => !text.startsWith('!'))
  const searches: Search[] = [
    [root, included.filter((text) => !isOutside(text))],
    ...included.filter(isOutside).map((text) => splitGlob(root, text, glob.isDynamicPattern)),
  ]
  const found = await Promise.all(
    searches.map(([cwd, patterns]) => {
      const own = excluded.map((text) => (text.startsWith('**') ? text : slashed(relative(cwd, resolve(root, text)))))
      const options = { cwd, ignore: [...ignored, ...own], followSymbolicLinks: false, absolute: true }
      // Skip unreadable folders, as `findSourceFiles` does.
      return glob(patterns, { ...options, suppressErrors: true })
    }),
  )
  return new Map(found.flat().map((path) => [slashed(relative(root, path)), path]))
}

function isOutside(text: string): boolean {
  return isAbsolute(text) || text.startsWith('../')
}

type Search = [folder: string, patterns: string[]]

/** Splits a glob into the folder at its beginning, in which ignored names are allowed, and the rest. */
function splitGlob(root: string, text: string, isDynamic: (segment: string) => boolean): Search {
  const segments = text.split('/')
  const last = segments.length - 1
  const at = segments.findIndex((segment, index) => index === last || (segment && isDynamic(segment)))
  return [resolve(root, `${segments.slice(0, at).join('/')}/`), [segments.slice(at).join('/')]]
}

function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}
