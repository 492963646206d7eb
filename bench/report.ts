/**
 * How much a comparison measures. `quick` uses fewer rounds and smaller kits, so that all comparisons together take
 * three minutes.
 */
export type Scale = 'full' | 'quick'

/** A measured value, and the largest value that meets the target. */
interface Figure {
  /** A ratio of medians, or a median if it has a unit. The target is for this value. */
  now: number
  /** The same, for each side's fastest run. */
  least?: number
  target?: number
  /** The value of `now` for the package that `--against` names. */
  other?: number | undefined
  /** By default, the value is a ratio, which has no unit. */
  unit?: 'MB' | 'ms' | 's'
}

/** A row in the table of targets: this package's work, and what it is compared with. */
export interface Row {
  work: string
  against: string
  figures: Figure[]
}

/** The rows for one version of Node. */
export interface Column {
  node: string
  rows: Row[]
}

/** Prints any details, and returns the comparison's rows in the table of targets. */
export type Comparison = (scale: Scale) => Promise<Row[]>

/** Prints the table of targets. Each version of Node has separate columns. */
export function printRows(columns: readonly Column[]): void {
  const against = columns.some(({ rows }) => rows.some(({ figures }) => figures.some((one) => one.other !== undefined)))
  const heads = columns.flatMap(({ node }) => [
    `${node}: medians`,
    'minima',
    'met',
    ...(against ? ['now : tarball'] : []),
  ])
  const [first] = columns
  const lines = (first?.rows ?? []).map(({ work, against: to, figures }, at) => [
    work,
    to,
    figures.map(({ target, unit }) => (target === undefined ? '' : text(target, unit))).join('; '),
    ...columns.flatMap(({ rows }) => {
      const all = rows[at]?.figures ?? []
      return [
        all.map(({ now, unit }) => text(roundTo(now, unit), unit)).join('; '),
        all.map(({ least, unit }) => (least === undefined ? '' : text(roundTo(least, unit), unit))).join('; '),
        all.map(verdict).join('; '),
        ...(against
          ? [all.map(({ now, other }) => (other === undefined ? '' : ratioText(now / other))).join('; ')]
          : []),
      ]
    }),
  ])
  printTable([['work', 'against', 'target', ...heads], ...lines])
}

/** Prints a Markdown table whose first row is the header. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const [head = [], ...rest] = rows
  for (const row of [head, head.map(() => '---'), ...rest]) console.log(`| ${row.join(' | ')} |`)
  console.log()
}

/** Returns a ratio with two decimals, as in tables. */
export function ratioText(ratio: number): string {
  return ratio.toFixed(2)
}

/** Compares the rounded values in the table: 1.154 meets a target of 1.15. */
function verdict({ now, target, unit }: Figure): string {
  if (target === undefined) return ''
  return Number(roundTo(now, unit)) <= target ? 'yes' : 'no'
}

function roundTo(value: number, unit: Figure['unit']): string {
  return unit === 'MB' || unit === 'ms' ? value.toFixed(value < 10 ? 1 : 0) : value.toFixed(2)
}

function text(value: number | string, unit: Figure['unit']): string {
  return unit === undefined ? String(value) : `${value} ${unit}`
}
