import type { AssetData } from './data.js'
import type { Group } from './model.js'

/** Pixels of the grid. The style sheet gets them as custom properties. */
export interface Metrics {
  columns: number
  /** The height of a picture. */
  picture: number
  /** The height of a row, with the gap below it. */
  row: number
  gap: number
}

/** A group of the grid, and where it is. All heights are known before anything is drawn. */
export interface Block extends Group {
  top: number
  /** The height of the names of section and heading. */
  head: number
  height: number
  /** The position of the first asset among all. */
  first: number
}

export interface Layout {
  metrics: Metrics
  blocks: Block[]
  height: number
  /** In display order. An asset that is shown twice is there twice. */
  cells: { asset: AssetData; block: number; row: number; column: number }[]
}

/** Heights of `styles/grid.css`. */
const text = 48
const sectionHead = 72
/** Of a section that begins with a heading. */
const bareHead = 60
const headingHead = 48
/** Space above results, which have no name. */
const resultsHead = 24
const emptyBody = 56

export function measure(width: number): Metrics {
  const gap = width < 560 ? 12 : 20
  const target = width < 560 ? 150 : 172
  const columns = Math.max(2, Math.floor((width + gap) / (target + gap)))
  const picture = Math.round(((width - gap * (columns - 1)) / columns) * 0.75)
  return { columns, picture, gap, row: picture + text + gap }
}

export function arrange(groups: readonly Group[], metrics: Metrics): Layout {
  const layout: Layout = { metrics, blocks: [], height: 0, cells: [] }
  for (const group of groups) {
    const isEmpty = group.assets.length === 0
    // A section that begins with a heading has no assets of its own: it is not empty.
    const isGap = isEmpty && (!group.isFirst || group.count > 0)
    const head = headOf(group)
    const rows = Math.ceil(group.assets.length / metrics.columns)
    const height = head + (isEmpty && !isGap ? emptyBody : rows * metrics.row)
    const block = layout.blocks.length
    layout.blocks.push({ ...group, top: layout.height, head, height, first: layout.cells.length })
    layout.height += height
    for (const [at, asset] of group.assets.entries())
      layout.cells.push({ asset, block, row: Math.floor(at / metrics.columns), column: at % metrics.columns })
  }
  return layout
}

function headOf({ heading, isFirst, assets, count }: Group): number {
  if (heading !== undefined) return headingHead
  if (!isFirst) return resultsHead
  return assets.length === 0 && count > 0 ? bareHead : sectionHead
}

/** The distance of a cell from the top of the grid. */
export function topOf(layout: Layout, cell: number): number {
  const { block = 0, row = 0 } = layout.cells[cell] ?? {}
  const { top = 0, head = 0 } = layout.blocks[block] ?? {}
  return top + head + row * layout.metrics.row
}

/** The rows of a block that are between two distances from the top of the grid. */
export function rowsBetween(block: Block, row: number, from: number, to: number): [from: number, to: number] {
  const top = block.top + block.head
  const rows = Math.round((block.height - block.head) / row)
  return [Math.max(0, Math.floor((from - top) / row)), Math.min(rows, Math.ceil((to - top) / row))]
}

/** The first cell at or below a distance from the top. */
export function cellAt(layout: Layout, distance: number): number {
  let low = 0
  let high = layout.cells.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (topOf(layout, middle) + layout.metrics.row <= distance) low = middle + 1
    else high = middle
  }
  return low
}

/** Where an arrow key leads from a cell. Up and down keep the column, across the names of sections. */
export function step(layout: Layout, cell: number, key: string): number {
  const last = layout.cells.length - 1
  if (key === 'Home') return 0
  if (key === 'End') return last
  if (key === 'ArrowLeft') return Math.max(0, cell - 1)
  if (key === 'ArrowRight') return Math.min(last, cell + 1)
  const isSameRow = (one: number, other: number): boolean =>
    layout.cells[one]?.block === layout.cells[other]?.block && layout.cells[one]?.row === layout.cells[other]?.row
  let at = cell
  while (layout.cells[at] && isSameRow(at, cell)) at += key === 'ArrowDown' ? 1 : -1
  const row = layout.cells[at]
  if (!row) return cell
  // The row may be shorter than the one before.
  let to = at - row.column + (layout.cells[cell]?.column ?? 0)
  while (!isSameRow(to, at)) to -= 1
  return to
}
