import { useEffect, useState } from 'preact/hooks'
import type { AssetData } from '../../../shared/kit-page/data.js'

/** Loads a font from a path once, and returns the family name to use. */
export type FontLoader = (path: string) => Promise<string | undefined>

export function createFontLoader(): FontLoader {
  const loading = new Map<string, Promise<string | undefined>>()
  return (path) => {
    const known = loading.get(path)
    if (known) return known
    // Use our own name, because the page may use the font's name, too.
    const family = `kit-font-${loading.size + 1}`
    const font = loadFont(family, path)
    loading.set(path, font)
    return font
  }
}

async function loadFont(family: string, path: string): Promise<string | undefined> {
  try {
    const font = new FontFace(family, `url(${JSON.stringify(new URL(path, document.baseURI).href)})`)
    document.fonts.add(await font.load())
    return family
  } catch {
    return undefined
  }
}

export type FontState = { state: 'loading' | 'broken' } | { state: 'ready'; family: string }

/** @param isWanted false while the font is out of sight */
export function useFont(fonts: FontLoader, { original }: AssetData, isWanted: boolean): FontState {
  const [font, setFont] = useState<FontState>({ state: original ? 'loading' : 'broken' })
  useEffect(() => {
    let isGone = false
    setFont({ state: original ? 'loading' : 'broken' })
    if (isWanted && original)
      void fonts(original).then((family) => {
        if (!isGone) setFont(family ? { state: 'ready', family } : { state: 'broken' })
      })
    return () => {
      isGone = true
    }
  }, [fonts, original, isWanted])
  return font
}
