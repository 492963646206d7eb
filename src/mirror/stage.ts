import { randomUUID } from 'node:crypto'
import { lstat, mkdir, readdir, readFile, realpath, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import glob from 'fast-glob'
import * as v from 'valibot'
import { ContentSpaceError } from '../errors.js'
import { order } from '../order.js'
import { isRunning } from '../running.js'

/** What a mirror is known by, and what it wrote; it lies beside `space.json` and is no part of the space. */
const manifestName = 'mirror.json'
const manifest = v.object({ mirror: v.literal(1), files: v.array(v.string()) })

/** A folder that is made beside its place, and takes it with one rename. */
export interface Stage {
  /** @param path in the folder, with slashes */
  write(path: string, content: string | Uint8Array): Promise<void>
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
  await mkdir(parent, { recursive: true })
  await sweep(place)
  const stage = join(parent, `${prefixOf(place)}${process.pid}-${randomUUID().slice(0, 8)}`)
  await mkdir(stage)
  const files = new Set<string>()

  return {
    async write(path, content) {
      files.add(path)
      await mkdir(dirname(join(stage, path)), { recursive: true })
      await writeFile(join(stage, path), content)
    },
    async publish() {
      const list = { mirror: 1, files: [...files].toSorted(order) }
      await writeFile(join(stage, manifestName), `${JSON.stringify(list, null, 2)}\n`)
      if (await sameFiles(stage, place, [...list.files, manifestName])) {
        await rm(stage, { recursive: true })
        return false
      }
      await exchange(stage, place)
      return true
    },
    discard: () => rm(stage, { recursive: true, force: true }),
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
  const foreign = found.filter((path) => path !== manifestName && !known.includes(path)).toSorted(order)
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
    const [one, other] = await Promise.all([a, b].map((folder) => readFile(join(folder, path)).catch(() => undefined)))
    if (!one || !other || !one.equals(other)) return false
  }
  return true
}

async function exchange(stage: string, place: string): Promise<void> {
  const old = `${stage}-old`
  const moved = await rmdir(place).then(() => false, () => rename(place, old).then(() => true, () => false))
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
  const left = (await readdir(parent)).filter((name) => name.startsWith(prefix) && !isRunning(Number.parseInt(name.slice(prefix.length), 10)))
  for (const name of left.filter((one) => one.endsWith('-old'))) await rename(join(parent, name), place).catch(() => undefined)
  await Promise.all(left.map((name) => rm(join(parent, name), { recursive: true, force: true })))
}
