import { useEffect } from 'preact/hooks'
import type { Layout } from '../layout.js'
import { barHeight } from './grid.js'

export interface SeenGroup {
  section: string
  heading?: string | undefined
}

/** Returns the section at the top of the window, for the table of contents. */
export function useSeenGroup(
  frame: { readonly current: HTMLElement | null },
  layout: Layout,
  onSeen: (seen: SeenGroup | undefined) => void,
): void {
  useEffect(() => {
    let last: string | undefined
    const look = () => {
      const distance = barHeight() + 40 - (frame.current?.getBoundingClientRect().top ?? 0)
      const block = layout.blocks.findLast(({ top, height }) => top <= distance && height > 0)
      const key = block && `${block.section}/${block.heading ?? ''}`
      if (key === last) return
      last = key
      onSeen(block && { section: block.section, heading: block.heading })
    }
    look()
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [frame, layout, onSeen])
}
