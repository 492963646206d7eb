import { lstat, mkdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import glob from 'fast-glob'
import * as v from 'valibot'
import { withStagedFolder } from '../../disk/atomic-folder.js'
import { copyContent, hashFile, isDamageError, type Content } from '../../disk/content.js'
import { fileError } from '../../disk/file-error.js'
import { createFileLimiter } from '../../disk/open-files.js'
import { ContentSpaceError } from '../../errors.js'
import { compareStrings } from '../../text/compare.js'
import { shortList } from '../../text/short-list.js'

/** The file that marks a folder as a mirror and lists its files. It is not part of the space. */
const manifestName = 'mirror.json'
const manifest = v.object({ mirror: v.literal(1), files: v.array(v.string()) })

/** A mirror that is being written. Nothing of it is visible until it is published. */
export interface MirrorFolder {
  /**
   * Writes a file and flushes it to the disk.
   * @param path relative to the folder, with forward slashes
   * @returns the md5 of content, in hexadecimal; undefined for a text
   * @throws ContentSpaceError `fileSystem`; a damage error for content that does not match its hash
   */
  write(this: void, path: string, data: string | Content): Promise<string | undefined>
  /** Replaces the earlier mirror. @returns whether any file differs from it */
  publish(this: void): Promise<boolean>
}

/**
 * Writes a mirror to a folder that does not exist, is empty, or is an earlier mirror without other files. Unless the
 * work publishes it, the folder stays as it was.
 * @param out absolute path
 * @throws ContentSpaceError `invalidOption` for any other folder; `fileSystem`
 */
export async function withMirrorFolder<T>(out: string, work: (folder: MirrorFolder) => Promise<T>): Promise<T> {
  const target = await realpath(out).catch(() => out)
  await checkTarget(out, target)
  return withStagedFolder(target, 'mirror', (staged) => {
    const gate = createFileLimiter()
    const files = new Set<string>()

    async function write(path: string, data: string | Content): Promise<string | undefined> {
      const file = join(staged.path, path)
      try {
        await mkdir(dirname(file), { recursive: true })
        if (typeof data !== 'string') return await gate(() => copyContent(data, file, { flush: true, also: 'md5' }))
        await gate(() => writeFile(file, data, { flush: true }))
        return undefined
      } catch (error) {
        throw isDamageError(error) ? error : fileError(error, join(out, path))
      }
    }

    return work({
      write(path, data) {
        files.add(path)
        return write(path, data)
      },
      async publish() {
        const list = { mirror: 1, files: [...files].toSorted(compareStrings) }
        await write(manifestName, `${JSON.stringify(list, null, 2)}\n`)
        if (await haveSameFiles(staged.path, target, [...list.files, manifestName])) return false
        await staged.replace()
        return true
      },
    })
  })
}

async function checkTarget(out: string, target: string): Promise<void> {
  const stats = await lstat(target).catch(() => undefined)
  if (stats === undefined) return
  if (!stats.isDirectory()) throw notAMirror(`${out} is not a folder.`)
  const found = await glob('**', { cwd: target, dot: true })
  if (found.length === 0) return
  const known = await readManifest(target)
  if (known === undefined) throw notAMirror(`${out} is not empty and is not a mirror.`)
  const foreign = found.filter((path) => path !== manifestName && !known.includes(path))
  if (foreign.length === 0) return
  throw new ContentSpaceError(
    'invalidOption',
    `${out} contains files that are not part of the mirror: ${shortList(foreign)}.`,
    { hint: 'A mirror is replaced as a whole. Move these files elsewhere, or choose another --out.' },
  )
}

function notAMirror(message: string): ContentSpaceError {
  return new ContentSpaceError('invalidOption', message, {
    hint: 'Choose a folder that does not exist, is empty, or was written by `content-space mirror`.',
  })
}

async function readManifest(folder: string): Promise<string[] | undefined> {
  try {
    return v.parse(manifest, JSON.parse(await readFile(join(folder, manifestName), 'utf8'))).files
  } catch {
    return undefined
  }
}

async function haveSameFiles(a: string, b: string, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const [one, other] = await Promise.all([a, b].map((folder) => hashFile(join(folder, path)).catch(() => undefined)))
    if (one === undefined || one !== other) return false
  }
  return true
}
