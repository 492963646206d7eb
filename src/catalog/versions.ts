import type { KitOutline } from '../asset.js'
import { memoize } from '../async/memoize.js'
import { ContentSpaceError } from '../errors.js'
import { headOf, loadKit, type LoadContext, type LoadedKit } from '../kit/load.js'
import { headingsOf } from '../kit/named-kit.js'
import type { LockSession } from '../lock/session.js'
import { isOffline } from '../space/offline.js'
import { spaceOf, type KitRecord, type Space } from '../space/space.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { KitIndex } from './kit-index.js'
import type { Snapshots } from './snapshots.js'

export interface VersionReference {
  uuid: string
  version: number
}

/** Caches results by kit and version. Computes each result once, but retries a failed one on the next request. */
export function memoizeVersions<T>(make: (reference: VersionReference) => Promise<T>) {
  const results = memoize((key) => make(referenceOf(key)))
  return {
    get: (reference: VersionReference) => results.get(versionKey(reference)),
    has: (reference: VersionReference) => results.keys().includes(versionKey(reference)),
    /** Returns the requested versions, except those that failed. */
    references: () => results.keys().map(referenceOf),
    set: (reference: VersionReference, value: T) => results.set(versionKey(reference), value),
    forget: (reference: VersionReference) => results.forget(versionKey(reference)),
    clear: () => results.keys().forEach((key) => results.forget(key)),
  }
}

export function versionKey({ uuid, version }: VersionReference): string {
  return `${uuid} ${version}`
}

function referenceOf(key: string): VersionReference {
  const [uuid = '', version] = key.split(' ')
  return { uuid, version: Number(version) }
}

export interface VersionContext extends LoadContext {
  lock: Pick<LockSession, 'isUpdating' | 'lockedKit' | 'version'>
  snapshots: Snapshots
  index: KitIndex
  offline: boolean
}

/** Lists a version of a kit: from the cache if it is published and was listed before, otherwise from the space. */
export async function listVersion(reference: VersionReference, context: VersionContext): Promise<LoadedKit> {
  const { lock, snapshots, offline } = context
  const { uuid, version } = reference
  const fetch = (): Promise<LoadedKit> => fetchVersion(reference, context)
  if (lock.isUpdating(uuid)) return fetch()
  if (offline && spaceOf(context.space, uuid).worksOffline)
    return fetch().catch(async (error: unknown) => {
      const kept = isOffline(error) ? await snapshots.last(uuid, version) : undefined
      return kept ?? Promise.reject(error)
    })
  if (offline) return (await snapshots.last(uuid, version)) ?? fetch()
  return version === 0 ? fetch() : snapshots.once(uuid, version, fetch)
}

/** Loads the outline of a draft. For a published version, the outline is part of its listing. */
export async function loadOutline({ uuid, version }: VersionReference, context: VersionContext): Promise<KitOutline> {
  const { space, snapshots, index, offline } = context
  const last = offline ? await snapshots.last(uuid, version) : undefined
  if (last) return outlineOf(last)
  const kit = await index.kit(uuid)
  const outline = await space
    .outline(uuid, version)
    .catch((error: unknown) => throwWithVersions(error, kit, version, context))
  const { sections } = outline
  return { ...headOf(kit, outline, { assets: 0, items: 0, sections: sections.length }), sections }
}

async function fetchVersion({ uuid, version }: VersionReference, context: VersionContext): Promise<LoadedKit> {
  const { snapshots, index } = context
  const record = await index.kit(uuid).catch((error: unknown) => throwMissingVersion(error, { uuid, version }))
  const kit = await loadKit(record, version, context).catch((error: unknown) =>
    throwWithVersions(error, record, version, context),
  )
  await snapshots.keep(kit)
  return kit
}

export function outlineOf(kit: LoadedKit): KitOutline {
  const { assets: _, sections, fields: __, shortIds: ___, ...head } = kit
  return {
    ...head,
    sections: sections.map((section) => ({ uuid: section.uuid, name: section.name, headings: headingsOf(section) })),
  }
}

/** Returns whether an error means that the revision of a version is no longer its source's current one. */
export function isPastRevision(error: unknown, kit: string, space: Space): boolean {
  const isMissing = error instanceof ContentSpaceError && error.code === 'versionNotFound'
  return isMissing && spaceOf(space, kit).hasRevisions === true
}

/** Replaces an `offline` error about the record of a kit with an error that names the requested version. */
function throwMissingVersion(error: unknown, { uuid, version }: VersionReference): never {
  if (!(error instanceof ContentSpaceError) || error.code !== 'offline') throw error
  const message = `Version ${version} of kit ${uuid} is not in the cache.`
  const details = { ...error.facts, kit: uuid, version, ...omitUndefined({ hint: error.hint }) }
  throw new ContentSpaceError('offline', message, details)
}

/** Adds the versions of the kit to the error for a version that doesn't exist or no longer exists. */
async function throwWithVersions(
  error: unknown,
  kit: KitRecord,
  version: number,
  context: VersionContext,
): Promise<never> {
  if (!(error instanceof ContentSpaceError) || error.code !== 'versionNotFound') throw error
  const { uuid, name, useVersion } = kit
  const { space, lock } = context
  const own = lock.lockedKit(uuid)
  const label = own?.versions[version]?.label
  if (own && label !== undefined && isPastRevision(error, uuid, space)) {
    const problem = `Kit ${name} is no longer at revision ${label}, which the lockfile pins.`
    const hint = `To use the current revision of its source, run \`npx content-space update ${own.slug}\`.`
    throw new ContentSpaceError('versionNotFound', problem, { ...error.facts, kit: uuid, version, hint, cause: error })
  }
  const { versions = [] } = await space.kit(uuid, 'versions')
  const numbers = versions.map((one) => (one.version === 0 ? '0 (draft)' : one.version)).join(', ')
  const used = useVersion === 0 ? 'The draft' : `Version ${useVersion}`
  const known = `Its versions are ${numbers}. ${used} is in use.`
  const locked = lock.version(uuid, 'use') === version ? lock.lockedKit(uuid) : undefined
  throw new ContentSpaceError('versionNotFound', `Kit ${name} has no version ${version}.`, {
    ...error.facts,
    kit: uuid,
    version,
    hint: locked ? `${known} To lock it, run \`npx content-space update ${locked.slug}\`.` : known,
    cause: error,
  })
}
