import { useShell } from '../app/shell.js'
import type { AssetData } from '../../../shared/kit-page/data.js'
import { useFont } from './font.js'
import { Picture } from './picture.js'
import { TypeTile } from './type-tile.js'
import { useSeen } from './visible.js'

interface Properties {
  asset: AssetData
  isLarge?: boolean
  /** The background that the asset is intended for, if known. */
  side?: 'light' | 'dark' | undefined
}

/** Displays an asset: a picture, a color, a font or the type of a file. It fills its box and never changes its size. */
export function Preview({ asset, isLarge = false, side }: Properties) {
  if (asset.color) return <Swatch css={asset.color.css} />
  if (asset.kind === 'font') return <Specimen asset={asset} isLarge={isLarge} />
  const path = asset.preview ?? asset.original
  if (path === undefined) return <TypeTile type={asset.type} />
  return isLarge ? (
    <Picture key={asset.uuid} asset={asset} path={asset.original ?? path} before={asset.preview} isLarge side={side} />
  ) : (
    <Picture key={path} asset={asset} path={path} />
  )
}

function Swatch({ css }: { css: string }) {
  return (
    <div class="preview ground-checkered">
      <div class="swatch" style={{ backgroundColor: css }} />
    </div>
  )
}

function Specimen({ asset, isLarge }: { asset: AssetData; isLarge: boolean }) {
  const { fonts, watch } = useShell()
  const { ref, isSeen } = useSeen(watch, isLarge)
  const font = useFont(fonts, asset, isSeen)
  const { weight, style } = asset.font ?? {}
  if (font.state === 'broken')
    return <TypeTile type={asset.type} note={asset.original ? 'Not readable' : 'No font file'} />
  const isReady = font.state === 'ready'
  const face = { fontFamily: isReady ? font.family : undefined, fontWeight: weight, fontStyle: style }
  return (
    <div ref={ref} class={`preview specimen ${isReady ? 'is-ready' : ''}`} style={face}>
      <span class="specimen-letters">Aa</span>
      {isLarge && (
        <>
          <span class="specimen-line">The quick brown fox jumps over the lazy dog</span>
          <span class="specimen-alphabet">
            ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 &amp;?!€@#
          </span>
        </>
      )}
    </div>
  )
}
