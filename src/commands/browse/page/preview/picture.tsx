import { useEffect, useRef, useState } from 'preact/hooks'
import { useShell } from '../app/shell.js'
import type { AssetData } from '../../../shared/kit-page/data.js'
import { groundFor, lookAtImage, type Look } from './look.js'
import { TypeTile } from './type-tile.js'
import { useSeen } from './visible.js'

interface Properties {
  asset: AssetData
  path: string
  /** A smaller picture to display until this one is loaded. */
  before?: string | undefined
  isLarge?: boolean
  /** The background that the asset is intended for, if known. */
  side?: 'light' | 'dark' | undefined
}

/** Formats that are usually photos, so the grid may crop them if they are opaque. */
const photographs = new Set(['JPG', 'JPEG', 'WEBP', 'AVIF', 'HEIC', 'TIFF', 'TIF', 'PNG'])

export function Picture({ asset, path, before, isLarge = false, side }: Properties) {
  const { looks, watch } = useShell()
  const known = looks.get(path) ?? (before === undefined ? undefined : looks.get(before))
  const { ref, isSeen } = useSeen(watch, isLarge || known !== undefined)
  const [look, setLook] = useState(known)
  const [isLoaded, setLoaded] = useState(false)
  const image = useRef<HTMLImageElement>(null)

  // Don't wait for a picture that leaves the page while it loads.
  useEffect(() => {
    const current = image.current
    return () => {
      if (current && !current.complete) current.removeAttribute('src')
    }
  }, [isSeen])

  if (look === 'broken') return <TypeTile type={asset.type} note="No preview" />
  const load = () => {
    const seen = (image.current && lookAtImage(image.current)) ?? 'unknown'
    looks.set(path, seen)
    setLook(seen)
    setLoaded(true)
  }
  const fail = () => {
    // The smaller picture is better than no picture.
    if (before !== undefined && before !== path && looks.get(before) !== 'broken') return
    looks.set(path, 'broken')
    setLook('broken')
  }
  const isShown = isLoaded || look !== undefined
  return (
    <div
      ref={ref}
      class={`preview picture ${useGround(look, side)} ${isCropped(asset, look, isLarge) ? 'is-cropped' : ''}`}
    >
      {isLarge && before !== undefined && before !== path && !isLoaded && <img class="is-shown" src={before} alt="" />}
      {isSeen && (
        <img
          ref={image}
          class={isShown ? 'is-shown' : ''}
          src={path}
          alt=""
          decoding="async"
          draggable={isLarge}
          onLoad={load}
          onError={fail}
        />
      )}
    </div>
  )
}

function useGround(look: Look | 'unknown' | 'broken' | undefined, side: Properties['side']): string {
  const { ground, isDark } = useShell()
  if (ground !== 'auto') return `ground-${ground}`
  if (side) return `ground-${side}`
  if (look === undefined || look === 'unknown' || look === 'broken' || look.isOpaque) return ''
  return `ground-${groundFor(look, isDark)}`
}

/**
 * Returns whether a picture fills its box in the grid. Very wide or tall pictures and all SVG files are displayed
 * whole.
 */
function isCropped(asset: AssetData, look: Look | 'unknown' | 'broken' | undefined, isLarge: boolean): boolean {
  if (isLarge || typeof look !== 'object' || !look.isOpaque || !photographs.has(asset.type.toUpperCase())) return false
  const ratio = (asset.width ?? 4) / (asset.height ?? 3)
  return ratio > 0.6 && ratio < 2.4
}
