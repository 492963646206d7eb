import { resolve } from 'node:path'
import * as v from 'valibot'
import { abortable } from '../../async/abortable.js'
import { checkEach, flag, text, type Checks } from '../../config/validate.js'
import { escapeHidden } from '../../text/display.js'
import { ContentSpaceError } from '../../errors.js'
import { loadKit, type LoadedKit } from '../../kit/load.js'
import type { LockSession } from '../../lock/session.js'
import type { Originals } from '../../files/originals.js'
import type { ResolvedOptions } from '../../config/options.js'
import type { ProgressEvent } from '../../progress.js'
import type { Space } from '../../space/space.js'
import { withFolderLock } from '../../disk/folder-lock.js'
import { describeKit, type Description } from './describe.js'
import { kitFolders } from './layout.js'
import { openStage, type Stage } from './publish.js'
import { writeVersion, type MirroredVersion, type MissingFile } from './write-version.js'
import { selectKits, type SelectedKit } from './select.js'

/** What to mirror, and where. */
export interface MirrorRequest {
  /**
   * What stands behind `content-space:kit/`. `brand` is every version of the kit; `brand@use`, `brand@1` are these
   * alone. The draft and the version in use are always there.
   */
  kits: readonly string[]
  /** Folder, relative to the root. */
  out: string
  /**
   * Every cut that the service offers; default: those that cannot be made from the file, and those that the lock has.
   */
  allCuts?: boolean
  /** Ends the run, and leaves the folder as it was. What was downloaded until then is in the cache. */
  signal?: AbortSignal
  /** Told of each step, beside option `onProgress`. */
  onProgress?: (event: ProgressEvent) => void
}

const checks = {
  kits: [v.pipe(v.array(v.string()), v.nonEmpty()), 'a list of kits'],
  out: [text, 'the path of a folder'],
  allCuts: [flag, 'true or false'],
  signal: [v.instance(AbortSignal), 'an AbortSignal'],
  onProgress: [v.function(), 'a function'],
} as const satisfies Checks<keyof MirrorRequest>

export interface MirrorReport {
  /** Absolute path. */
  out: string
  versions: MirroredVersion[]
  /** Whether the folder holds anything else now than before. */
  changed: boolean
  missing: MissingFile[]
  warnings: string[]
}

export interface MirrorContext {
  options: ResolvedOptions
  space: Space
  sources: Originals
  memory: Pick<LockSession, 'kits' | 'version' | 'locked'>
  warn: (message: string) => void
  warnings: () => string[]
}

/**
 * Writes kits as an embedded space, with real uuids, from which builds come out the same.
 * The folder appears whole, or stays as it was.
 * @throws ContentSpaceError `kitNotFound`, `versionNotFound`, `invalidOption`, also for a folder that is no mirror,
 *   `aborted`, and what the space throws
 */
export async function mirror(wanted: MirrorRequest, context: MirrorContext): Promise<MirrorReport> {
  checkEach(wanted, checks, 'mirror', ['kits', 'out'])
  const { signal = new AbortController().signal } = wanted
  const out = resolve(context.options.root, wanted.out)
  try {
    return await withFolderLock(out, context.options.cacheDir, signal, () => writeMirror(out, wanted, signal, context))
  } catch (error) {
    if (!signal.aborted) throw error
    throw new ContentSpaceError('aborted', 'Interrupted.', {
      hint: 'What was downloaded is kept: run it again for the rest.',
      cause: error,
    })
  }
}

async function writeMirror(
  out: string,
  wanted: MirrorRequest,
  signal: AbortSignal,
  context: MirrorContext,
): Promise<MirrorReport> {
  const stage = await openStage(out)
  try {
    const kits = await abortable(selectKits(wanted.kits, context), signal)
    const spaceId = Number(context.space.spaceId)
    const writeJson: WriteJson = async (path, json) => {
      await stage.write(path, `${escapeHidden(JSON.stringify(json, null, 2))}\n`)
    }
    await writeJson('space.json', Number.isSafeInteger(spaceId) ? { space_id: spaceId } : {})
    const folders = kitFolders(kits.map(({ kit }) => kit))
    const report: MirrorReport = { out, versions: [], changed: false, missing: [], warnings: [] }
    for (const one of kits) {
      for (const { missing, ...version } of await writeKit(one, folders.get(one.kit.uuid) ?? '', {
        ...context,
        ...wanted,
        signal,
        stage,
        writeJson,
      })) {
        report.versions.push(version)
        report.missing.push(...missing)
      }
    }
    return { ...report, changed: await stage.publish(), warnings: context.warnings() }
  } catch (error) {
    await stage.discard()
    throw error
  }
}

type WriteJson = (path: string, json: Description) => Promise<void>

interface KitContext extends MirrorContext, MirrorRequest {
  signal: AbortSignal
  stage: Stage
  writeJson: WriteJson
}

/** One version after the other: a download names none, and a service may give the file of the version listed last. */
async function writeKit({ kit, versions }: SelectedKit, folder: string, context: KitContext) {
  const { options, stage, writeJson, signal, allCuts = false, onProgress = () => {} } = context
  const tell = (event: ProgressEvent): void => {
    options.onProgress(event)
    onProgress(event)
  }
  const loaded: LoadedKit[] = []
  const written: Awaited<ReturnType<typeof writeVersion>>[] = []
  for (const version of versions) {
    const read = await abortable(loadKit(kit, version, { ...context, strict: options.strict }), signal)
    const base = [folder, ...snapshotFolder(version)].join('/')
    written.push(
      await writeVersion(read, {
        ...context,
        concurrency: options.concurrency,
        allCuts,
        onProgress: tell,
        write: (path, content) => stage.write(`${base}/${path}`, content),
        writeJson: (path, json) => writeJson(`${base}/${path}`, json),
      }),
    )
    loaded.push(read)
  }
  await writeJson(
    `${folder}/kit.json`,
    describeKit(kit, loaded, (version) => snapshotFolder(version).join('/') || '.'),
  )
  return written
}

/** The kit's own folder is the draft. */
function snapshotFolder(version: number): string[] {
  return version === 0 ? [] : ['versions', String(version)]
}
