import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { AssetData } from '../../../shared/kit-page/data.js'
import { bottomOf, captionOf, cellAt, isBare, rowsBetween, step, topOf, type Block, type Layout } from '../layout.js'
import { Texts } from './texts.js'
import { Tile } from './tile.js'
import { useViewport, type Viewport } from './viewport.js'

export interface GridProperties {
  /** The element whose width determines the layout. */
  frame: RefObject<HTMLDivElement | null>
  layout: Layout
  /** The cell with the keyboard focus. */
  active: number
  onActive: (cell: number) => void
  hrefOf: (asset: AssetData) => string
  onOpen: (cell: number) => void
  usesOf: (asset: AssetData) => number | undefined
  /** Changes with the search. The grid then scrolls to the first results; otherwise, it keeps its position. */
  subject: string
  /** The cell with the open details. */
  open?: number | undefined
}

/** Returns the height of the bar that sticks to the top of the window. */
export const barHeight = (): number => document.querySelector('.bar')?.getBoundingClientRect().height ?? 0

const arrows = new Set(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'])

export function Grid(properties: GridProperties) {
  const { frame, layout, active, onActive } = properties
  const viewport = useViewport(frame)
  useAnchor(properties)
  const focus = useRef<number | undefined>(undefined)
  useLayoutEffect(() => {
    if (focus.current !== active) return
    focus.current = undefined
    focusCell(frame.current, active)
  })
  const move = (event: KeyboardEvent) => {
    if (!arrows.has(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const to = step(layout, active, event.key)
    focus.current = to
    reveal(frame.current, layout, to)
    onActive(to)
    // Without a change, nothing is rendered, so the effect doesn't run.
    if (to === active) focusCell(frame.current, to)
  }
  return (
    <div class="grid" ref={frame} onKeyDown={move}>
      {layout.metrics.columns > 0 &&
        layout.blocks.map((block, at) => (
          <GridBlock key={at} {...properties} block={block} at={at} viewport={viewport} />
        ))}
    </div>
  )
}

type BlockProperties = GridProperties & { block: Block; at: number; viewport: Viewport }

function GridBlock(properties: BlockProperties) {
  const { block, at, layout, viewport, active } = properties
  const { metrics } = block
  const isNear = block.top < viewport.to && block.top + block.height > viewport.from
  const activeRow = layout.cells[active]?.block === at ? layout.cells[active]?.row : undefined
  const style = { height: `${block.height}px` }
  // Far from the visible part, render only the names, because they form the outline of the page.
  if (!isNear && activeRow === undefined)
    return (
      <div class="block" style={style}>
        <BlockHead block={block} />
      </div>
    )
  const [from, to] = rowsBetween(block, viewport.from, viewport.to)
  const cells: number[] = []
  for (const [index] of block.assets.entries()) {
    const row = Math.floor(index / metrics.columns)
    // Keep the focused cell, wherever the page is scrolled to.
    if ((row >= from && row < to) || row === activeRow) cells.push(block.first + index)
  }
  const rows = { gridTemplateColumns: `repeat(${metrics.columns}, minmax(0, 1fr))`, gridAutoRows: `${metrics.row}px` }
  return (
    <div class="block" style={style}>
      <BlockHead block={block} />
      {block.texts.length > 0 && <Texts texts={block.texts} />}
      {block.assets.length > 0 ? (
        <ul class="tiles" aria-label={labelOfBlock(block)} style={rows}>
          {cells.map((cell) => (
            <GridCell key={keyOfCell(block, cell)} {...properties} cell={cell} />
          ))}
        </ul>
      ) : (
        block.isEmpty && <p class="block-empty">Nothing in this section yet.</p>
      )}
    </div>
  )
}

function labelOfBlock({ texts, headingName, sectionName }: Block): string {
  const last = texts.at(-1)
  return (last && 'gallery' in last && last.gallery) || (headingName ?? sectionName)
}

/** Returns the key of an asset, so that it keeps its element and the focus when other assets are added. */
function keyOfCell({ assets, first }: Block, cell: number): string {
  const asset = assets[cell - first]?.asset
  const isRepeated = assets.findIndex((shown) => shown.asset === asset) !== cell - first
  return `${asset?.uuid}${isRepeated ? ` ${cell}` : ''}`
}

function BlockHead({ block }: { block: Block }) {
  if (block.isContinued) return null
  if (block.headingName !== undefined)
    return (
      <h3 class="block-heading" dir="auto">
        {block.headingName}
      </h3>
    )
  if (!block.isFirst) return <div class="block-results" />
  return (
    <h2 class={`block-section ${isBare(block) ? 'is-bare' : ''}`}>
      <span dir="auto">{block.sectionName}</span>
      <span class="count">{block.count}</span>
    </h2>
  )
}

function GridCell({ cell, ...properties }: BlockProperties & { cell: number }) {
  const { layout, block, active, open, hrefOf, onOpen, onActive, usesOf } = properties
  const place = layout.cells[cell]
  if (!place) return null
  return (
    <li
      class="cell"
      style={{ gridRow: place.row + 1, gridColumn: place.column + 1, '--picture': `${block.metrics.picture}px` }}
      aria-setsize={block.assets.length}
      aria-posinset={cell - block.first + 1}
    >
      <Tile
        asset={place.asset}
        caption={captionOf(place, block.kind)}
        guide={block.kind === 'guides' ? place.guide : undefined}
        cell={cell}
        href={hrefOf(place.asset)}
        isActive={cell === active}
        isOpen={cell === open}
        uses={usesOf(place.asset)}
        onOpen={onOpen}
        onActive={onActive}
      />
    </li>
  )
}

export function focusCell(grid: HTMLElement | null, cell: number): void {
  grid?.querySelector<HTMLElement>(`[data-cell="${cell}"]`)?.focus({ preventScroll: true })
}

/** Scrolls just far enough to reveal a cell, or until it is in the middle. */
export function reveal(grid: HTMLElement | null, layout: Layout, cell: number, isCentered = false): void {
  if (!grid) return
  const top = grid.getBoundingClientRect().top + topOf(layout, cell)
  const height = bottomOf(layout, cell) - topOf(layout, cell)
  const bottom = top + height
  const bar = barHeight() + 12
  if (isCentered) scrollBy(0, top - (innerHeight - height) / 2)
  else if (top < bar) scrollBy(0, cell === 0 ? -scrollY : top - bar)
  else if (bottom > innerHeight) scrollBy(0, bottom - innerHeight)
}

/** Keeps the visible part in place when the width or the content changes the layout. */
function useAnchor({ frame, layout, subject, open }: GridProperties): void {
  const anchor = useRef<{ uuid: string; cell: number; y: number } | undefined>(undefined)
  const before = useRef({ subject, layout })
  useLayoutEffect(() => {
    const grid = frame.current
    const { current: last } = before
    before.current = { subject, layout }
    if (!grid || last.layout === layout) return
    const top = grid.getBoundingClientRect().top
    if (last.subject !== subject) {
      if (top < barHeight()) scrollBy(0, top - barHeight())
      return
    }
    const { current: kept } = anchor
    if (!kept || top > 0) return
    const isKept = (cell: number): boolean => layout.cells[cell]?.asset.uuid === kept.uuid
    const cell = isKept(kept.cell) ? kept.cell : layout.cells.findIndex((_, index) => isKept(index))
    if (cell !== -1) scrollBy(0, top + topOf(layout, cell) - kept.y)
  }, [frame, layout, subject])
  useLayoutEffect(() => {
    const remember = () => {
      const grid = frame.current
      if (!grid) return
      const { top } = grid.getBoundingClientRect()
      const yOf = (cell: number): number => top + topOf(layout, cell)
      const isOpenSeen = open !== undefined && yOf(open) > 0 && yOf(open) < innerHeight
      const cell = isOpenSeen ? open : cellAt(layout, barHeight() - top)
      const { asset } = layout.cells[cell] ?? {}
      anchor.current = asset && { uuid: asset.uuid, cell, y: yOf(cell) }
    }
    remember()
    addEventListener('scroll', remember, { passive: true })
    return () => removeEventListener('scroll', remember)
  }, [frame, layout, open])
}
