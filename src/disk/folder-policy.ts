import { join, posix } from 'node:path'
import glob from 'fast-glob'
import * as v from 'valibot'
import { ContentSpaceError } from '../errors.js'
import { compareStrings } from '../text/compare.js'
import { addTo } from '../text/group-by.js'
import { jsonOf } from '../text/json.js'
import { shortList } from '../text/quantities.js'
import { findRuns } from './atomic-folder.js'
import { contentOf, type Content } from './content.js'
import type { Folder } from './folder.js'
import { readRegularFile } from './read-file.js'
import { statsOf } from './stats.js'

export interface WrittenFile {
  /** `sha256-…` */
  sha256: string
  /** Identifies the inputs of the file. Undefined if the content is made again each time. */
  revision?: string | undefined
}

/** Files by path, relative to the folder, with forward slashes. */
export type WrittenFiles = ReadonlyMap<string, WrittenFile>

/** The files of a folder that a command may replace and remove. */
export type FolderPolicy =
  | { owns: 'all'; command: string }
  /** The folder as a whole, if its manifest lists all files. */
  | ListedFolder
  /** Files that still have the hash in the manifest. Files that the user has changed are kept. */
  | {
      owns: 'unchanged'
      command: string
      manifest: string
      /** Every file that the run will write, apart from the manifest. */
      paths: readonly string[]
      /** Returns the manifest, which contains the files of the folder as `written`. */
      describe: (written: WrittenFiles) => Uint8Array
    }

interface ListedFolder {
  owns: 'listed'
  command: string
  /** The file that marks an owned folder and lists its files: `mirror.json`. */
  manifest: string
  /** How messages refer to it: `mirror`. */
  label: string
}

/** The file of a pulled folder that describes the kit and lists everything that `pull` wrote. */
export const manifestName = 'manifest.json'

/** Returns the prefix of the folders that runs create inside the folder that they write. */
export function runPrefix({ command }: Pick<FolderPolicy, 'command'>): string {
  return `.content-space-${command}-`
}

/**
 * Inspects a folder before a run. Finds the files of earlier runs that the command may replace and remove.
 * @param isNew whether the folder is missing or empty
 * @throws ContentSpaceError `fileSystem` if the run would overwrite files that the command didn't write
 */
export async function inspectFolder(folder: Folder, policy: FolderPolicy, isNew: boolean, signal: AbortSignal) {
  /** `sha256-…` of the files of the policy that exist, by path. */
  const hashes = new Map<string, string>()
  const owned = new Map<string, WrittenFile[]>()
  let others: string[] = []
  if (!isNew && policy.owns === 'all') {
    const found = await glob('**', { cwd: folder.path, dot: true, followSymbolicLinks: false })
    for (const path of found) if (!path.startsWith(runPrefix(policy))) owned.set(path, [])
  }
  if (!isNew && policy.owns === 'unchanged') {
    const { command, manifest, paths } = policy
    for (const path of paths) {
      signal.throwIfAborted()
      const hash = await folder.hash(path)
      if (hash !== undefined) hashes.set(path, hash)
    }
    // Read this after the files. If another run writes a file in between, the manifest in that run's own folder lists
    // it or, once that run has finished, the folder's manifest does.
    const { runs } = await findRuns(join(folder.path, runPrefix(policy)))
    const none: WrittenFiles = new Map()
    const read = await Promise.all(runs.map((run) => readWritten(run, manifest, command).catch(() => none)))
    for (const written of [...read, await readWritten(folder.path, manifest, command)])
      for (const [path, file] of written) addTo(owned, path, file)
    const foreign = [...hashes.keys()].filter((path) => !owned.has(path))
    if (foreign.length > 0) {
      const message = `${folder.path} contains files that ${command} would overwrite but did not write`
      throw new ContentSpaceError('fileSystem', `${message}: ${shortList(foreign)}.`, {
        hint: 'Nothing was changed. Move these files, or choose another --out.',
      })
    }
    others = await filesBeside(folder.path, [...owned.keys(), manifest])
  }
  /** The files that runs have written to a path or were about to write. The last finished run comes last. */
  const earlier = (path: string): readonly WrittenFile[] => owned.get(path) ?? []
  return {
    hashes,
    /** For policy `unchanged`: the other files, as `filesBeside` returns them. */
    others,
    paths: [...owned.keys()],
    earlier,
    isOwned: async (path: string, hash: string) =>
      policy.owns === 'all' || earlier(path).some(({ sha256 }) => sha256 === hash) || folder.isBlank(path),
  }
}

