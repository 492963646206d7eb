import type { ServerResponse } from 'node:http'

/** Milliseconds between comments that keep connections open through proxies. */
const heartbeat = 20_000

/** The maximum number of open pages. A browser opens at most six connections to a server. */
const maxPages = 100

export function openEvents() {
  const pages = new Set<ServerResponse>()
  let timer: NodeJS.Timeout | undefined

  function write(text: string): void {
    for (const page of pages) page.write(text)
  }

  return {
    /** Keeps a response open until the page is closed. */
    add(response: ServerResponse): void {
      if (pages.size >= maxPages) {
        response.statusCode = 503
        response.end()
        return
      }
      response.statusCode = 200
      response.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
      response.setHeader('Cache-Control', 'no-cache, no-transform')
      response.write('retry: 2000\n\n')
      pages.add(response)
      timer ??= setInterval(() => write(':\n\n'), heartbeat).unref()
      response.on('close', () => {
        pages.delete(response)
        if (pages.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
    },
    /** Notifies every page that the content or its usage has changed. */
    send: () => write('event: change\ndata: {}\n\n'),
    isWatched: () => pages.size > 0,
    close(): void {
      clearInterval(timer)
      for (const page of pages) page.end()
      pages.clear()
    },
  }
}
