import { lstat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import glob from 'fast-glob'
import * as v from 'valibot'
import { realFolder, withStagedFolder } from '../disk/atomic-folder.js'
import { copyContent, hashFile, isDamageError, type Content } from '../disk/content.js'
import { fileError } from '../disk/file-error.js'
import { makeFolder } from '../disk/make-folder.js'
import { createFileLimiter } from '../disk/open-files.js'
import { readRegularFile } from '../disk/read-file.js'
import { ContentSpaceError } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import { shortList } from '../text/short-list.js'

/** A kind of folder that a command writes and replaces as a whole. */
export interface FolderKind {
  command: 'mirror' | 'browse'
  /** `mirror`. The file `mirror.json` marks such a folder, and lists its files. */
  name: string
  /** How messages refer to it: `mirror`. */
  label: string
  /** What wrote it: `content-space mirror`. */
  writer: string
}

const manifest = v.object({ files: v.array(v.string()) })

/** A folder that is being written. Nothing of it is visible until it is published. */
export interface WrittenFolder {
  /**
   * Writes a file and flushes it to the disk.
   * @param path relative to the folder, with forward slashes
   * @returns the md5 of content, in hexadecimal; undefined for a text or bytes
   * @throws ContentSpaceError `fileSystem`; a damage error for content that does not match its hash
   */
  write(this: void, path: string, data: string | Uint8Array | Content): Promise<string | undefined>
  /** Replaces the earlier folder. @returns whether any file differs from it */
  publish(this: void): Promise<boolean>
}

/**
 * Writes to a folder that does not exist, is empty, or was written by the same command and has no other files. Unless
 * the work publishes it, the folder stays as it was.
 * @param out absolute path
 * @throws ContentSpaceError `invalidOption` for any other folder; `fileSystem`
 */
export async function withWrittenFolder<T>(
  out: string,
  kind: FolderKind,
  work: (folder: WrittenFolder) => Promise<T>,
): Promise<T> {
  const target = await realFolder(out)
  const manifestName = `${kind.name}.json`
  await checkTarget(out, target, kind)
  return withStagedFolder(target, kind.command, (staged) => {
    const gate = createFileLimiter()
    const files = new Set<string>()

    async function write(path: string, data: string | Uint8Array | Content): Promise<string | undefined> {
      const file = join(staged.path, path)
      try {
        makeFolder(dirname(file))
        if (typeof data !== 'string' && !(data instanceof Uint8Array))
          return await gate(() => copyContent(data, file, { flush: true, also: 'md5' }))
        await gate(() => writeFile(file, data, { flush: true }))
        return undefined
      } catch (error) {
        throw isDamageError(error) ? error : fileError(error, join(out, path), '--out')
      }
    }

    return work({
      write(path, data) {
        files.add(path)
        return write(path, data)
      },
      async publish() {
        const list = { [kind.name]: 1, files: [...files].toSorted(compareStrings) }
        await write(manifestName, `${JSON.stringify(list, null, 2)}\n`)
        if (await haveSameFiles(staged.path, target, [...list.files, manifestName])) return false
        await staged.replace()
        return true
      },
    })
  })
}

async function checkTarget(out: string, target: string, kind: FolderKind): Promise<void> {
  const { label } = kind
  const manifestName = `${kind.name}.json`
  const stats = await lstat(target).catch(() => undefined)
  if (stats === undefined) return
  if (!stats.isDirectory()) throw notWritten(`${out} is not a folder.`, kind)
  const found = await glob('**', { cwd: target, dot: true })
  if (found.length === 0) return
  const known = await readManifest(target, kind)
  if (known === undefined) throw notWritten(`${out} is not empty and is not a ${label}.`, kind)
  const foreign = found.filter((path) => path !== manifestName && !known.includes(path))
  if (foreign.length === 0) return
  throw new ContentSpaceError(
    'invalidOption',
    `${out} contains files that are not part of the ${label}: ${shortList(foreign)}.`,
    { hint: `A ${label} is replaced as a whole. Move these files elsewhere, or choose another --out.` },
  )
}

function notWritten(message: string, { writer }: FolderKind): ContentSpaceError {
  return new ContentSpaceError('invalidOption', message, {
    hint: `Choose a folder that does not exist, is empty, or was written by \`${writer}\`.`,
  })
}

async function readManifest(folder: string, { name }: FolderKind): Promise<string[] | undefined> {
  try {
    const read: unknown = JSON.parse((await readRegularFile(join(folder, `${name}.json`))).toString())
    return v.parse(v.object({ ...manifest.entries, [name]: v.literal(1) }), read).files
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
