import { isType } from '../../../space/asset-type.js'
import { cssOf, readColor } from '../../../space/color.js'
import { compareStrings } from '../../../text/compare.js'
import { countText, sizeText } from '../../../text/quantities.js'
import { differences, type Difference } from '../compare.js'
import type { Diff, DiffEntry, DiffSide } from '../report.js'

/** The differences of one kit between two of its versions, which every rendering shows together. */
export interface Group {
  /** `brand: version 1 → version 2` */
  title: string
  entries: { difference: Difference; entry: DiffEntry }[]
}

/** Groups entries by kit and versions. Removed and renamed assets come first, because they break imports. */
export function groupsOf(diff: Diff): Group[] {
  const groups = new Map<string, Group>()
  for (const difference of ['removed', 'renamed', 'changed', 'added'] as const) {
    for (const entry of diff[difference]) {
      const { kit, versions } = entry
      const to = versions.from === versions.to ? 'now' : versionText(versions.to)
      const title = `${kit}: ${versionText(versions.from)} → ${to}`
      const group = groups.get(title) ?? { title, entries: [] }
      group.entries.push({ difference, entry })
      groups.set(title, group)
    }
  }
  return [...groups.values()].toSorted((a, b) => compareStrings(a.title, b.title))
}

/** `1 added, 2 removed; 3 lines of the source would break` */
export function totals(diff: Diff): string {
  const counts = differences.flatMap((difference) =>
    diff[difference].length === 0 ? [] : [`${diff[difference].length} ${difference}`],
  )
  if (counts.length === 0) return 'no differences'
  const entries = differences.flatMap((difference) => diff[difference])
  const lines = new Set(entries.flatMap(({ breaks }) => breaks.map(({ file, line }) => `${file}:${line}`)))
  const broken = lines.size === 0 ? '' : `; ${countText(lines.size, 'line')} of the source would break`
  return counts.join(', ') + broken
}

/** `Acme Logo`, or `Acme Logo → Corp Logo` for an asset that was renamed. */
export function titleOf({ name, from, to }: DiffEntry): string {
  return from !== undefined && to !== undefined && from.name !== to.name ? `${from.name} → ${to.name}` : name
}

/** Returns the export names of an entry, and type, size and data of its file, with both sides where they differ. */
export function details(difference: Difference, { from, to, export: exported }: DiffEntry): string[] {
  const names = from === undefined || from.export === exported ? exported : `${from.export} → ${exported}`
  const sides = difference === 'changed' ? [from, to] : [to ?? from]
  const files = sides.map((side) =>
    [side?.type, side?.size && sizeText(side.size), dataText(side)].filter(Boolean).join(', '),
  )
  const file = [...new Set(files)].filter((text) => text !== '').join(' → ')
  return [names, file].filter((text) => text !== '')
}

/** Returns the data of an asset without a file: a color as CSS, other data as the start of its JSON. */
export function dataText(side: DiffSide | undefined): string | undefined {
  if (side?.data === undefined) return undefined
  return colorText(side) ?? JSON.stringify(side.data).slice(0, 80)
}

function colorText({ type = '', data }: DiffSide): string | undefined {
  if (!isType(type, 'color') || typeof data !== 'object' || data === null) return undefined
  const colors: unknown[] = 'colors' in data && Array.isArray(data.colors) ? data.colors : []
  const color = readColor({ colors, meta: data })
  return color && cssOf(color)
}

function versionText(version: number): string {
  return version === 0 ? 'draft' : `version ${version}`
}
