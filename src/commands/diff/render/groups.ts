import { compareStrings } from '../../../text/compare.js'
import { differences, type Difference } from '../compare.js'
import type { Diff, DiffEntry, DiffSide } from '../report.js'
import { countText, sizeText } from '../../../text/quantities.js'

/** What people read together: what has become of one kit between two of its versions. */
export interface Group {
  /** `brand: version 1 → 2` */
  title: string
  entries: { difference: Difference; entry: DiffEntry }[]
}

/** By kit and versions; in each first what is gone, for that is what breaks. */
export function groupsOf(diff: Diff): Group[] {
  const groups = new Map<string, Group>()
  for (const difference of ['removed', 'renamed', 'changed', 'added'] as const) {
    for (const entry of diff[difference]) {
      const { kit, versions } = entry
      const title = `${kit}: ${label(versions.from)} → ${versions.from === versions.to ? 'now' : label(versions.to)}`
      const group = groups.get(title) ?? { title, entries: [] }
      group.entries.push({ difference, entry })
      groups.set(title, group)
    }
  }
  return [...groups.values()].toSorted((a, b) => compareStrings(a.title, b.title))
}

/** `1 added, 2 removed; 3 lines of the source would break` */
export function totals(diff: Diff): string {
  const parts = differences.flatMap((difference) =>
    diff[difference].length === 0 ? [] : [`${diff[difference].length} ${difference}`],
  )
  if (parts.length === 0) return 'no difference'
  const entries = differences.flatMap((difference) => diff[difference])
  const lines = new Set(entries.flatMap(({ breaks }) => breaks.map(({ file, line }) => `${file}:${line}`)))
  const broken = lines.size === 0 ? '' : `; ${countText(lines.size, 'line')} of the source would break`
  return parts.join(', ') + broken
}

/** The name, and the one before. */
export function titleOf({ name, from, to }: DiffEntry): string {
  return from !== undefined && to !== undefined && from.name !== to.name ? `${from.name} → ${to.name}` : name
}

/** What there is to say of an entry beside its name: its exports, and of what its file is and was. */
export function facts(difference: Difference, { from, to, export: exported }: DiffEntry): string[] {
  const names = from === undefined || from.export === exported ? exported : `${from.export} → ${exported}`
  const sides = difference === 'changed' ? [from, to] : [to ?? from]
  const files = [
    ...new Set(
      sides.map((side) => [side?.type, side?.size && sizeText(side.size), dataText(side)].filter(Boolean).join(', ')),
    ),
  ]
  return [names, files.filter((text) => text !== '').join(' → ')].filter((text) => text !== '')
}

/** What an asset that is no file holds, in so much of a line as people read. */
export function dataText(side: DiffSide | undefined): string | undefined {
  return side?.data === undefined ? undefined : JSON.stringify(side.data).slice(0, 80)
}

function label(version: number): string {
  return version === 0 ? 'draft' : `version ${version}`
}
