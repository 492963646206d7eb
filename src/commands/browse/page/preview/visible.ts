import { useEffect, useRef, useState } from 'preact/hooks'

/** The distance in pixels from the window within which pictures are also loaded. */
const margin = 120
/** Milliseconds for which a place must be visible, so that scrolling past it doesn't load it. */
const patience = 80
/** Pixels per millisecond. */
const fast = 2

/** Calls back once an element has been visible for a moment. */
export type Watch = (element: Element, callback: () => void) => () => void

/** Creates a single observer for all previews of a page. */
export function createWatch(): Watch {
  const callbacks = new Map<Element, () => void>()
  const timers = new Map<Element, ReturnType<typeof setTimeout>>()
  const isFast = watchSpeed()
  const wait = (target: Element, callback: () => void) => {
    const timer = setTimeout(() => (isFast() ? wait(target, callback) : callback()), patience)
    timers.set(target, timer)
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        clearTimeout(timers.get(target))
        const callback = callbacks.get(target)
        if (isIntersecting && callback) wait(target, callback)
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

/** Returns a function that checks whether the window is scrolling too fast to recognize a picture. */
function watchSpeed(): () => boolean {
  let speed = 0
  let last = { y: scrollY, time: performance.now() }
  addEventListener(
    'scroll',
    () => {
      const now = { y: scrollY, time: performance.now() }
      speed = Math.abs(now.y - last.y) / Math.max(1, now.time - last.time)
      last = now
    },
    { passive: true },
  )
  return () => speed > fast && performance.now() - last.time < 2 * patience
}

/** Returns whether an element is or was visible for a moment. */
export function useSeen(watch: Watch, isSeenBefore: boolean) {
  const ref = useRef<HTMLDivElement>(null)
  const [isSeen, setSeen] = useState(isSeenBefore)
  useEffect(() => {
    const element = ref.current
    return isSeen || !element ? undefined : watch(element, () => setSeen(true))
  }, [watch, isSeen])
  return { ref, isSeen }
}
