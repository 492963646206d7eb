import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '../../engine/engine.js'
import { createFiles } from '../../files/files.js'
import { openContent } from './content.js'
import { openEvents } from './events.js'
import { openPictures } from './pictures.js'
import { publicFailure } from './public-message.js'
import { sendFailure, setCommonHeaders } from './respond.js'
import { createResponder } from './responder.js'
import { readRoute } from './routes.js'

/** How the kit browser is served. */
export interface BrowserOptions {
  mode: 'dev' | 'browse'
  /** Called when a page is opened. The content is watched from then on. */
  onPage?: () => void
  /** Receives what the terminal should show: bugs, and editors that cannot be opened. */
  warn: (message: string) => void
}

/** Answers the requests of the kit browser's page. */
export interface KitBrowser {
  /**
   * Answers a request, which the caller has checked with `refusalOf`.
   * @param path below the kit browser, without a slash in front: `data/project.json`
   * @param query with the question mark, or empty
   */
  respond(this: void, path: string, query: string, request: IncomingMessage, response: ServerResponse): Promise<void>
  /** Forgets what was read, and tells the open pages. */
  contentChanged(this: void): void
  /** Tells the open pages that the source of the project has changed. */
  sourceChanged(this: void): void
  /** Whether a page is open. */
  isWatched(this: void): boolean
  close(this: void): void
}

/** Opens the kit browser, until it or the engine is closed. */
export function openBrowser(engine: Engine, order: BrowserOptions): KitBrowser {
  const { options, space, store, closers } = engine
  const { cacheDir, offline, strict } = options
  // Versions of a kit have different files, and the lockfile has the hashes of one. What is only looked at counts
  // neither in the lockfile nor in the summary of a build.
  const unlocked = { frozen: false, locked: () => undefined, onFile: () => {}, warn: () => {} }
  const files = createFiles({ cacheDir, space, offline, strict, ...unlocked })
  const pictures = openPictures({ space, store, files })
  const events = openEvents()
  const content = openContent(engine, { mode: order.mode, size: files.size })
  const answer = createResponder({ ...order, options, content, pictures, events })

  function close(): void {
    closers.delete(close)
    events.close()
    files.close()
  }

  closers.add(close)
  return {
    async respond(path, query, request, response) {
      setCommonHeaders(response)
      const closed = new AbortController()
      response.on('close', () => closed.abort())
      try {
        const route = readRoute(path, query)
        if (route === undefined) sendFailure(response, 404, 'There is nothing at this address.')
        else await answer(route, request, response, closed.signal)
      } catch (error) {
        if (closed.signal.aborted) return
        const { status, message } = publicFailure(error, options)
        if (status === 500) order.warn(error instanceof Error ? (error.stack ?? error.message) : String(error))
        sendFailure(response, status, message)
      }
    },
    contentChanged() {
      content.forget()
      events.send()
    },
    sourceChanged: events.send,
    isWatched: events.isWatched,
    close,
  }
}
