import { useLayoutEffect, useState } from 'preact/hooks'

/** The number of pixels beyond the window that are also rendered. */
const beyond = 600
/** The rendered part changes in steps, so that most frames don't render anything new while the user scrolls. */
const stride = 240

export interface Viewport {
  from: number
  to: number
}

/** Returns the part of an element that is in or near the window, in pixels from the element's top. */
export function useViewport(ref: { readonly current: HTMLElement | null }): Viewport {
  const [viewport, setViewport] = useState<Viewport>({ from: 0, to: 1600 })
  useLayoutEffect(() => {
    let frame = 0
    const update = () => {
      frame = 0
      const top = -(ref.current?.getBoundingClientRect().top ?? 0)
      const from = Math.floor((top - beyond) / stride) * stride
      const to = Math.ceil((top + innerHeight + beyond) / stride) * stride
      setViewport((last) => (last.from === from && last.to === to ? last : { from, to }))
    }
    const request = () => {
      frame ||= requestAnimationFrame(update)
    }
    update()
    addEventListener('scroll', request, { passive: true })
    addEventListener('resize', request)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('scroll', request)
      removeEventListener('resize', request)
    }
  }, [ref])
  return viewport
}

/** Returns the width of an element, or 0 until it is known. */
export function useWidth(ref: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return undefined
    setWidth(Math.round(element.clientWidth))
    const observer = new ResizeObserver(() => setWidth(Math.round(element.clientWidth)))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
