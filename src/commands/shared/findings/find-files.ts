import { existsSync, statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import fastGlob from 'fast-glob'
import ignore, { type Ignore } from 'ignore'
import type { ResolvedOptions } from '../../../config/options.js'
import { manifestName } from '../../../disk/folder-policy.js'
import { ignoreErrno } from '../../../disk/file-error.js'
import { git } from '../../../disk/git.js'
import { readText } from '../../../disk/replace-file.js'
import { ContentSpaceError } from '../../../errors.js'
import { outputFolders } from '../../../source/source-files.js'
import { locationsOf } from '../../../space/places.js'
import { compareStrings } from '../../../text/compare.js'
import { isObject, jsonObjectOf } from '../../../text/json.js'
import { didYouMean } from '../../../text/nearest.js'

/**
 * Finds the files of a project: files that Git tracks or would add, or without Git all files except packages and
 * output. Skips files that this package writes, and the folders of spaces.
 * @param paths files and folders. Default: the root of the project
 * @returns paths relative to the root, with forward slashes, sorted
 * @throws ContentSpaceError `invalidOption` for a path that doesn't exist
 */
export async function findProjectFiles(options: ResolvedOptions, paths: readonly string[]): Promise<string[]> {
  const { root } = options
  const found = await Promise.all((paths.length > 0 ? paths : [root]).map((path) => filesIn(resolve(root, path), root)))
  const files = [...new Set(found.flat())]
  const written = await writtenPaths(options, files)
  const isWritten = (file: string): boolean => written.some((path) => file === path || file.startsWith(path + sep))
  const own = files.filter((file) => !isWritten(file) && !file.split(sep).includes('.content-space'))
  return own.map((file) => relative(root, file).replaceAll('\\', '/')).toSorted(compareStrings)
}

/** Returns absolute paths. */
async function filesIn(path: string, root: string): Promise<string[]> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) {
    const hint = didYouMean(basename(path), await fastGlob('*', { cwd: dirname(path), onlyFiles: false }))
    throw new ContentSpaceError('invalidOption', `${path} does not exist.`, { hint })
  }
  if (stats.isFile()) return [path]
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', '-z']
  const listed = await git(path, ...args).then(
    // Git also lists links, submodules, and deleted files.
    (stdout) => stdout.split('\0').filter((file) => statSync(join(path, file), { throwIfNoEntry: false })?.isFile()),
    // Git isn't installed, or this isn't a repository.
    () => undefined,
  )
  return listed?.map((file) => join(path, file)) ?? unignored(path, root)
}

/** Finds the files of a folder outside a repository, except files that the project's ignore files exclude. */
async function unignored(folder: string, root: string): Promise<string[]> {
  const isInside = `${folder}${sep}`.startsWith(`${root}${sep}`)
  const top = isInside ? root : folder
  const wanted = relative(top, folder)
    .replaceAll('\\', '/')
    .replace(/(?<=.)$/, '/')
  const found: string[] = []
  async function search(path: string, rules: readonly Rules[]): Promise<void> {
    const entries = (await readdir(join(top, path), { withFileTypes: true }).catch(ignoreErrno(...unreadable))) ?? []
    const own = entries.some((one) => one.isFile() && one.name === '.gitignore')
    const text = own ? await readText(join(top, path, '.gitignore')) : undefined
    const all = text === undefined ? rules : [{ path, matcher: ignore().add(text) }, ...rules]
    for (const entry of entries) {
      const { name } = entry
      const isFolder = entry.isDirectory()
      if (name.startsWith('.') || (isFolder && outputFolders.includes(name)) || !(isFolder || entry.isFile())) continue
      const inner = `${path}${name}${isFolder ? '/' : ''}`
      const isWanted = inner.startsWith(wanted) || (isFolder && wanted.startsWith(inner))
      if (!isWanted || isIgnored(inner, all)) continue
      if (isFolder) await search(inner, all)
      else found.push(join(top, inner))
    }
  }
  await search('', [])
  return found
}

const unreadable = ['ENOENT', 'EACCES', 'EPERM']

/** The rules of an ignore file. */
interface Rules {
  /** The folder of the file, with a trailing slash, or empty. */
  path: string
  matcher: Ignore
}

/** Checks whether a file is ignored. The nearest ignore file with a matching rule decides. */
function isIgnored(path: string, rules: readonly Rules[]): boolean {
  for (const { path: base, matcher } of rules) {
    const { ignored, unignored: included } = matcher.test(path.slice(base.length))
    if (ignored || included) return ignored
  }
  return false
}

/** Returns the files that this package writes, and the folders that contain only files of a space. */
async function writtenPaths(options: ResolvedOptions, files: readonly string[]): Promise<string[]> {
  const { root, lockfile, types, cacheDir, tokens } = options
  const folders = files.map(async (file) => {
    const [name, folder] = [basename(file), dirname(file)]
    if (name === manifestName && folder !== root) return (await writtenIn(file)) ? [folder] : []
    // The root and the folder of application icons contain other files, too.
    if (name === manifestName || name.endsWith('.webmanifest'))
      return Object.keys((await writtenIn(file)) ?? {}).map((one) => join(folder, one))
    const isSpace =
      name === 'space.json' && files.some((one) => basename(one) === 'kit.json' && dirname(dirname(one)) === folder)
    const [, kind = ''] = /^(site|mirror)\.json$/.exec(name) ?? []
    const list = kind === '' ? undefined : jsonObjectOf((await readText(file)) ?? '')
    const isListed = list?.[kind] === 1 && Array.isArray(list['files'])
    return (isSpace || isListed) && folder !== root ? [folder] : []
  })
  // The file contains the URLs of its fonts. Their folder may contain other files, too.
  const ofTokens = tokens.map(async ({ file, fonts }) => {
    const text = (fonts && (await readText(file))) ?? ''
    return [file, ...files.filter((path) => dirname(path) === fonts && text.includes(`/${basename(path)}`))]
  })
  return [
    ...locationsOf(options).flatMap((place) => ('folder' in place ? [place.folder] : [])),
    ...[lockfile, types].filter((path) => path !== false),
    ...(await Promise.all([...ofTokens, ...folders])).flat(),
    // A project may have a separate folder for its cache, but must not itself be in the cache.
    ...(existsSync(cacheDir) && !root.startsWith(cacheDir + sep) ? [cacheDir] : []),
  ]
}

/** Returns the files that a manifest of this package lists, by path. Returns undefined for any other file. */
async function writtenIn(manifest: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { manifestVersion, written } = jsonObjectOf((await readText(manifest)) ?? '') ?? {}
  return manifestVersion !== undefined && isObject(written) ? written : undefined
}
