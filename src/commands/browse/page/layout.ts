import { textOfItem } from '../../shared/kit-page/items.js'
import type { Group, ShownAsset } from '../../shared/kit-page/model.js'

/** Pixel sizes of the grid. The style sheet receives them as custom properties. */
export interface Metrics {
  columns: number
  /** The height of a picture. */
  picture: number
  /** The height of a row, with the gap below it. */
  row: number
  gap: number
}

/** A group of the grid with its position. All heights are known before anything is rendered. */
export interface Block extends Group {
  top: number
  metrics: Metrics
  /** The height of the names of section and heading, and of the text below them. */
  head: number
  height: number
  /** The position of the group's first asset among all assets. */
  first: number
}

export interface Layout {
  metrics: Metrics
  blocks: Block[]
  height: number
  /** In display order. An asset may occur several times. */
  cells: (ShownAsset & { block: number; row: number; column: number })[]
}

/** Measured heights of the text of a group. */
export interface TextHeights {
  texts: number
  /** The height of its tallest guide. */
  guide: number
}

/** Heights from `styles/grid.css`. */
const text = 48
const sectionHead = 72
/** The head of a section that begins with a heading. */
const bareHead = 60
const headingHead = 48
/** Space above search results, which don't have a name. */
const resultsHead = 24
const emptyBody = 56
const caption = 36
/** Space above the text of a guide. */
const guideTop = 12

export function measure(width: number): Metrics {
  const gap = width < 560 ? 12 : 20
  const target = width < 560 ? 150 : 172
  const columns = Math.max(2, Math.floor((width + gap) / (target + gap)))
  const picture = Math.round(((width - gap * (columns - 1)) / columns) * 0.75)
  return { columns, picture, gap, row: picture + text + gap }
}

/** Returns the metrics of a group: guides have fewer columns, and captions need space. */
export function metricsOf({ kind, assets }: Group, metrics: Metrics, guide = 0): Metrics {
  const { columns, gap, picture } = kind === 'guides' ? guideMetrics(metrics) : metrics
  const captions = assets.some((shown) => captionOf(shown, kind)) ? caption : 0
  return { columns, gap, picture, row: picture + text + (kind === 'guides' ? guideTop + guide : 0) + captions + gap }
}

function guideMetrics({ columns, picture, ...rest }: Metrics): Metrics {
  return { ...rest, columns: Math.max(1, Math.floor(columns / 2)), picture: Math.round(picture * 1.5) }
}

/**
 * Returns the text below the name of an asset: its caption, plus the text of its guide unless that is beside the asset.
 */
export function captionOf({ asset, ...shown }: ShownAsset, kind: Group['kind']): string {
  return kind === 'guides' ? (shown.caption ?? '') : textOfItem({ asset: asset.uuid, ...shown })
}

/** @param heights by `Group.at` */
export function arrange(groups: readonly Group[], metrics: Metrics, heights: readonly TextHeights[] = []): Layout {
  const layout: Layout = { metrics, blocks: [], height: 0, cells: [] }
  for (const group of groups) {
    const measured = heights[group.at]
    const head = headOf(group) + (group.texts.length > 0 ? (measured?.texts ?? 0) : 0)
    const own = metricsOf(group, metrics, measured?.guide)
    const rows = Math.ceil(group.assets.length / own.columns)
    const height = head + (group.isEmpty ? emptyBody : rows * own.row)
    const block = layout.blocks.length
    layout.blocks.push({ ...group, metrics: own, top: layout.height, head, height, first: layout.cells.length })
    layout.height += height
    for (const [at, shown] of group.assets.entries())
      layout.cells.push({ ...shown, block, row: Math.floor(at / own.columns), column: at % own.columns })
  }
  return layout
}

function headOf(group: Group): number {
  if (group.isContinued) return 0
  if (group.heading !== undefined) return headingHead
  if (!group.isFirst) return resultsHead
  return isBare(group) ? bareHead : sectionHead
}

/** Returns whether a section begins with a heading, or with nothing visible. */
export function isBare({ assets, texts, isEmpty }: Group): boolean {
  return assets.length + texts.length === 0 && !isEmpty
}

/** Returns the distance of a cell from the top of the grid. */
export function topOf(layout: Layout, cell: number): number {
  const { block = 0, row = 0 } = layout.cells[cell] ?? {}
  return rowTop(layout.blocks[block], row)
}

function rowTop(block: Block | undefined, row: number): number {
  return block ? block.top + block.head + row * block.metrics.row : 0
}

/** Returns the distance of the end of a cell from the top of the grid. */
export function bottomOf(layout: Layout, cell: number): number {
  const { block = 0, row = 0 } = layout.cells[cell] ?? {}
  return rowTop(layout.blocks[block], row + 1)
}

/** Returns the rows of a block between two distances from the top of the grid. */
export function rowsBetween(block: Block, from: number, to: number): [from: number, to: number] {
  const top = block.top + block.head
  const { row } = block.metrics
  const rows = Math.round((block.height - block.head) / row)
  return [Math.max(0, Math.floor((from - top) / row)), Math.min(rows, Math.ceil((to - top) / row))]
}

/** Returns the first cell at or below a distance from the top. */
export function cellAt(layout: Layout, distance: number): number {
  let low = 0
  let high = layout.cells.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (bottomOf(layout, middle) <= distance) low = middle + 1
    else high = middle
  }
  return low
}

/** Returns where an arrow key leads from a cell. Up and down keep the column across sections. */
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
  // The row may be shorter than the previous one.
  let to = at - row.column + (layout.cells[cell]?.column ?? 0)
  while (!isSameRow(to, at)) to -= 1
  return to
}
