import { hash } from 'node:crypto'
import { lstatSync, readFileSync, writeFileSync, type Stats } from 'node:fs'
import { mkdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { ContentSpaceError } from '../errors.js'
import { once } from '../once.js'

/** `sha256-…`, as Subresource Integrity spells it. */
export function hashOf(data: string | Uint8Array): string {
  return `sha256-${hash('sha256', data, 'base64')}`
}

/** What `Folder.look` gives for a link, a folder, and whatever lies behind a link: no hash is equal to it. */
const noFile = 'no plain file'

/** Bytes. Less is read and written sooner than another thread would begin to. */
const small = 64 * 1024

/** The files of one folder, by paths that are relative to it, with forward slashes. No link in it is followed. */
export interface Folder {
  readonly path: string
  /** Whether there may be anything in it, and others may look. */
  readonly live: boolean
  /** The `sha256-…` of a file; undefined where nothing is. */
  look(this: void, path: string): Promise<string | undefined>
  /**
   * @param aside absolute path on the same file system: where the file is written until it is whole
   * @throws ContentSpaceError `fileSystem`
   */
  write(this: void, path: string, data: string | Uint8Array, aside?: string): Promise<void>
  /** Removes a file, and the folders that are empty then. */
  remove(this: void, path: string): Promise<void>
}

/** @param live false for a folder that is new, and that nobody knows */
export function openFolder(root: string, live: boolean): Folder {
  /** Makes each folder on the way. */
  const made = once(async (path): Promise<void> => {
    if (path === '.') return void (await mkdir(root, { recursive: true }))
    await made.get(posix.dirname(path))
    await mkdir(join(root, path)).catch(unless('EEXIST'))
    if (statsOf(join(root, path))?.isDirectory()) return
    throw new ContentSpaceError('fileSystem', `${join(root, path)} is not a folder.`, { hint: 'Remove it, or choose another --out.' })
  })

  const links = new Map<string, boolean>()

  /** Whether a folder is one in name only, or lies in such a one. */
  function isLinked(path: string): boolean {
    if (path === '.') return false
    const known = links.get(path) ?? (statsOf(join(root, path))?.isDirectory() === false || isLinked(posix.dirname(path)))
    links.set(path, known)
    return known
  }

  return {
    path: root,
    live,
    async look(path) {
      if (!live) return undefined
      const file = join(root, path)
      try {
        const stats = statsOf(file)
        if (stats === undefined) return undefined
        if (!stats.isFile() || isLinked(posix.dirname(path))) return noFile
        return hashOf(stats.size < small ? readFileSync(file) : await readFile(file))
      } catch (error) {
        throw fileError(error, file)
      }
    },
    async write(path, data, aside) {
      try {
        await made.get(posix.dirname(path))
        if (aside !== undefined) {
          await writeFile(aside, data, { flush: true })
          await rename(aside, join(root, path))
        } else if (data.length < small) writeFileSync(join(root, path), data, { flag: 'wx' })
        else await writeFile(join(root, path), data, { flag: 'wx' })
      } catch (error) {
        throw fileError(error, join(root, path))
      }
    },
    async remove(path) {
      try {
        await rm(join(root, path), { force: true })
      } catch (error) {
        throw fileError(error, join(root, path))
      }
      for (let parent = posix.dirname(path); parent !== '.'; parent = posix.dirname(parent)) {
        if (!(await rmdir(join(root, parent)).then(() => true, () => false))) return
      }
    },
  }
}

/** Of a link itself. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path)
  } catch (error) {
    return unless('ENOENT', 'ENOTDIR')(error)
  }
}

/** For errors that mean something else than a failure. */
export function unless(...codes: string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined
    throw error
  }
}

export function fileError(cause: unknown, path: string): unknown {
  if (cause instanceof ContentSpaceError || !(cause instanceof Error)) return cause
  const inTheWay = 'code' in cause && cause.code === 'ENOTDIR'
  return new ContentSpaceError('fileSystem', `${path} could not be read or written: ${cause.message}`, {
    hint: inTheWay ? 'A file stands where a folder is wanted: choose another --out.' : 'Check free space and permissions.',
    cause,
  })
}
