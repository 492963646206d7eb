import { useCallback, useEffect, useState } from 'preact/hooks'
import { formatRoute, parseRoute, type Route } from '../route.js'

export interface Navigation {
  route: Route
  /** Increases each time a URL is opened, so that the same URL can be opened twice. */
  visit: number
  /** @param isReplaced whether to replace the previous history entry, for example while the user types */
  go: (route: Partial<Route>, isReplaced?: boolean) => void
}

/** Reads and writes the part of the URL after `#`, because that works from any folder and under any base. */
export function useNavigation(): Navigation {
  const [state, setState] = useState(() => ({ route: parseRoute(location.hash), visit: 0 }))
  const go = useCallback((route: Partial<Route>, isReplaced = false) => {
    const hash = formatRoute(route)
    if (isReplaced) history.replaceState(null, '', hash)
    else if (hash !== location.hash) history.pushState(null, '', hash)
    setState(({ visit }) => ({ route: parseRoute(hash), visit: isReplaced ? visit : visit + 1 }))
  }, [])
  useEffect(() => {
    const change = () => setState(({ visit }) => ({ route: parseRoute(location.hash), visit: visit + 1 }))
    // The browser ignores a link to the current URL, but its section may be out of sight.
    const click = (event: MouseEvent) => {
      if (event.defaultPrevented || event.button !== 0) return
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      const link = event.target instanceof Element && event.target.closest('a[href^="#/"]')
      if (!link) return
      event.preventDefault()
      go(parseRoute(link.getAttribute('href') ?? ''))
    }
    addEventListener('popstate', change)
    addEventListener('click', click)
    return () => {
      removeEventListener('popstate', change)
      removeEventListener('click', click)
    }
  }, [go])
  return { ...state, go }
}
