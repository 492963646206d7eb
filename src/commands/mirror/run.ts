import { resolve } from 'node:path'
import * as v from 'valibot'
import { abortable } from '../../async/abortable.js'
import { openKitIndex } from '../../catalog/kit-index.js'
import { abortSignal, callback, checkEach, type Checks, flag, text } from '../../config/validate.js'
import type { FolderPolicy } from '../../disk/folder-policy.js'
import { writeFolder } from '../../disk/write-folder.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError } from '../../errors.js'
import { openPool } from '../../files/convert/pool.js'
import { openOriginals } from '../../files/originals.js'
import { type LoadedKit, loadKit, setOrigin } from '../../kit/load.js'
import type { ProgressEvent } from '../../progress.js'
import { parseKit, type VersionSelector } from '../../request/request.js'
import type { KitRecord } from '../../space/space.js'
import { interruptible } from '../shared/interrupted.js'
import { describeKit } from './describe.js'
import { uniqueNames } from './layout.js'
import { type MirroredVersion, type MirrorRun, type MissingFile, writeJson, writeVersion } from './write-version.js'

/** Selects what to mirror, and where. */
export interface MirrorOptions {
  /**
   * Kits as in `content-space:kit/<kit>`. `brand` mirrors every version of the kit; `brand@use` and `brand@1` mirror
   * one version. The draft and the version in use are always included.
   */
  kits: readonly string[]
  /** The folder to write, relative to the root of the project. */
  out: string
  /**
   * Includes every cut that the service offers. Default: only cuts that cannot be made from the original, and cuts
   * that the lockfile names.
   * @default false
   */
  allCuts?: boolean
  /** Stops the command and leaves the folder unchanged. The cache keeps downloaded files. */
  signal?: AbortSignal
  /** Called for each step, in addition to option `onProgress`. */
  onProgress?: (event: ProgressEvent) => void
}

const checks = {
  kits: [v.pipe(v.array(v.string()), v.nonEmpty()), 'a list of kits'],
  out: [text, 'the path of a folder'],
  allCuts: flag,
  signal: abortSignal,
  onProgress: callback,
} as const satisfies Checks<keyof MirrorOptions>

const policy: FolderPolicy = { owns: 'listed', command: 'mirror', manifest: 'mirror.json', label: 'mirror' }

/** The content of a mirror, and the files that the space didn't provide. */
export interface MirrorReport {
  /** Absolute path of the folder. */
  out: string
  versions: MirroredVersion[]
  /** Whether the contents of the folder changed. */
  changed: boolean
  missing: MissingFile[]
  warnings: string[]
}

/**
 * Writes a mirror. See `Importer.mirror`. Replaces the whole folder, or leaves it unchanged.
 * @internal
 */
export async function mirror(engine: Engine, request: MirrorOptions): Promise<MirrorReport> {
  checkEach(request, checks, 'mirror', ['kits', 'out'])
  const { signal = new AbortController().signal, allCuts = false } = request
  const { options, space, store, lock, stats, listen } = engine
  const { root, cacheDir, offline, strict } = options
  const { warn } = stats
  const out = resolve(root, request.out)
  const pool = openPool()
  // A mirror contains several versions of an asset, but the lockfile contains the hashes of only one.
  const unlocked = { space, offline, strict, frozen: false, warn, locked: () => undefined }
  const sources = openOriginals(store, unlocked, pool)
  return listen(request, (onProgress) =>
    interruptible(signal, async () => {
      const order = { out, option: '--out', policy, cacheDir, signal } as const
      const { result, changes } = await writeFolder(order, (folder) =>
        writeMirror(request.kits, { options, space, lock, sources, folder, allCuts, signal, onProgress, warn }),
      )
      return { out, ...result, changed: changes.written.length > 0, warnings: stats.summary().warnings }
    }),
  ).finally(() => pool.close())
}

