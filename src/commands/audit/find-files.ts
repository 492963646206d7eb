import { execFile } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import fastGlob from 'fast-glob'
import type { ResolvedOptions } from '../../config/options.js'
import { readText } from '../../disk/replace-file.js'
import { ContentSpaceError } from '../../errors.js'
import { outputFolders } from '../../source/source-files.js'
import { compareStrings } from '../../text/compare.js'
import { jsonObjectOf } from '../../text/json.js'
import { manifestName } from '../pull/manifest.js'
import { spaceNames } from '../pull/pulled-folders.js'

/** Bytes of a list of files, for very large repositories. */
const maxBuffer = 512 * 1024 * 1024

/**
 * Finds the files of a project: those that Git has or would add, or else all but those of packages and output. Skips
 * what this package writes, and the folders of spaces.
 * @param paths files and folders. Default: the root of the project
 * @returns paths relative to the root, with forward slashes, sorted
 * @throws ContentSpaceError `invalidOption` for a path that does not exist
 */
export async function findProjectFiles(options: ResolvedOptions, paths: readonly string[]): Promise<string[]> {
  const { root } = options
  const found = await Promise.all((paths.length > 0 ? paths : [root]).map((path) => filesIn(resolve(root, path))))
  const files = [...new Set(found.flat())]
  const written = await writtenPaths(options, files)
  const isWritten = (file: string): boolean => written.some((path) => file === path || file.startsWith(path + sep))
  const own = files.filter((file) => !isWritten(file) && !file.split(sep).includes('.content-space'))
  return own.map((file) => relative(root, file).replaceAll('\\', '/')).toSorted(compareStrings)
}

/** Returns absolute paths. */
async function filesIn(path: string): Promise<string[]> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new ContentSpaceError('invalidOption', `${path} does not exist.`)
  if (stats.isFile()) return [path]
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const listed = await promisify(execFile)('git', args, { cwd: path, maxBuffer }).then(
    ({ stdout }) => stdout.split('\0').filter(Boolean),
    // There is no Git, or no repository.
    () => undefined,
  )
  if (listed) return listed.map((file) => join(path, file)).filter(isPlainFile)
  const ignore = [`**/{${outputFolders.join()}}/**`]
  return (await fastGlob('**/*', { cwd: path, ignore, followSymbolicLinks: false, suppressErrors: true })).map((file) =>
    join(path, file),
  )
}

/** Git also lists links, modules, and files that were deleted. */
function isPlainFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** Returns the files that this package writes, and the folders in which all files are from a space. */
async function writtenPaths(options: ResolvedOptions, files: readonly string[]): Promise<string[]> {
  const { root, space, lockfile, types, cacheDir, tokens } = options
  const folders = files.map(async (file) => {
    const name = file.slice(file.lastIndexOf(sep) + 1)
    if (name === manifestName) return isManifest(await readText(file)) ? [dirname(file)] : []
    return spaceNames.includes(name) ? [dirname(file)] : []
  })
  return [
    ...('folder' in space ? [space.folder] : []),
    ...(lockfile === false ? [] : [lockfile]),
    ...(types === false ? [] : [types]),
    ...tokens.map(({ file }) => file),
    ...(await Promise.all(folders)).flat(),
    // A project may keep its cache in a folder of its own, but not the other way around.
    ...(existsSync(cacheDir) && !root.startsWith(cacheDir + sep) ? [cacheDir] : []),
  ]
}

function isManifest(text = ''): boolean {
  const value = jsonObjectOf(text) ?? {}
  return 'manifestVersion' in value && 'written' in value
}
