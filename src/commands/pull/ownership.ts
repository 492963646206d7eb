import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { readRegularFile } from '../../disk/read-file.js'
import { ContentSpaceError } from '../../errors.js'
import { isInterruptedRun, isRunFolder, journalName, type WrittenFile } from './journal.js'

/** The file of a pulled folder that describes the kit and lists everything that `pull` wrote. */
export const manifestName = 'manifest.json'

/** Files by path, relative to the folder. */
export type WrittenFiles = ReadonlyMap<string, WrittenFile>

/**
 * What earlier runs wrote into a folder. A file is owned, and may be replaced or removed, only while it still has the
 * bytes that a run wrote.
 */
export interface OwnedFiles {
  /**
   * Everything that runs wrote or were about to write, by path. If a finished run wrote the path, the entry
   * of that run is the last one.
   */
  files: ReadonlyMap<string, readonly WrittenFile[]>
  /** Names of the folders of interrupted runs. */
  interruptedRuns: readonly string[]
}

const sha256 = v.pipe(v.string(), v.regex(/^sha256-[A-Za-z0-9+/]{43}=$/))

/** Rejects paths that leave the folder: files listed in a manifest are removed, and anyone may have edited it. */
const pathInside = v.pipe(
  v.string(),
  v.check(
    (text) => text.split('/').every((part) => part !== '' && !/^\.|[\\:\0]/.test(part)),
    'a path inside the folder',
  ),
)

const manifest = v.looseObject({
  manifestVersion: v.literal(1),
  written: v.record(pathInside, v.object({ sha256, revision: v.optional(v.string()) })),
})

const journalLine = v.object({ path: pathInside, sha256, revision: v.optional(v.string()) })

/**
 * Reads what earlier runs wrote. Call it after the files of the folder were read: if another run writes a file in
 * between, its journal lists it, or, once that run has finished, the manifest.
 * @throws ContentSpaceError `fileSystem` for a manifest of another program, or with a path outside the folder
 */
export async function readOwnedFiles(folder: string): Promise<OwnedFiles> {
  const runs = (await readdir(folder).catch(() => [])).filter(isRunFolder)
  const journals = await Promise.all(runs.map((name) => readJournal(join(folder, name, journalName))))
  const files = new Map<string, WrittenFile[]>()
  for (const [path, file] of [...journals.flat(), ...(await readManifest(join(folder, manifestName)))]) {
    files.set(path, [...(files.get(path) ?? []), file])
  }
  return { files, interruptedRuns: runs.filter((name) => isInterruptedRun(folder, name)) }
}

async function readManifest(file: string): Promise<WrittenFiles> {
  const bytes = await readRegularFile(file).catch(() => undefined)
  if (bytes === undefined) return new Map()
  try {
    return new Map(Object.entries(v.parse(manifest, JSON.parse(bytes.toString())).written))
  } catch (cause) {
    const reason = cause instanceof v.ValiError ? `: ${cause.message}` : ''
    throw new ContentSpaceError('fileSystem', `${file} is not a manifest that this version of pull wrote${reason}.`, {
      hint: 'Choose another --out, or remove the file.',
      cause,
    })
  }
}

/** Ignores a last line that was cut short: a line is complete before its file is written. */
async function readJournal(file: string): Promise<[string, WrittenFile][]> {
  const lines = (await readRegularFile(file).catch(() => '')).toString().split('\n')
  return lines.flatMap((line) => {
    try {
      const { path: name, ...entry } = v.parse(journalLine, JSON.parse(line))
      return [[name, entry]]
    } catch {
      return []
    }
  })
}
