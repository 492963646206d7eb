import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '../../engine/engine.js'
import { openViewedFiles } from '../../files/files.js'
import { openContent, type Content } from './content.js'
import { isListed, openPlace, readPlace } from './editor.js'
import { openEvents } from './events.js'
import { openPictures } from '../shared/pictures.js'
import { publicFailure } from '../shared/public-message.js'
import { sendFailure, sendJson, sendPageFile, sendPicture, setCommonHeaders } from './respond.js'
import { pageFiles, readPageFile, readRoute, type Route } from './routes.js'

export interface BrowserOptions {
  mode: 'dev' | 'browse'
  /** Called when a page has been opened, so that the content can be watched from then on. */
  onPage?: () => void
  /** Receives messages for the terminal: bugs, and editors that can't be opened. */
  warn: (message: string) => void
}

export type KitBrowser = ReturnType<typeof openBrowser>

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  /** Aborted when the browser stops waiting for the response. */
  signal: AbortSignal
}

/** Responds to requests of the kit browser's page, until the kit browser or the engine is closed. */
export function openBrowser(engine: Engine, { mode, onPage, warn }: BrowserOptions) {
  const { options, space, store, closers } = engine
  const files = openViewedFiles(engine)
  const pictures = openPictures({ space, store, files })
  const events = openEvents()
  const content = openContent(engine, mode, files.size)

  async function sendCover(kit: string, { response, signal }: Exchange): Promise<void> {
    const cover = await content.cover(kit)
    const isFixed = 'thumbnail' in cover
    const picture = isFixed ? pictures.cover(cover.thumbnail, signal) : pictures.preview(cover.asset, signal)
    return sendPicture(response, await picture, isFixed)
  }

  async function answer(route: Route, exchange: Exchange): Promise<void> {
    const { request, response, signal } = exchange
    const methods = route.kind === 'open' ? ['POST'] : ['GET', 'HEAD']
    if (!methods.includes(request.method ?? '')) {
      response.setHeader('Allow', methods.join(', '))
      return sendFailure(response, 405, `This address only supports ${methods.join(' and ')}.`)
    }
    switch (route.kind) {
      case 'page':
        return sendPageFile(response, await readPageFile(route.file), pageFiles[route.file])
      case 'project':
        return sendJson(response, await content.project())
      case 'kit':
        return sendJson(response, await content.kit(route.kit, route.version))
      case 'usage':
      case 'copies':
      case 'drift':
        return sendJson(response, Buffer.from(JSON.stringify(await content[route.kind](signal))))
      case 'preview':
      case 'original':
        return sendPicture(response, await pictures[route.kind](await content.asset(route), signal), true)
      case 'cover':
        return sendCover(route.kit, exchange)
      case 'query':
        return sendPicture(response, await pictures.file(await content.file(route.id), signal), false)
      case 'events':
        if (request.method === 'HEAD') return sendFailure(response, 405, 'This address only supports GET.')
        events.add(response)
        return onPage?.()
      case 'open':
        return openInEditor(exchange, content, options.root, warn)
    }
  }

  function close(): void {
    closers.delete(close)
    events.close()
    files.close()
  }

  closers.add(close)
  return {
    /**
     * Responds to a request. The caller must first check it with `refusalOf`.
     * @param path below the kit browser, without a leading slash: `data/project.json`
     * @param query with the question mark, or empty
     */
    async respond(this: void, path: string, query: string, request: IncomingMessage, response: ServerResponse) {
      setCommonHeaders(response)
      const closed = new AbortController()
      response.on('close', () => closed.abort())
      try {
        const route = readRoute(path, query)
        if (route === undefined) sendFailure(response, 404, 'Nothing exists at this address.')
        else await answer(route, { request, response, signal: closed.signal })
      } catch (error) {
        if (closed.signal.aborted) return
        const { status, message } = publicFailure(error, options)
        if (status === 500) warn(error instanceof Error ? (error.stack ?? error.message) : String(error))
        sendFailure(response, status, message)
      }
    },
    /** Forgets the loaded content, and notifies the open pages. */
    contentChanged(this: void): void {
      content.forget()
      events.send()
    },
    /** Notifies the open pages that the source of the project has changed. */
    sourceChanged: events.send,
    isWatched: events.isWatched,
    close,
  }
}

async function openInEditor(
  { request, response, signal }: Exchange,
  content: Content,
  root: string,
  warn: (message: string) => void,
): Promise<void> {
  const place = await readPlace(request)
  if (place === undefined) return sendFailure(response, 400, 'Send a file and a line as JSON.')
  if (!isListed(place, await content.usage(signal), content.shownCopies()))
    return sendFailure(response, 403, 'Only places that use content can be opened.')
  await openPlace(root, place, warn)
  response.writeHead(204).end()
}
