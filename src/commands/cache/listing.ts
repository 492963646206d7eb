import type { CacheListing } from './run.js'
import type { CacheEntry } from './entries.js'
import { conversionText } from './names.js'
import { compareStrings } from '../../text/compare.js'
import { paint, type Line } from '../../text/display.js'
import { countText, sizeText } from '../../text/quantities.js'
import { tableLines, type Cell, type Column } from '../../terminal/table.js'
import type { Terminal } from '../../terminal/terminal.js'

const columns: readonly Column[] = [{ shrink: 2, least: 16 }, { shrink: 1, least: 12 }, { align: 'right' }, {}]

/** Renders the entries of a cache by space and name, with totals by kind. */
export function cacheTable(
  { cacheDir, entries, kinds, total }: CacheListing,
  { columns: width }: Pick<Terminal, 'columns'>,
): Line[] {
  if (total.entries === 0) return [`The cache ${cacheDir} is empty.`]
  const sorted = entries.toSorted(
    (a, b) => compareStrings(spaceOf(a), spaceOf(b)) || compareStrings(nameOfEntry(a), nameOfEntry(b)),
  )
  // Align the columns of all spaces.
  const cells = sorted.map((entry) => entryCells(entry))
  const rows = tableLines(cells, { columns, width, indent: 2 })
  const amounts = kinds.filter((kind) => kind.entries > 0)
  return [
    ...sorted.flatMap((entry, at): Line[] => {
      const space = spaceOf(entry)
      const isFirst = at === 0 || spaceOf(sorted[at - 1] ?? entry) !== space
      return [...(isFirst ? [[paint('bold', space)]] : []), rows[at] ?? '']
    }),
    '',
    ...tableLines(
      [...amounts, { kind: 'total', ...total }].map(({ kind, entries: count, size }) => [
        kind,
        countText(count, 'entry', 'entries'),
        paint('bold', sizeText(size)),
      ]),
      { columns: [{}, { align: 'right' }, { align: 'right' }], width },
    ),
    [paint('dim', cacheDir)],
  ]
}

/** Describes an entry on one line: its name, kind, size and age. */
export function entryCells(entry: CacheEntry): Cell[] {
  return [nameOfEntry(entry), kindText(entry), sizeText(entry.size), paint('dim', ageText(entry.used))]
}

/** Returns the name of an entry, or otherwise the beginning of its uuid or hash. */
function nameOfEntry({ name, of }: CacheEntry): string {
  return name ?? of.replace(/^sha256-/, '').slice(0, 8)
}

function kindText({ kind, detail }: CacheEntry): string {
  if (kind === 'conversion') return conversionText(detail ?? '')
  if (kind === 'cut') return `${detail} cut`
  if (kind === 'snapshot') return detail === '0' ? 'listing of the draft' : `listing of version ${detail}`
  return kind === 'other' ? 'of another version of content-space' : kind
}

/** Returns the space of an entry: `https://content.example.com/ 7` becomes `https://content.example.com (space 7)`. */
function spaceOf({ space, sourceSpace, kind }: CacheEntry): string {
  const key = space ?? sourceSpace
  if (key === undefined) return kind === 'conversion' ? 'conversions of files that are no longer in the cache' : 'other'
  const [, address, id] = /^(https?:\/\/\S+?)\/? (.*)$/.exec(key) ?? []
  return address === undefined ? key : `${address} (space ${id})`
}

/** Formats the time since a date: `today`, `yesterday`, `12 days ago`. @param date ISO 8601 */
function ageText(date: string | undefined): string {
  if (date === undefined) return ''
  const days = Math.floor(Date.now() / 86_400_000) - Math.floor(Date.parse(date) / 86_400_000)
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  return days < 60 ? `${days} days ago` : `${Math.floor(days / 30)} months ago`
}