/**
 * Returns the files of a folder that aren't among `own`, sorted. Omits hidden files, and folders that are separate
 * packages.
 */
export async function filesBeside(folder: string, own: readonly string[]): Promise<string[]> {
  const known = new Set(own)
  const found = await glob('**', { cwd: folder, followSymbolicLinks: false, ignore: ['**/node_modules/**'] })
  const packages = found.filter((path) => path.endsWith('/package.json')).map((path) => posix.dirname(path))
  const isIn = (path: string) => packages.some((one) => path.startsWith(`${one}/`))
  return found.filter((path) => !known.has(path) && !isIn(path)).toSorted(compareStrings)
}

const sha256 = v.pipe(v.string(), v.regex(/^sha256-[A-Za-z0-9+/]{43}=$/))

/**
 * Rejects paths outside the folder, because a command removes listed files, and anyone may have edited the manifest.
 */
const isInside = (path: string) => path.split('/').every((part) => part !== '' && !/^\.|[\\:\0]/.test(part))
const pathInside = v.pipe(v.string(), v.check(isInside, 'a path inside the folder'))

const hashes = v.looseObject({
  manifestVersion: v.literal(1),
  written: v.record(pathInside, v.object({ sha256, revision: v.optional(v.string()) })),
})

/**
 * Reads the manifest of a folder whose files have hashes. Returns an empty map if the folder doesn't have a readable
 * manifest.
 * @throws ContentSpaceError `fileSystem` for a manifest of another program, or with a path outside the folder
 */
async function readWritten(folder: string, name: string, command: string): Promise<WrittenFiles> {
  const file = join(folder, name)
  const bytes = await readRegularFile(file).catch(() => undefined)
  if (bytes === undefined) return new Map()
  try {
    return new Map(Object.entries(v.parse(hashes, JSON.parse(bytes.toString())).written))
  } catch (cause) {
    const reason = cause instanceof v.ValiError ? `: ${cause.message}` : ''
    const message = `${file} is not a manifest that this version of ${command} wrote${reason}.`
    throw new ContentSpaceError('fileSystem', message, { hint: 'Choose another --out, or remove the file.', cause })
  }
}

export function manifestOf(policy: FolderPolicy, files: WrittenFiles): Content | undefined {
  if (policy.owns === 'all') return undefined
  if (policy.owns === 'unchanged') return contentOf(policy.describe(files))
  const list = { [keyOfManifest(policy.manifest)]: 1, files: [...files.keys()].toSorted(compareStrings) }
  return contentOf(`${JSON.stringify(list, null, 2)}\n`)
}

function keyOfManifest(manifest: string): string {
  return manifest.replace(/\.json$/, '')
}

/**
 * Rejects a non-empty folder if the command didn't write it or if it contains other files.
 * @param out how messages refer to it
 * @throws ContentSpaceError `invalidOption`
 */
export async function checkListed(out: string, target: string, kind: ListedFolder): Promise<void> {
  const { command, manifest, label } = kind
  const stats = statsOf(target)
  if (stats === undefined) return
  const found = stats.isDirectory() ? await glob('**', { cwd: target, dot: true }) : [target]
  if (found.length === 0) return
  const known = await readList(join(target, manifest), keyOfManifest(manifest))
  if (known === undefined) {
    const problem = stats.isDirectory() ? `is not empty and is not a ${label}` : 'is not a folder'
    throw new ContentSpaceError('invalidOption', `${out} ${problem}.`, {
      hint: `Choose a folder that does not exist, is empty, or was written by \`content-space ${command}\`.`,
    })
  }
  const foreign = found.filter((path) => path !== manifest && !known.includes(path))
  if (foreign.length === 0) return
  const message = `${out} contains files that are not part of the ${label}: ${shortList(foreign)}.`
  const hint = `A ${label} is replaced as a whole. Move these files elsewhere, or choose another --out.`
  throw new ContentSpaceError('invalidOption', message, { hint })
}

const listed = v.object({ files: v.array(v.string()) })

async function readList(file: string, key: string): Promise<string[] | undefined> {
  const text = (await readRegularFile(file).catch(() => undefined))?.toString() ?? ''
  const read = v.safeParse(v.object({ ...listed.entries, [key]: v.literal(1) }), jsonOf(text))
  return read.success ? read.output.files : undefined
}
