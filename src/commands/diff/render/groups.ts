import { isType } from '../../../space/asset-type.js'
import { cssOf, readColor } from '../../../space/color.js'
import { compareStrings } from '../../../text/compare.js'
import { countText, sizeText } from '../../../text/quantities.js'
import { differences, type Difference } from '../compare.js'
import type { KitEntry } from '../kits.js'
import type { Release } from '../releases.js'
import type { Diff, DiffEntry, DiffSide } from '../report.js'
import type { ComparedVersions } from '../versions.js'
import { partTexts, partTotals, type PartText } from './parts.js'

/** The differences of one kit between two of its versions, which every rendering shows together. */
export interface Group {
  /** `brand: version 1 (Spring) → version 2 (Summer)` */
  title: string
  /** The versions in between that have a label or notes, oldest first. */
  releases: ReleaseText[]
  entries: { difference: Difference; entry: DiffEntry }[]
  parts: PartText[]
}

/** A version with its release notes. */
export interface ReleaseText {
  /** `version 2 (Summer)` */
  title: string
  /** The lines of the notes without empty ones, and at most `maxLines`. */
  lines: string[]
}

/** Lines of release notes that are shown. */
const maxLines = 12

/** Groups entries by kit and versions. Removed and renamed assets come first, because they break imports. */
export function groupsOf(diff: Diff): Group[] {
  const groups = new Map<string, Group>()
  const groupOf = (kit: string, { from, to, labels, releases = [] }: Partial<ComparedVersions>): Group => {
    const now = from === to ? 'now' : versionText(to, labels?.to)
    const title = `${kit}: ${versionText(from, labels?.from)} → ${now}`
    const group = groups.get(title) ?? { title, releases: releases.map(releaseText), entries: [], parts: [] }
    groups.set(title, group)
    return group
  }
  for (const difference of ['removed', 'renamed', 'changed', 'added'] as const) {
    for (const entry of diff[difference]) groupOf(entry.kit, entry.versions).entries.push({ difference, entry })
  }
  for (const { kit, versions, part } of partTexts(diff)) groupOf(kit, versions).parts.push(part)
  for (const { kit, versions } of kitEntries(diff)) groupOf(kit, versions)
  return [...groups.values()].toSorted((a, b) => compareStrings(a.title, b.title))
}

/** `1 added, 2 removed; sections: 1 renamed; 3 lines of the source would break` */
export function totals(diff: Diff): string {
  const entries = differences.flatMap((difference) => diff[difference])
  const parts = partTexts(diff)
  if (entries.length + parts.length + kitEntries(diff).length === 0) return 'no differences'
  const shown = differences.flatMap((difference) => diff[difference].map((entry) => wordOf(difference, entry)))
  const counts = [...differences, 'replaced' as const].flatMap((word) => {
    const count = shown.filter((one) => one === word).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const breaks = [...entries, ...parts.map(({ part }) => part)].flatMap((one) => one.breaks)
  const lines = new Set(breaks.map(({ file, line }) => `${file}:${line}`))
  const broken = lines.size === 0 ? [] : [`${countText(lines.size, 'line')} of the source would break`]
  return [...(counts.length === 0 ? [] : [counts.join(', ')]), ...partTotals(diff), ...broken].join('; ')
}

/** The word for a difference: the detail where an entry has one. */
export function wordOf(difference: Difference, { detail }: Pick<DiffEntry, 'detail'>): Difference | 'replaced' {
  return detail ?? difference
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

function kitEntries({ kits }: Diff): KitEntry[] {
  return Object.values(kits ?? {}).flat()
}

/** @param version undefined for a kit that was added or removed */
function versionText(version: number | undefined, label = ''): string {
  if (version === undefined) return 'not in the lockfile'
  if (version === 0) return 'draft'
  return label === '' ? `version ${version}` : `version ${version} (${label})`
}

function releaseText({ version, label, notes }: Release): ReleaseText {
  const lines = notes
    .split(/[\n\v\f\r\u0085\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines), '…'] : lines
  return { title: versionText(version, label), lines: shown }
}
