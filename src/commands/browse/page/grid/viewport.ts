import { useLayoutEffect, useState } from 'preact/hooks'

/** Pixels beyond the window that are also drawn. */
const beyond = 600
/** The drawn part changes in steps, so that most frames of a scroll draw nothing new. */
const stride = 240

export interface Viewport {
  from: number
  to: number
}

/** The part of an element that is in the window, or near to it, in pixels from its top. */
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

/** The width of an element. 0 until it is known. */
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
