import { useEffect, useState } from 'preact/hooks'

export interface Live {
  /** Increases with each change to the content, and when the server is reachable again. */
  revision: number
  isAway: boolean
}

/** Milliseconds for which a server may be unreachable before the page says so. The server may only be restarting. */
const patience = 1500
const retryAfter = 2000

/** Listens to the server's events. */
export function useLive(isEnabled: boolean): Live {
  const [live, setLive] = useState<Live>({ revision: 0, isAway: false })
  useEffect(() => {
    if (!isEnabled) return undefined
    let source: EventSource
    let timer: ReturnType<typeof setTimeout> | undefined
    let again: ReturnType<typeof setTimeout> | undefined
    let wasAway = false
    const change = () => setLive(({ revision }) => ({ revision: revision + 1, isAway: false }))
    const connect = () => {
      source = new EventSource('events')
      source.addEventListener('change', change)
      source.addEventListener('open', () => {
        clearTimeout(timer)
        timer = undefined
        // Events that the server sent while it was unreachable are lost, so assume a change.
        if (wasAway) change()
        wasAway = false
      })
      source.addEventListener('error', () => {
        wasAway = true
        timer ??= setTimeout(() => setLive((before) => ({ ...before, isAway: true })), patience)
        // The browser reconnects on its own, except after a response that isn't an event stream.
        if (source.readyState === EventSource.CLOSED) again = setTimeout(connect, retryAfter)
      })
    }
    connect()
    return () => {
      source.close()
      clearTimeout(timer)
      clearTimeout(again)
    }
  }, [isEnabled])
  return live
}
