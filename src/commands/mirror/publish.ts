import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import glob from 'fast-glob'
import * as v from 'valibot'
import { ContentSpaceError } from '../../errors.js'
import { copyContent, hashFile, isDamageError, type Content } from '../../disk/content.js'
import { createFileLimiter } from '../../disk/open-files.js'
import { compareStrings } from '../../text/compare.js'
import { fileError } from '../../disk/folder.js'
import { isAbandoned, keepAlive, ownerTag, thisProcess } from '../../disk/process.js'

/** What a mirror is known by, and what it wrote; it lies beside `space.json` and is no part of the space. */
const manifestName = 'mirror.json'
const manifest = v.object({ mirror: v.literal(1), files: v.array(v.string()) })

/** A folder that is made beside its place, and takes it with one rename. */
export interface Stage {
  /**
   * @param path in the folder, with slashes
   * @returns the md5 of content, in hexadecimal
   * @throws ContentSpaceError `fileSystem`; a damage error for content that is not what its hash says
   */
  write(path: string, content: string | Content): Promise<string | undefined>
  /** @returns whether the place holds anything else now than before */
  publish(): Promise<boolean>
  /** Leaves the place as it was. */
  discard(): Promise<void>
}

/**
 * Opens a stage for a folder that does not exist, is empty, or is a mirror that nobody put anything into.
 * @param out absolute path
 * @throws ContentSpaceError `invalidOption` for any other folder; `fileSystem`
 */
export async function openStage(out: string): Promise<Stage> {
  const place = await realpath(out).catch(() => out)
  await checkPlace(out, place)
  const parent = dirname(place)
  const stage = join(parent, `${prefixOf(place)}${ownerTag(thisProcess())}-${randomUUID().slice(0, 8)}`)
  await writable(place, async () => {
    await mkdir(parent, { recursive: true })
    await sweep(place)
    await mkdir(stage)
  })
  const beat = keepAlive(stage)
  const gate = createFileLimiter()
  const files = new Set<string>()

  return {
    async write(path, content) {
      files.add(path)
      const file = join(stage, path)
      return writable(join(out, path), async () => {
        await mkdir(dirname(file), { recursive: true })
        if (typeof content !== 'string') return gate(() => copyContent(content, file, { flush: true, also: 'md5' }))
        await gate(() => writeFile(file, content, { flush: true }))
        return undefined
      })
    },
    async publish() {
      beat.stop()
      const list = { mirror: 1, files: [...files].toSorted(compareStrings) }
      await writable(place, () =>
        writeFile(join(stage, manifestName), `${JSON.stringify(list, null, 2)}\n`, { flush: true }),
      )
      if (await sameFiles(stage, place, [...list.files, manifestName])) {
        await rm(stage, { recursive: true })
        return false
      }
      await exchange(stage, place)
      return true
    },
    async discard() {
      beat.stop()
      await rm(stage, { recursive: true, force: true })
    },
  }
}

/** What is written is not shown before it is whole on the disk, and what fails there is said as it is. */
async function writable<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isDamageError(error) ? error : fileError(error, path)
  }
}

async function checkPlace(out: string, place: string): Promise<void> {
  const facts = await lstat(place).catch(() => undefined)
  if (facts === undefined) return
  const found = facts.isDirectory() ? await glob('**', { cwd: place, dot: true }) : undefined
  if (found?.length === 0) return
  const known = found && (await readManifest(place))
  if (found === undefined || known === undefined) {
    throw new ContentSpaceError('invalidOption', `${out} ${found ? 'is not empty, and no mirror' : 'is no folder'}.`, {
      hint: 'Name a folder that does not exist, is empty, or was written by `content-space mirror`.',
    })
  }
  const foreign = found.filter((path) => path !== manifestName && !known.includes(path)).toSorted(compareStrings)
  if (foreign.length === 0) return
  const shown = foreign.slice(0, 3).join(', ') + (foreign.length > 3 ? ` and ${foreign.length - 3} more` : '')
  throw new ContentSpaceError('invalidOption', `${out} holds what no mirror wrote: ${shown}.`, {
    hint: 'A mirror is replaced whole: move these files elsewhere, or name another folder.',
  })
}

async function readManifest(place: string): Promise<string[] | undefined> {
  try {
    return v.parse(manifest, JSON.parse(await readFile(join(place, manifestName), 'utf8'))).files
  } catch {
    return undefined
  }
}

async function sameFiles(a: string, b: string, paths: string[]): Promise<boolean> {
  for (const path of paths) {
    const [one, other] = await Promise.all([a, b].map((folder) => hashFile(join(folder, path)).catch(() => undefined)))
    if (one === undefined || one !== other) return false
  }
  return true
}

async function exchange(stage: string, place: string): Promise<void> {
  const old = `${stage}-old`
  const moved = await rmdir(place).then(
    () => false,
    () =>
      rename(place, old).then(
        () => true,
        () => false,
      ),
  )
  try {
    await rename(stage, place)
  } catch (cause) {
    if (moved) await rename(old, place)
    throw new ContentSpaceError('fileSystem', `${place} cannot be written.`, { cause })
  }
  await rm(old, { recursive: true, force: true })
}

function prefixOf(place: string): string {
  return `.${basename(place)}.mirror-`
}

/** What a run left behind that was ended halfway; a mirror that it had moved aside goes back to its place. */
async function sweep(place: string): Promise<void> {
  const [parent, prefix] = [dirname(place), prefixOf(place)]
  const left = (await readdir(parent)).filter(
    (name) => name.startsWith(prefix) && isAbandoned(join(parent, name), name.slice(prefix.length)),
  )
  for (const name of left.filter((one) => one.endsWith('-old')))
    await rename(join(parent, name), place).catch(() => undefined)
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })))
}
