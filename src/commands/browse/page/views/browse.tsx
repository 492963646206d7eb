import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type Ground } from '../app/settings.js'
import type { Copies, KitEntry, Usage } from '../../../shared/kit-page/data.js'
import { Detail } from '../detail/detail.js'
import { barHeight, focusCell, Grid, reveal } from '../grid/grid.js'
import { groupsFor } from '../grid/results.js'
import { useTextHeights } from '../grid/ruler.js'
import { useSeenGroup, type SeenGroup } from '../grid/seen.js'
import { useWidth } from '../grid/viewport.js'
import { arrange, measure, type Layout } from '../layout.js'
import { assetOf, referenceIn, type KitModel } from '../../../shared/kit-page/model.js'
import { formatRoute, type Route } from '../route.js'
import type { Found } from '../../../shared/kit-page/search/search.js'
import type { Navigation } from '../app/navigation.js'
import { Notice } from './states.js'

/** Lets keyboard shortcuts elsewhere move within the grid. */
export interface BrowseHandle {
  focusFirst: () => void
  openFirst: () => void
}

export interface BrowseProperties {
  entry: KitEntry
  model: KitModel
  usage: Usage | undefined
  copies: Copies
  navigation: Navigation
  text: string
  found: Found
  base: Partial<Route>
  handle: { current: BrowseHandle | null }
  onText: (text: string) => void
  onGround: (ground: Ground) => void
  onSeen: (seen: SeenGroup | undefined) => void
}

const noLayout: Layout = { metrics: measure(0), blocks: [], cells: [], height: 0 }

/** The grid of a kit, and the details of an asset beside it. */
export function Browse(properties: BrowseProperties) {
  const { entry, model, usage, copies, navigation, text, found, base, handle, onText, onGround, onSeen } = properties
  const { route, go } = navigation
  const frame = useRef<HTMLDivElement>(null)
  const width = useWidth(frame)
  const groups = useMemo(() => groupsFor(model, text, found), [model, text, found])
  const metrics = useMemo(() => measure(width), [width])
  const { heights, ruler } = useTextHeights(model, width, metrics)
  const isMeasured = width > 0 && heights !== undefined
  const layout = useMemo(() => (isMeasured ? arrange(groups, metrics, heights) : noLayout), [groups, metrics, heights])
  const subject = `${model.kit.uuid} ${model.kit.version} ${text}`
  const [active, setActive] = useActive(layout, subject)
  const asset = route.asset === undefined ? undefined : assetOf(model, route.asset)
  const open = useMemo(() => cellOf(layout, asset?.uuid, active), [layout, asset, active])
  const routeTo = (cell: number): Partial<Route> => {
    const { asset: target } = layout.cells[cell] ?? {}
    return { ...base, search: text, ...(target && { asset: referenceIn(model, target) }) }
  }
  const show = (cell: number, isReplaced: boolean) => {
    if (!layout.cells[cell]) return
    setActive(cell)
    reveal(frame.current, layout, cell)
    go(routeTo(cell), isReplaced)
  }
  const close = () => {
    go({ ...base, search: text }, true)
    requestAnimationFrame(() => focusCell(frame.current, active))
  }
  useSeenGroup(frame, layout, onSeen)
  useVisit({ frame, layout, navigation, open, onActive: setActive })
  useEffect(() => {
    if (open !== -1) setActive(open)
  }, [open])
  useLayoutEffect(() => {
    handle.current = {
      focusFirst: () => {
        setActive(0)
        reveal(frame.current, layout, 0)
        requestAnimationFrame(() => focusCell(frame.current, 0))
      },
      openFirst: () => show(0, false),
    }
  })
  const isKitUsed = (usage?.kits[entry.uuid]?.length ?? 0) > 0
  return (
    <>
      {route.asset !== undefined && !asset && <Missing reference={route.asset} />}
      {model.groups.every(({ assets, texts }) => assets.length + texts.length === 0) && (
        <Notice icon="empty" title="This kit is empty">
          <p class="notice-text">Assets appear here as soon as the kit has some.</p>
        </Notice>
      )}
      {model.index.assets.length > 0 && found.assets.length === 0 && (
        <NoResult text={text} found={found} onText={onText} />
      )}
      <Grid
        frame={frame}
        layout={layout}
        active={active}
        onActive={setActive}
        hrefOf={(target) => formatRoute({ ...base, search: text, asset: referenceIn(model, target) })}
        onOpen={(cell) => show(cell, open !== -1)}
        usesOf={(target) => usage && (usage.assets[target.uuid]?.places.length ?? 0)}
        subject={subject}
        open={open === -1 ? undefined : open}
      />
      {ruler}
      {asset && (
        <Detail
          model={model}
          asset={asset}
          at={open}
          total={layout.cells.length}
          usage={usage?.assets[asset.uuid]}
          copies={copies[asset.uuid] ?? []}
          isUsageKnown={usage !== undefined}
          isKitUsed={isKitUsed}
          onGround={onGround}
          onStep={(offset) => open !== -1 && show(open + offset, true)}
          onClose={close}
        />
      )}
    </>
  )
}

