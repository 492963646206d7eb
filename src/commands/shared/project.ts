import { setTimeout as wait } from 'node:timers/promises'
import { attempt } from '../../async/attempt.js'
import type { KitEntry, Parameter, Project, VersionEntry } from './kit-page/data.js'
import type { ResolvedOptions } from '../../config/options.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError, ignoreOwnErrors } from '../../errors.js'
import { findGiven } from '../../kit/lookup.js'
import { nameSlugs, type GivenSlugs } from '../../kit/names.js'
import { parameters, type Parameter as QueryKey } from '../../request/parameters.js'
import type { VersionSelector } from '../../request/request.js'
import { digest } from './asset-data.js'
import { shortIdOf } from '../../space/short-id.js'
import type { KitRecord, KitVersion, Space } from '../../space/space.js'
import { shownDate } from '../../space/undated.js'
import { omitUndefined } from '../../text/omit-undefined.js'

interface NamingContext extends Pick<Engine, 'options' | 'catalog' | 'lock'> {
  reasonOf(this: void, error: unknown): string
}

export interface ProjectContext extends NamingContext, Pick<Engine, 'space'> {
  versions(this: void, kit: string): Promise<KitVersion[]>
  mode: Project['mode']
}

/** Milliseconds to wait for the versions of all kits. Limited, so that a slow service doesn't leave the page empty. */
const patience = 3000

/** The kits of the space as the project names them. */
export interface NamedKits {
  kits: Omit<KitEntry, 'versions'>[]
  /** Why kits may be missing. */
  error?: string
}

/** Lists the kits of the space, starting with the project's own. */
export async function nameKits(context: NamingContext): Promise<NamedKits> {
  const { records, ...rest } = await listKits(context)
  const slugs = nameSlugs(records, 'kit', context.lock.kits())
  const shortIds = new Map(records.map(({ uuid, raw }) => [uuid, shortIdOf(raw)]))
  const named = [...slugs].map(([uuid, own]) => [uuid, { ...own, shortId: shortIds.get(uuid) }] as const)
  const aliases = aliasesOf(Object.fromEntries(named), context)
  const kits = records.map((record) => kitEntry(record, slugs.get(record.uuid)?.slug ?? '', aliases, context))
  return { kits: kits.toSorted((a, b) => Number(b.isUsed) - Number(a.isUsed)), ...rest }
}

type DescribedKey = Pick<QueryKey<unknown>, 'apply' | 'choices' | 'takes' | 'meaning' | 'isList'>

export function describeParameters(): Parameter[] {
  const rows = Object.entries<DescribedKey>(parameters).filter(([, { apply }]) => apply !== 'modules')
  return rows.map(([key, { choices, takes, meaning, isList }]) => ({
    key,
    description: meaning.replaceAll('`', ''),
    ...(choices.length > 0 && { values: [...choices] }),
    ...(takes === 'no value' && { isFlag: true }),
    ...(isList && { isList }),
  }))
}

/** Describes the project: every kit of the space, and what the page can do. */
export async function describeProject({ kits, error }: NamedKits, context: ProjectContext): Promise<Project> {
  const { options, space, mode, versions } = context
  const withVersions = kits.map(async (kit): Promise<KitEntry> => {
    const known = [kit.version, kit.useVersion, kit.lockedVersion ?? 0, 0]
    const late = wait(patience, [], { ref: false })
    const listed = await Promise.race([versions(kit.uuid).catch(() => []), late])
    return { ...kit, versions: versionEntries(listed, known) }
  })
  return {
    name: nameOfSpace(options, space),
    mode,
    kits: await Promise.all(withVersions),
    canOpen: true,
    parameters: describeParameters(),
    ...omitUndefined({ framework: frameworkOf(options), error }),
  }
}

/**
 * Returns the name of the space. Doesn't reveal the host of a service or the path of a folder. The id of a space isn't
 * secret.
 */
function nameOfSpace({ space }: ResolvedOptions, { spaceId }: Space): string {
  if ('folder' in space) return space.folder.split(/[/\\]/).at(-1) ?? ''
  return spaceId === undefined ? 'Content Space' : `Space ${spaceId}`
}

