import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { ContentSpaceError } from '../../errors.js'
import { manifestName } from '../../disk/folder.js'
import { isLeftBehind, isRunFolder, journalName, type WrittenFile } from './journal.js'

/** By path, relative to the folder. */
export type Written = ReadonlyMap<string, WrittenFile>

/** What is ours in a folder, and so may be replaced or removed: paths together with the bytes that we put there. */
export interface Owned {
  /**
   * Everything that runs have written or were about to write, by path; the last is what a finished run wrote, if one
   * did.
   */
  files: ReadonlyMap<string, readonly WrittenFile[]>
  /** Folders of runs that have ended before they were done. */
  left: readonly string[]
}

const sha256 = v.pipe(v.string(), v.regex(/^sha256-[A-Za-z0-9+/]{43}=$/))

/** Where a path leads is not to be decided by who wrote the file that it stands in. */
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
 * To be read after the folder was looked at: what another run has put there since stands in its journal, or, once that
 * is gone, in the manifest.
 * @throws ContentSpaceError `fileSystem` for a manifest that is not ours, or that names a path outside of the folder
 */
export async function readOwned(folder: string): Promise<Owned> {
  const names = (await readdir(folder).catch(() => [])).filter(isRunFolder)
  const journals = await Promise.all(names.map((name) => readJournal(join(folder, name, journalName))))
  const files = new Map<string, WrittenFile[]>()
  for (const [path, file] of [...journals.flat(), ...(await readManifest(join(folder, manifestName)))]) {
    files.set(path, [...(files.get(path) ?? []), file])
  }
  return { files, left: names.filter((name) => isLeftBehind(folder, name)) }
}

async function readManifest(file: string): Promise<Written> {
  const text = await readFile(file, 'utf8').catch(() => undefined)
  if (text === undefined) return new Map()
  try {
    return new Map(Object.entries(v.parse(manifest, JSON.parse(text)).written))
  } catch (cause) {
    const reason = cause instanceof v.ValiError ? `: ${cause.message}` : ''
    throw new ContentSpaceError(
      'fileSystem',
      `${file} was not written by content-space pull, or by a newer one, or has been changed${reason}.`,
      {
        hint: 'Choose another --out, or remove the file.',
        cause,
      },
    )
  }
}

/** A last line that is cut short was never acted on: a line comes before the file. */
async function readJournal(file: string): Promise<[string, WrittenFile][]> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  return lines.flatMap((line) => {
    try {
      const { path: name, ...entry } = v.parse(journalLine, JSON.parse(line))
      return [[name, entry]]
    } catch {
      return []
    }
  })
}
