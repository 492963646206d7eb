import type { AssetData } from '../data.js'
import { Preview } from '../preview/preview.js'
import { describe } from '../text.js'
import { Name } from '../views/name.js'

interface TileProperties {
  asset: AssetData
  cell: number
  href: string
  isActive: boolean
  isOpen: boolean
  /** Places that use the asset; undefined where nothing is known. */
  uses: number | undefined
  onOpen: (cell: number) => void
  onActive: (cell: number) => void
}

export function Tile({ asset, cell, href, isActive, isOpen, uses, onOpen, onActive }: TileProperties) {
  const open = (event: MouseEvent) => {
    // The browser opens the address in another tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onOpen(cell)
  }
  return (
    <a
      class="tile"
      href={href}
      data-cell={cell}
      data-export={asset.export}
      tabIndex={isActive ? 0 : -1}
      aria-current={isOpen ? 'true' : undefined}
      onClick={open}
      onFocus={() => onActive(cell)}
      draggable={false}
    >
      <div class="tile-picture">
        <Preview asset={asset} />
      </div>
      <Name class="tile-name" text={asset.name} />
      <span class="tile-meta">
        <span class="tile-facts">{describe(asset)}</span>
        {uses !== undefined && uses > 0 && (
          <span class="uses" title={`Used in ${uses} ${uses === 1 ? 'place' : 'places'}`}>
            <span class="hidden">, used in </span>
            {uses}
          </span>
        )}
      </span>
    </a>
  )
}