/** Lists the kits of the space. If the service is unreachable, lists the kits of the lockfile that are in the cache. */
async function listKits({ catalog, lock, reasonOf }: NamingContext): Promise<{ records: KitRecord[]; error?: string }> {
  try {
    return { records: await catalog.kits() }
  } catch (error) {
    if (!(error instanceof ContentSpaceError)) throw error
    const records = Object.entries(lock.kits()).map(async ([uuid, { slug }]): Promise<KitRecord> => {
      const useVersion = lock.version(uuid, 'use') ?? 0
      const loaded = await catalog.lastLoaded(uuid, useVersion).catch(() => undefined)
      return { uuid, name: loaded?.kit.name ?? slug, status: 'active', useVersion, spaceId: undefined }
    })
    return { records: await Promise.all(records), error: reasonOf(error) }
  }
}

interface Alias {
  alias: string
  version: VersionSelector
}

/** Returns the aliases of kits by uuid. Aliases without a version come first. */
function aliasesOf(named: GivenSlugs, { options }: NamingContext): Map<string, Alias[]> {
  const found = new Map<string, Alias[]>()
  for (const [alias, { kit, version }] of options.kits) {
    const uuid = findGiven(kit, named)
    if (uuid !== undefined) found.set(uuid, [...(found.get(uuid) ?? []), { alias, version }])
  }
  for (const list of found.values()) list.sort((a, b) => Number(b.version === 'use') - Number(a.version === 'use'))
  return found
}

function kitEntry(
  { uuid, name, useVersion, dateUpdated, cover }: KitRecord,
  slug: string,
  aliases: ReadonlyMap<string, Alias[]>,
  { options, lock }: NamingContext,
): Omit<KitEntry, 'versions'> {
  const [alias, ...others] = aliases.get(uuid) ?? []
  const versionOf = (selector: VersionSelector = 'use'): number =>
    lock.version(uuid, selector) ?? (selector === 'use' ? useVersion : selector)
  const lockedVersion = lock.version(uuid, 'use')
  return {
    uuid,
    name,
    // If a slug is also the alias of another kit, ids with it refer to that kit.
    reference: alias?.alias ?? (options.kits.has(slug) || slug === '' ? uuid : slug),
    ...(others.length > 0 && {
      aliases: Object.fromEntries(others.map((other) => [other.alias, versionOf(other.version)])),
    }),
    version: versionOf(alias?.version),
    useVersion,
    isUsed: alias !== undefined || Object.hasOwn(lock.kits(), uuid),
    ...omitUndefined({
      lockedVersion,
      dateUpdated: shownDate(dateUpdated),
      // In a folder, kits don't have pictures, so one of their assets represents them.
      cover:
        cover === undefined && !('folder' in options.space)
          ? undefined
          : `covers/${uuid}/${digest([cover, dateUpdated])}`,
    }),
  }
}

/** @param known versions that exist, even if the list is incomplete */
export function versionEntries(list: readonly KitVersion[], known: readonly number[]): VersionEntry[] {
  const listed = list.map(({ version, versionIdentifier, notes, dateUpdated, counts }): VersionEntry => {
    const label = version === 0 ? 'draft' : versionIdentifier || String(version)
    return { version, label, notes, ...omitUndefined({ dateUpdated: shownDate(dateUpdated), assets: counts.assets }) }
  })
  const others = [...new Set(known)].filter((number) => !listed.some(({ version }) => version === number))
  const added = others.map((version) => ({ version, label: version === 0 ? 'draft' : String(version), notes: '' }))
  // The draft is 0 and comes last.
  return [...listed, ...added].toSorted((a, b) => b.version - a.version)
}

/**
 * Returns the framework of `as=component`, or undefined if it is unknown. That isn't an error here, because only
 * `as=component` requires a framework.
 */
export function frameworkOf({ framework }: ResolvedOptions): string | undefined {
  return attempt(framework, ignoreOwnErrors)
}
