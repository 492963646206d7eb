import type { Drift, DriftEntry, KitDrift } from '../shared/kit-page/data.js'
import type { Engine } from '../../engine/engine.js'
import { sizeText } from '../../text/quantities.js'
import { tokenIn } from '../shared/changes/groups.js'
import type { DiffEntry, DiffSide } from '../shared/changes/report.js'

/**
 * Compares every kit of the lockfile with the space. If the comparison of a kit fails, its entry contains the reason.
 * @param reasonOf describes an error for the page
 */
export async function findDrift(engine: Engine, reasonOf: (error: unknown) => string): Promise<Drift> {
  const uuids = Object.keys(engine.lock.kits())
  const kits = await Promise.all(uuids.map(async (uuid) => [uuid, await driftOf(uuid, engine, reasonOf)] as const))
  return Object.fromEntries(kits.flatMap(([uuid, drift]) => (drift === undefined ? [] : [[uuid, drift]])))
}

async function driftOf(
  kit: string,
  engine: Engine,
  reasonOf: (error: unknown) => string,
): Promise<KitDrift | undefined> {
  const locked = engine.lock.version(kit, 'use') ?? 0
  try {
    const { diff } = await import('../shared/changes/diff.js')
    const { added, removed, renamed, changed } = await diff(engine, { kit })
    const [first] = [added, removed, renamed, changed].flat()
    return (
      first && {
        from: first.versions.from,
        to: first.versions.to,
        added: added.map(driftEntry),
        removed: removed.map(driftEntry),
        renamed: renamed.map((entry) => ({ ...driftEntry(entry), before: beforeOf(entry) })),
        changed: changed.map((entry) => ({ ...driftEntry(entry), details: detailsOf(entry) })),
      }
    )
  } catch (error) {
    return { from: locked, to: locked, added: [], removed: [], renamed: [], changed: [], error: reasonOf(error) }
  }
}

function driftEntry({ uuid, name, export: exported }: DiffEntry): DriftEntry {
  return { uuid, name, export: exported }
}

/** Returns the former name, or the former export name if only that differs. */
function beforeOf({ from, name }: DiffEntry): string {
  if (from === undefined) return ''
  return from.name === name ? from.export : from.name
}

function detailsOf({ from, to, detail }: DiffEntry): string[] {
  if (detail === 'replaced') return ['different bytes in the same version']
  if (detail === 'fields') return ['different custom fields']
  if (from === undefined || to === undefined) return []
  const pairs = [
    [from.type, to.type],
    [sizeOfSide(from), sizeOfSide(to)],
    [dimensionsOf(from), dimensionsOf(to)],
    [tokenIn(from)?.value, tokenIn(to)?.value],
  ]
  const details = pairs.flatMap(([before, after]) =>
    before !== undefined && after !== undefined && before !== after ? [`${before} → ${after}`] : [],
  )
  return details.length === 0 ? [to.data === undefined ? 'other content' : 'other data'] : details
}

function sizeOfSide({ size }: DiffSide): string | undefined {
  return size === undefined ? undefined : sizeText(size)
}

function dimensionsOf({ width, height }: DiffSide): string | undefined {
  return width === undefined || height === undefined ? undefined : `${Math.round(width)} × ${Math.round(height)}`
}
