import { lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import { attempt } from '../async/attempt.js'
import { userCacheDir } from './user-cache.js'

/** The functions of Node 22.8 and later. */
type CompileCache = Partial<
  Record<'enableCompileCache' | 'getCompileCacheDir', (folder?: string) => string | undefined>
>

/**
 * Makes Node keep the compiled code of this process for later processes, unless the process already keeps it elsewhere.
 * Does nothing in Node before 22.8. Call it before loading the code.
 */
export function keepCompiledCode(): void {
  const { enableCompileCache, getCompileCacheDir }: CompileCache = Object(module)
  if (enableCompileCache === undefined || getCompileCacheDir?.() !== undefined) return
  const folder = compiledCodeFolder()
  if (folder !== undefined) enableCompileCache(folder)
}

/**
 * Creates the folder for compiled code and returns its path. Node runs the code in it unchecked, so the folder isn't in
 * `cacheDir`, which CI may restore, and must belong to this user alone.
 * @returns undefined if other users can access the folder, if the system can't tell whether they can, or if the user
 *   has turned off Node's compile cache
 */
export function compiledCodeFolder(env = process.env, uid = process.getuid?.()): string | undefined {
  const parent = env['NODE_DISABLE_COMPILE_CACHE'] ? undefined : userCacheDir(env)
  if (parent === undefined) return undefined
  const folder = `${parent}-code`
  attempt(() => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  const stats = attempt(() => lstatSync(folder))
  const isOwn = stats?.isDirectory() === true && stats.uid === uid && (stats.mode & 0o077) === 0
  return isOwn ? folder : undefined
}
