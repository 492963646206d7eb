import { resolve } from 'node:path'
import * as v from 'valibot'
import type { ResolvedOptions } from '../../config/options.js'
import { projectInputs } from '../../config/project-inputs.js'
import { derivedKey } from '../../disk/cache-layout.js'
import { integrityOf } from '../../disk/content.js'
import { noDerived, openDerived, type Derived } from '../../disk/derived.js'
import { thisProcess } from '../../disk/process.js'
import { readText } from '../../disk/replace-file.js'
import type { Engine } from '../../engine/engine.js'
import { openStore, type Store } from '../../files/store.js'
import { locationsOf } from '../../space/places.js'
import { serviceKey } from '../../space/http/transport.js'
import { kindOfModules } from './fitting-kind.js'
import type { PullOptions } from './options.js'

const text = v.string()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const folders = v.array(
  v.object({
    /** Uuid. */
    kit: text,
    name: text,
    version: count,
    /** The number of assets in the kit. */
    assets: count,
    /** Absolute path. */
    folder: text,
    /** The number of asset files. */
    files: count,
    /** Every file that the run requested, and the manifest. */
    paths: v.array(text),
    /** As returned by `stampFiles`. */
    stamps: text,
    /** The files that have to be read to detect a change, with their `sha256-…`. */
    recent: v.array(v.tuple([text, text])),
  }),
)

/** A folder that was up to date at the end of a run. */
export type PulledFolder = v.InferOutput<typeof folders>[number]

const pulled = { name: 'pulled', schema: folders, locked: true }

/** Files that identify a folder as a space. */
export const spaceNames: readonly string[] = ['space.json', 'mirror.json']

/**
 * Remembers folders that are up to date, so that `reportUnchanged` finds them. Does nothing in projects without a
 * lockfile, because their content may change at any time.
 */
export async function keepFolders(
  request: PullOptions,
  current: PulledFolder[],
  { options, lock, store }: Engine,
): Promise<void> {
  const digest = await lock.digest()
  if (digest === undefined) return
  const derived = await openFolders(options, request, store, digest)
  derived.keep(pulled, await inputsOf(options, request), current)
  await derived.save(async () => digest)
}

/** Returns the folders of the last run, if all their inputs are unchanged. */
export async function findFolders(options: ResolvedOptions, request: PullOptions): Promise<PulledFolder[] | undefined> {
  if (options.lockfile === false || request.signal?.aborted) return undefined
  const lock = await readText(options.lockfile)
  if (lock === undefined) return undefined
  // The full run that follows reports any problem with the cache.
  const store = openStore(options.cacheDir, () => {})
  const derived = await openFolders(options, request, store, integrityOf(lock))
  return derived.find(pulled, await inputsOf(options, request))
}

async function openFolders(
  options: ResolvedOptions,
  { out }: PullOptions,
  store: Pick<Store, 'peek' | 'put'>,
  lock: string,
): Promise<Derived> {
  const { root } = options
  const places = locationsOf(options)
  const services = places.flatMap((place) => ('address' in place ? serviceKey(place) : []))
  if (services.length < places.length) return noDerived
  const inputs = ['pull', root, resolve(root, out)]
  return openDerived(store, derivedKey({ space: services.join(' '), inputs }), lock)
}

/**
 * Returns the inputs of a run. They include the machine and its last start, because files have to be read again after a
 * power failure.
 */
async function inputsOf(options: ResolvedOptions, request: PullOptions): Promise<unknown> {
  const { signal: _, onProgress: __, ...wanted } = request
  const sorted = Object.entries({ ...wanted, module: kindOfModules(request, options.root) }).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  )
  return [await projectInputs(options), thisProcess().place, sorted]
}
