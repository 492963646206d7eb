import { useEffect, useRef, useState } from 'preact/hooks'

/** Pixels around the window where pictures are loaded as well. */
const margin = 120
/** Milliseconds that a place must be visible: what is only scrolled past is not asked for. */
const patience = 80

/** Calls back once an element has been visible for a moment. */
export type Watch = (element: Element, callback: () => void) => () => void

/** One observer for all previews of a page. */
export function createWatch(): Watch {
  const callbacks = new Map<Element, () => void>()
  const timers = new Map<Element, ReturnType<typeof setTimeout>>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        clearTimeout(timers.get(target))
        const callback = callbacks.get(target)
        if (isIntersecting && callback) timers.set(target, setTimeout(callback, patience))
      }
    },
    { rootMargin: `${margin}px` },
  )
  return (element, callback) => {
    callbacks.set(element, callback)
    observer.observe(element)
    return () => {
      clearTimeout(timers.get(element))
      timers.delete(element)
      callbacks.delete(element)
      observer.unobserve(element)
    }
  }
}

/** Whether an element is, or was, visible for a moment. */
export function useSeen(watch: Watch, isSeenBefore: boolean) {
  const ref = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(isSeenBefore)
  useEffect(() => {
    const element = ref.current
    return isSeen || !element ? undefined : watch(element, () => setSeen(true))
  }, [watch, isSeen])
  return { ref, isSeen }
}
