import { existsSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { attempt } from '../async/attempt.js'
import { readRegularFileSync } from '../disk/read-file.js'
import { statsOf } from '../disk/stats.js'
import type { Host } from './options.js'
import { ContentSpaceError } from '../errors.js'

type Environment = NonNullable<Host['env']>

/** The locations of a project's files. */
export interface ProjectPlace {
  /** Absolute path where the search started. */
  start: string
  /**
   * The folder of the configuration file, or without one, the folder where the search started. The lockfile, the
   * declarations, the source and relative paths in options are relative to this folder.
   */
  root: string
  configFile: string | undefined
  /** The folders that were searched for the configuration file. Empty if its path was given. */
  searched: readonly string[]
}

export const configNames = ['ts', 'js', 'mjs', 'json', 'mts', 'cts', 'cjs'].map(
  (extension) => `content-space.config.${extension}`,
)

/**
 * Finds the configuration file of a project, `content-space.config.{ts,mts,cts,js,mjs,cjs,json}`. Bundlers often run in
 * a folder of the project, such as `app` or `docs`, so the search continues upwards to the nearest folder with a
 * `package.json`, and on to the root of the workspace. Without a `package.json`, only `start` is searched.
 * @param start absolute path: the root of the bundler, or the working directory
 * @param config path of the file, relative to `start`, instead of searching for it; default: `CONTENT_SPACE_CONFIG`
 */
export function findProject(start: string, config?: string, env: Environment = process.env): ProjectPlace {
  const named = config ?? (env['CONTENT_SPACE_CONFIG'] || undefined)
  if (named !== undefined) {
    const configFile = resolve(start, named)
    return { start, root: dirname(configFile), configFile, searched: [] }
  }
  const searched = foldersOf(start)
  const files = searched.flatMap((folder) => configNames.map((name) => join(folder, name)))
  // A broken link counts as found, so that reading it is an error.
  const configFile = files.find((file) => attempt(() => statsOf(file)))
  return { start, root: configFile === undefined ? start : dirname(configFile), configFile, searched }
}

/** Returns a warning about configuration files that are ignored, because the same folder contains another one. */
export function otherConfigs({ root, configFile, searched }: ProjectPlace): string[] {
  const others = configNames.filter((name) => configFile !== join(root, name) && existsSync(join(root, name)))
  if (configFile === undefined || searched.length === 0 || others.length === 0) return []
  return [`${basename(configFile)} is the configuration, so ${others.join(', ')} in the same folder is not read.`]
}

/**
 * Rejects files of a project that belong to another user, if a search found them. Trusts a file whose path was given.
 * @param environment the files that `readEnvironment` reads
 * @throws ContentSpaceError `invalidOption`
 */
export function requireOwners(
  { start, configFile, searched }: ProjectPlace,
  environment: readonly string[] = [],
): void {
  const isFound = searched.length > 0
  const named = configFile === undefined ? [] : [configFile]
  const chosen = isFound ? [start] : [start, ...named]
  const found = [...(isFound ? named : []), ...environment.filter((file) => existsSync(file))]
  for (const file of found) requireOwner(file, { chosen })
}

/** Returns whether a folder belongs to a project: it is in a package, or has a configuration file or a lockfile. */
export function isInProject(start: string, config: string | undefined, env: Environment): boolean {
  if (findProject(start, config, env).configFile !== undefined || existsSync(join(start, 'content-space.lock.json')))
    return true
  return ancestors(start).some((folder) => existsSync(join(folder, 'package.json')))
}

/** Returns the folders from `start` to the root of its package or workspace. */
export function foldersOf(start: string): string[] {
  const all = ancestors(start)
  const packageAt = all.findIndex((folder) => existsSync(join(folder, 'package.json')))
  const workspaceAt = all.findIndex((folder, at) => at >= packageAt && isWorkspaceRoot(folder))
  return packageAt === -1 ? [start] : all.slice(0, Math.max(packageAt, workspaceAt) + 1)
}

/** Returns a folder and its parents. */
export function ancestors(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...ancestors(parent)]
}

function isWorkspaceRoot(folder: string): boolean {
  if (existsSync(join(folder, 'pnpm-workspace.yaml'))) return true
  const text = attempt(() => readRegularFileSync(join(folder, 'package.json')).toString())
  return text !== undefined && /"workspaces"\s*:/.test(text)
}

/**
 * Returns the files that may contain options of a project. They may not exist yet.
 * @param host `watchesEnv`: whether the bundler restarts when a file in `envDir` changes
 */
export function filesOfOptions(
  host: Pick<Host, 'root' | 'mode' | 'config' | 'envDir'> & { watchesEnv?: boolean },
): string[] {
  const { root, mode, config, envDir = root, watchesEnv } = host
  const project = findProject(root, config)
  const names = project.searched.flatMap((folder) => configNames.map((name) => join(folder, name)))
  const folders = envDir === false ? [] : [project.root, envDir]
  const own = folders.filter((folder) => !watchesEnv || folder !== envDir)
  return [...(project.configFile === undefined ? [] : [project.configFile]), ...names, ...environmentFiles(own, mode)]
}

/** Returns the paths of the files that `readEnvironment` reads. They may not exist. */
export function environmentFiles(folders: readonly string[], mode: string): string[] {
  const names = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`]
  return [...new Set(folders)].flatMap((folder) => names.map((name) => join(folder, name)))
}

interface Trust {
  /** Files and folders that the user chose, such as the folder in which a command runs. Their owners are trusted. */
  chosen: readonly string[]
  /** The user of this process. Default: the effective user. Undefined on Windows, where nothing is checked. */
  user?: number | undefined
}

/**
 * Rejects a file that a search found and that belongs to another user, because it contains code or determines where the
 * token is sent. Trusts files of this user, of root and of the owners of chosen paths, because in a container, a
 * mounted checkout often belongs entirely to another user, including the folder in which the build runs.
 * @throws ContentSpaceError `invalidOption`
 */
export function requireOwner(file: string, { chosen, user = process.geteuid?.() }: Trust): void {
  if (user === undefined) return
  const trusted = new Set([0, user, ...chosen.flatMap((path) => statSync(path, { throwIfNoEntry: false })?.uid ?? [])])
  // Check both the link and its target, because another user's link may point to any file.
  const owner = [statsOf(file), statSync(file, { throwIfNoEntry: false })]
    .flatMap((stats) => stats?.uid ?? [])
    .find((uid) => !trusted.has(uid))
  if (owner === undefined) return
  throw new ContentSpaceError('invalidOption', `${file} belongs to user ${owner}, so it is not read by user ${user}.`, {
    lines: ['A file of another user could run code, or receive the token.'],
    hint: 'If you trust it, change its owner, or name the configuration file with --config or CONTENT_SPACE_CONFIG.',
  })
}
