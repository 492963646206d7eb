import type { AssetData, GuideData } from '../../../shared/kit-page/data.js'
import { Preview } from '../preview/preview.js'
import { describe } from '../text.js'
import { Name } from '../views/name.js'
import { Guide } from './texts.js'

interface TileProperties {
  asset: AssetData
  caption: string
  guide: GuideData | undefined
  cell: number
  href: string
  isActive: boolean
  isOpen: boolean
  /** The number of places that use the asset; undefined if unknown. */
  uses: number | undefined
  onOpen: (cell: number) => void
  onActive: (cell: number) => void
}

export function Tile(properties: TileProperties) {
  const { asset, caption, guide, cell, href, isActive, isOpen, uses, onOpen, onActive } = properties
  const open = (event: MouseEvent) => {
    // Let the browser open the URL in another tab or window.
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
      {guide && <Guide guide={guide} />}
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
      {caption && (
        <span class="tile-caption" dir="auto">
          {caption}
        </span>
      )}
    </a>
  )
}