/**
 * Keeps track of the cell with the keyboard focus. The focus follows its asset when the content changes, and moves to
 * the first of new results.
 */
function useActive(layout: Layout, subject: string) {
  const [chosen, setActive] = useState(0)
  const before = useRef<{ layout: Layout; subject: string; uuid: string | undefined } | undefined>(undefined)
  const active = Math.max(0, Math.min(chosen, layout.cells.length - 1))
  useLayoutEffect(() => {
    const { current: last } = before
    before.current = { layout, subject, uuid: layout.cells[active]?.asset.uuid }
    if (!last || last.layout === layout || last.layout.cells.length === 0) return
    const cell = last.subject === subject ? cellOf(layout, last.uuid, active) : 0
    if (cell === -1 || cell === active) return
    before.current.uuid = layout.cells[cell]?.asset.uuid
    setActive(cell)
  })
  return [active, setActive] as const
}

/** Returns the cell of an asset. If the asset occurs twice, prefers the cell with the keyboard focus. */
function cellOf(layout: Layout, uuid: string | undefined, active: number): number {
  if (uuid === undefined) return -1
  if (layout.cells[active]?.asset.uuid === uuid) return active
  return layout.cells.findIndex((cell) => cell.asset.uuid === uuid)
}

interface VisitProperties {
  frame: RefObject<HTMLDivElement | null>
  layout: Layout
  navigation: Navigation
  open: number
  onActive: (cell: number) => void
}

/** Scrolls to the section or the asset of an opened URL, as soon as it can be displayed. */
function useVisit({ frame, layout, navigation: { route, visit }, open, onActive }: VisitProperties): void {
  const done = useRef(-1)
  useLayoutEffect(() => {
    if (done.current === visit || layout.blocks.length === 0) return
    const isFirst = done.current === -1
    done.current = visit
    const grid = frame.current
    if (open !== -1) {
      onActive(open)
      reveal(grid, layout, open, isFirst)
    }
    if (route.section === undefined || !grid) return
    const block = layout.blocks.find(({ section, heading }) => section === route.section && heading === route.heading)
    if (!block) return
    scrollBy(0, block.top === 0 ? -scrollY : grid.getBoundingClientRect().top + block.top - barHeight())
    onActive(Math.min(block.first, layout.cells.length - 1))
  }, [frame, layout, route, visit, open, onActive])
}

function Missing({ reference }: { reference: string }) {
  return (
    <p class="banner" role="status">
      This version has no asset <code>{reference}</code>.
    </p>
  )
}

function NoResult({ text, found, onText }: { text: string; found: Found; onText: (text: string) => void }) {
  const { suggestion } = found
  return (
    <Notice icon="search" title="Nothing found">
      <p class="notice-text" dir="auto">
        No asset matches “{text.trim()}”.
      </p>
      {suggestion !== undefined && (
        <p class="notice-text">
          Did you mean{' '}
          <button type="button" class="text-button" onClick={() => onText(suggestion)}>
            {suggestion}
          </button>
          ?
        </p>
      )}
      <button type="button" class="button" onClick={() => onText('')}>
        Clear search
      </button>
    </Notice>
  )
}