async function writeMirror(
  ids: readonly string[],
  run: MirrorRun,
): Promise<Pick<MirrorReport, 'versions' | 'missing'>> {
  const { options, space, signal } = run
  const kits = await abortable(selectKits(ids, run), signal)
  const spaceId = Number(space.spaceId)
  const paths = uniqueNames(kits.map(({ kit }) => kit))
  const written: MirroredVersion[] = []
  const allMissing: MissingFile[] = []
  const fields = new Map<number, object>()
  for (const { kit, versions } of kits) {
    const path = paths.get(kit) ?? ''
    const loaded: LoadedKit[] = []
    // Write the versions one after the other, because a download request doesn't name a version, and a service may
    // return the file of the version that was listed last.
    for (const number of versions) {
      const version = await abortable(loadKit(kit, number, { space, strict: options.strict, warn: run.warn }), signal)
      setOrigin(version, space)
      const { missing, ...one } = await writeVersion(version, [path, ...versionFolder(number)].join('/'), run)
      loaded.push(version)
      written.push(one)
      allMissing.push(...missing)
      for (const { key: _, ...field } of version.fields ?? []) fields.set(field.id, field)
    }
    const description = describeKit(kit, loaded, (version) => versionFolder(version).join('/') || '.')
    await writeJson(run, `${path}/kit.json`, description)
  }
  const definitions = [...fields].toSorted(([a], [b]) => a - b).map(([, field]) => field)
  await writeJson(run, 'space.json', {
    ...(Number.isSafeInteger(spaceId) && { space_id: spaceId }),
    ...(definitions.length > 0 && { fields: definitions }),
  })
  return { versions: written, missing: allMissing }
}

/** Returns the folder of a version within its kit's folder, which is itself the folder of the draft. */
function versionFolder(version: number): string[] {
  return version === 0 ? [] : ['versions', String(version)]
}

/** A kit and its versions to mirror. */
interface Selection {
  kit: KitRecord
  /** In ascending order, starting with the draft, version 0. */
  versions: number[]
}

/**
 * Finds the kits and versions to mirror: every version of a kit, or the versions that the ids specify. The draft, the
 * version in use and the version that the lockfile pins are always included.
 * @throws ContentSpaceError `invalidId`, `kitNotFound`, `versionNotFound`, which name the valid ones
 */
async function selectKits(
  ids: readonly string[],
  { space, lock, options }: Pick<Engine, 'options' | 'space' | 'lock'>,
): Promise<Selection[]> {
  const index = openKitIndex(space, lock.kits, options.kits)
  const requested = new Map<string, (VersionSelector | 'all')[]>()
  for (const id of ids) {
    const { kit: name, version } = parseKit(id, options.kits)
    const { uuid } = await index.kit(await index.uuidOf(name))
    requested.set(uuid, [...(requested.get(uuid) ?? []), id.includes('@') ? version : 'all'])
  }
  return Promise.all(
    [...requested].map(async ([uuid, selectors]) => {
      const kit = await space.kit(uuid, 'versions')
      const all = [0, ...(kit.versions ?? []).map(({ version }) => version)]
      const locked = lock.version(uuid, 'use')
      const always = [0, kit.useVersion, ...all.filter((version) => version === locked)]
      const named = selectors.flatMap((selector) => (selector === 'use' ? [] : selector === 'all' ? all : [selector]))
      checkVersions(kit, named, all)
      return { kit, versions: [...new Set([...always, ...named])].toSorted((a, b) => a - b) }
    }),
  )
}

function checkVersions({ uuid, name }: KitRecord, named: readonly number[], all: readonly number[]): void {
  const unknown = named.find((version) => !all.includes(version))
  if (unknown === undefined) return
  throw new ContentSpaceError('versionNotFound', `Kit ${name} has no version ${unknown}.`, {
    kit: uuid,
    version: unknown,
    hint: `Its versions are ${[...new Set(all)].join(', ')}.`,
  })
}
