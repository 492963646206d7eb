import { compareStrings } from '../../../text/compare.js'
import { omitUndefined } from '../../../text/omit-undefined.js'
import { countText, sizeText, versionText } from '../../../text/quantities.js'
import { differences, type Difference } from './compare.js'
import type { KitEntry } from './kits.js'
import type { Diff, DiffEntry, DiffSide } from './report.js'
import { tokenOf, type TokenValue } from './token-value.js'
import type { Release } from './versions.js'
import { partTexts, partTotals, type PartText } from './describe-parts.js'

/** The differences between two versions of one kit, which every rendering displays together. */
export interface Group {
  /** `brand: version 1 (Spring) → version 2 (Summer)` */
  title: string
  /** The versions after the first one, up to the second, that have a label or notes. Oldest first. */
  releases: ReleaseText[]
  entries: ShownEntry[]
  parts: PartText[]
}

/** An asset that differs. */
export interface ShownEntry extends PartText {
  /** The values, each in two parts. */
  files: FileText[]
  entry: DiffEntry
}

/** Describes an asset on one side, such as `JPG, 12 kB`. Includes the value of an asset without a file. */
export interface FileText {
  about: string
  value?: string
}

export interface ReleaseText {
  /** `version 2 (Summer)` */
  title: string
  /** The non-empty lines of the notes, at most `maxLines`. */
  lines: string[]
}

/** The maximum number of lines of release notes to display. */
const maxLines = 12

/** The maximum number of characters of other data to display. */
const maxData = 80

/** Groups entries by kit and versions. Removed and renamed assets come first, because they break imports. */
export function groupsOf(diff: Diff): Group[] {
  const groups = new Map<string, Group>()
  const groupOf = ({ kit, versions: { from, to, labels, releases = [] } }: KitEntry): Group => {
    const now = from === to ? 'now' : sideText(to, labels?.to)
    const title = `${kit}: ${sideText(from, labels?.from)} → ${now}`
    const group = groups.get(title) ?? { title, releases: releases.map(releaseText), entries: [], parts: [] }
    groups.set(title, group)
    return group
  }
  const { entries, parts } = shownIn(diff)
  for (const shown of entries) groupOf(shown.entry).entries.push(shown)
  for (const part of parts) groupOf(part.entry).parts.push(part)
  for (const entry of kitEntries(diff)) groupOf(entry)
  return [...groups.values()].toSorted((a, b) => compareStrings(a.title, b.title))
}

/** Lists each difference once: leaves out assets whose color or font is already listed as a token. */
function shownIn(diff: Diff): { entries: ShownEntry[]; parts: PartText[] } {
  const parts = partTexts(diff)
  const tokens = new Map(
    parts
      .filter(({ what }) => what === 'color' || what === 'font')
      .map((part) => [keyOfPart(part.word, part.entry), part] as const),
  )
  const entries = (['removed', 'renamed', 'changed', 'added'] as const).flatMap((difference) =>
    diff[difference].flatMap((entry): ShownEntry[] => {
      const token = tokens.get(keyOfPart(difference, entry))
      if (token === undefined) return [shownEntry(difference, entry)]
      token.breaks = [...entry.breaks, ...token.breaks]
      return []
    }),
  )
  return { entries, parts }
}

function shownEntry(difference: Difference, entry: DiffEntry): ShownEntry {
  const { name, from, to, export: exported, detail } = entry
  const all = (difference === 'changed' ? [from, to] : [to ?? from]).map((side): FileText => {
    const file = detail === 'fields' ? [] : [side?.type, side?.size && sizeText(side.size)]
    const fields = difference === 'changed' ? fieldTexts(side, side === from ? to : from) : []
    const about = [...file, ...fields].filter(Boolean).join(', ')
    return omitUndefined({ about, value: detail === 'fields' ? undefined : dataText(side) })
  })
  const files = [...new Map(all.map((file) => [fileText(file), file])).values()].filter((file) => fileText(file) !== '')
  return {
    word: detail === 'replaced' ? detail : difference,
    what: '',
    title: from !== undefined && to !== undefined && from.name !== to.name ? `${from.name} → ${to.name}` : name,
    names: [...new Set([from?.export ?? exported, exported])],
    place: '',
    values: files.map(fileText),
    files,
    entry,
    breaks: entry.breaks,
  }
}

/** Returns the custom fields of a side whose values differ from the other side, and fields that only one side has. */
function fieldTexts(
  { fields = {} }: Partial<DiffSide> = {},
  { fields: others = {} }: Partial<DiffSide> = {},
): string[] {
  const names = Object.keys({ ...fields, ...others }).toSorted(compareStrings)
  return names.flatMap((name) => {
    const [value, other] = [fields, others].map((side) => [side[name] ?? 'none'].flat().join(', '))
    return value === other ? [] : [`${name}: ${value}`]
  })
}

function keyOfPart(word: string, { uuid, kit, versions: { from, to } }: PartText['entry']) {
  return JSON.stringify([word, uuid, kit, from, to])
}

/** Returns a summary such as `1 added, 2 removed; sections: 1 renamed; 3 lines of the source would break`. */
export function totals(diff: Diff): string {
  const { entries, parts } = shownIn(diff)
  if (entries.length + parts.length + kitEntries(diff).length === 0) return 'no differences'
  const counts = [...differences, 'replaced' as const].flatMap((word) => {
    const count = entries.filter((one) => one.word === word).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const breaks = [...entries, ...parts].flatMap((one) => one.breaks)
  const lines = new Set(breaks.map(({ file, line }) => `${file}:${line}`))
  const broken = lines.size === 0 ? [] : [`${countText(lines.size, 'line')} of the source would break`]
  return [...(counts.length === 0 ? [] : [counts.join(', ')]), ...partTotals(diff), ...broken].join('; ')
}

function fileText({ about, value }: FileText): string {
  return [about, value].filter(Boolean).join(', ')
}

/** Returns the data of an asset without a file: a color as CSS, a font by its family, other data as JSON. */
export function dataText(side: DiffSide | undefined): string | undefined {
  if (side?.data === undefined) return undefined
  const text = JSON.stringify(side.data)
  return tokenIn(side)?.value ?? (text.length > maxData ? `${text.slice(0, maxData)}…` : text)
}

/** Returns an asset without a file as a token. */
export function tokenIn({ type = '', name, size, data }: DiffSide): TokenValue | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const colors: unknown[] = 'colors' in data && Array.isArray(data.colors) ? data.colors : []
  return tokenOf({ type, name, size, colors, meta: data })
}

function kitEntries({ kits }: Diff): KitEntry[] {
  return [...(kits?.added ?? []), ...(kits?.removed ?? []), ...(kits?.updated ?? [])]
}

/** @param version undefined for a kit that was added or removed */
function sideText(version: number | undefined, label?: string): string {
  return version === undefined ? 'not in the lockfile' : versionText(version, label)
}

function releaseText({ version, label, notes }: Release): ReleaseText {
  const lines = notes
    .split(/[\n\v\f\r\u0085\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const shown = lines.length > maxLines ? [...lines.slice(0, maxLines), '…'] : lines
  return { title: versionText(version, label), lines: shown }
}
