import truncated from 'fast-string-truncated-width'
import { oneLine, plainText, type Line, type Part } from '../text/display.js'

export interface Column {
  align?: 'left' | 'right'
  /** If set, the column may shrink to `least` characters. Columns with lower numbers shrink first. */
  shrink?: number
  least?: number
  optional?: boolean
}

export interface TableStyle {
  columns: readonly Column[]
  /** The width of the terminal in columns. Undefined if the length of lines isn't limited. */
  width: number | undefined
  /** The number of spaces in front of each row. */
  indent?: number
}

export type Cell = Part | readonly Part[]

const gap = 2
const ellipsis = '…'

/** Returns the number of columns that a string takes in a terminal. Most Asian characters and emoji take two. */
export function widthOf(text: string): number {
  return plain.test(text) ? text.length : truncated(text).width
}

/** Matches printable ASCII, in which each character takes one column. */
const plain = /^[ -~]*$/

/** Truncates a string to a number of terminal columns. Adds `…` if it was truncated. */
export function cut(text: string, width: number): string {
  if (text.length <= width && plain.test(text)) return text
  const { index, truncated: isCut } = truncated(text, { limit: width, ellipsis, ellipsisWidth: 1 })
  return isCut ? `${text.slice(0, index)}${ellipsis}` : text
}

/** Wraps text between words, so that the lines fit the terminal. Doesn't break words that are too wide. */
export function wrapped(text: string, width: number | undefined): string[] {
  if (width === undefined || widthOf(text) <= width) return [text]
  const [indent = ''] = /^ */.exec(text) ?? []
  const lines: string[] = []
  for (const word of text.trim().split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(indent + word)
  }
  return lines
}

/** Aligns cells in columns. Each row is one line, even in a narrow terminal. */
export function tableLines(cells: readonly (readonly Cell[])[], { columns, width, indent = 0 }: TableStyle): Line[] {
  const rows = cells.map((row) => row.map(measured))
  const natural = columns.map((_, at) => rows.reduce((most, row) => Math.max(most, row[at]?.width ?? 0), 0))
  const widths = fitted(natural, columns, width === undefined ? Infinity : width - indent)
  const shown = columns.flatMap(({ align }, at) => (widths[at] ? [{ at, align, columnWidth: widths[at] }] : []))
  return rows.map((row) => {
    const line: Part[] = []
    let space = indent
    for (const { at, align, columnWidth } of shown) {
      const cell = cutCell(row[at] ?? { parts: [], width: 0 }, columnWidth)
      const fill = columnWidth - cell.width
      line.push(' '.repeat(align === 'right' ? space + fill : space), ...cell.parts)
      space = align === 'right' ? gap : gap + fill
    }
    return withoutEnd(line)
  })
}

/** Returns the parts of a cell and its width in columns. */
function measured(cell: Cell): { parts: readonly Part[]; width: number } {
  const given: readonly Part[] = typeof cell === 'string' || 'text' in cell ? [cell] : cell
  const parts = given.map((part) => (typeof part === 'string' ? oneLine(part) : { ...part, text: oneLine(part.text) }))
  return { parts, width: parts.reduce((sum, part) => sum + widthOf(plainText(part)), 0) }
}

/** Returns column widths that fit a line. An empty or omitted column has width 0. */
function fitted(natural: readonly number[], columns: readonly Column[], limit: number): number[] {
  const widths = [...natural]
  const total = (): number => widths.reduce((sum, width) => sum + (width === 0 ? 0 : width + gap), -gap)
  const least = (at: number): number => Math.min(natural[at] ?? 0, columns[at]?.least ?? 8)
  const order = [...columns.keys()]
    .filter((at) => columns[at]?.shrink !== undefined)
    .toSorted((a, b) => (columns[a]?.shrink ?? 0) - (columns[b]?.shrink ?? 0))
  for (const [at, column] of columns.entries()) if (column.optional && total() > limit) widths[at] = 0
  for (const at of order) {
    const excess = total() - limit
    const width = widths[at] ?? 0
    if (excess > 0 && width > 0) widths[at] = Math.max(least(at), width - excess)
  }
  return widths
}

function cutCell(cell: ReturnType<typeof measured>, width: number): typeof cell {
  if (cell.width <= width) return cell
  let left = width
  const parts: Part[] = []
  for (const part of cell.parts) {
    if (left <= 0) break
    const text = cut(plainText(part), left)
    parts.push(typeof part === 'string' ? text : { ...part, text })
    left -= widthOf(text)
  }
  return { parts, width: width - left }
}

function withoutEnd(line: Part[]): Part[] {
  while (line.length > 0 && plainText(line.at(-1) ?? '').trim() === '') line.pop()
  const last = line.at(-1)
  return typeof last === 'string' ? [...line.slice(0, -1), last.trimEnd()] : line
}
