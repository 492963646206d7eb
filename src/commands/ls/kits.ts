import type { KitSummary } from '../../asset.js'
import { readKits, type CallOptions } from '../shared/kits.js'
import type { Engine } from '../../engine/engine.js'
import { nameSlugs } from '../../kit/names.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { paint, type Line } from '../../text/display.js'
import { versionText } from '../../text/quantities.js'
import { tableLines, type Cell } from '../../terminal/table.js'
import type { Terminal } from '../../terminal/terminal.js'

/** A kit of the space, with the name that a user types for it and its state in the lockfile. */
export interface KitRow extends KitSummary {
  alias?: string
  slug: string
  /** The version that the lockfile pins. Absent if the kit isn't locked or follows its draft. */
  lockedVersion?: number
}

/** Milliseconds to wait for the state of a kit. The wait is short, because the state is only extra information. */
const patience = 1500

export async function listKits(engine: Engine, call?: CallOptions): Promise<KitRow[]> {
  const { lock, options } = engine
  const kits = await readKits(engine, call)
  const slugs = nameSlugs(kits, 'kit', lock.kits())
  return kits.map((kit) => {
    const slug = slugs.get(kit.uuid)?.slug ?? ''
    // A draft isn't pinned, so don't list its number as a locked version.
    const lockedVersion = lock.lockedKit(kit.uuid)?.use || undefined
    const isOwn = (name: string): boolean => name === kit.uuid || name === slug
    // Skip an alias that specifies a version, because it doesn't refer to the version in use.
    const alias = [...options.kits].find(([, one]) => isOwn(one.kit) && one.version === 'use')?.[0]
    return { ...kit, slug, ...omitUndefined({ alias, lockedVersion }) }
  })
}

/**
 * Finds the state of a kit. Returns undefined if the list of kits can't be read quickly, for example offline.
 * @param id as a user types it, without a version
 */
export async function findKitState(engine: Engine, id: string): Promise<KitRow | undefined> {
  const kits = await listKits(engine, { signal: AbortSignal.timeout(patience) }).catch(() => [])
  const given = engine.options.kits.get(id)?.kit ?? id
  return kits.find(({ uuid, slug }) => uuid === given.toUpperCase() || slug === given)
}

/** Returns whether the service recommends another version than the lockfile pins. */
export function isOutdated({ lockedVersion, useVersion }: Pick<KitRow, 'lockedVersion' | 'useVersion'>): boolean {
  return lockedVersion !== undefined && lockedVersion !== useVersion
}

export function outdatedText({ lockedVersion, useVersion }: Pick<KitRow, 'lockedVersion' | 'useVersion'>): string {
  // Versions that stand for a source's revisions aren't ordered.
  if (useVersion >= 1e14) return 'not the locked revision'
  const relation = useVersion > (lockedVersion ?? 0) ? 'newer than' : 'not'
  return `${relation} the locked version ${lockedVersion}`
}

export function kitTable(kits: readonly KitRow[], { columns: width }: Terminal): Line[] {
  if (kits.length === 0) return ['The space has no kits.']
  const rows = kits.map((kit): Cell[] => [
    paint('cyan', kit.alias ?? kit.slug),
    kit.name,
    `${versionText(kit.useVersion)} in use`,
    isOutdated(kit) ? paint('yellow', outdatedText(kit)) : kit.lockedVersion === undefined ? '' : 'locked',
    paint('dim', kit.uuid),
  ])
  // Never truncate the first column, because users copy it.
  const columns = [{}, { shrink: 1, least: 12 }, {}, { shrink: 2, least: 20 }, { optional: true }]
  return tableLines(rows, { columns, width })
}

/** Suggests the next command. Used only in a terminal. */
export function kitHints([kit]: readonly KitRow[]): Line[] {
  if (kit === undefined) return []
  const id = kit.alias ?? kit.slug
  return [
    '',
    ['What a kit contains:  ', paint('cyan', `npx content-space ls ${id}`)],
    ['To import from it:    ', paint('cyan', `import { … } from 'content-space:kit/${id}'`)],
    ...(isOutdated(kit)
      ? [
          ['What is new in it:    ', paint('cyan', `npx content-space diff ${id}`)],
          ['To update to it:      ', paint('cyan', `npx content-space update ${id}`)],
        ]
      : []),
  ]
}
