import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ResolvedOptions } from '../../config/options.js'
import { ownFile } from '../../disk/own-file.js'
import type { Content } from './content.js'
import { isListed, openPlace, readPlace } from './editor.js'
import type { Events } from './events.js'
import type { Pictures } from './pictures.js'
import { sendFailure, sendJson, sendPageFile, sendPicture } from './respond.js'
import { pageFiles, type PageFile, type Route } from './routes.js'

export interface ResponderContext {
  options: ResolvedOptions
  content: Content
  pictures: Pictures
  events: Events
  onPage?: () => void
  warn: (message: string) => void
}

/** Answers a request for a route. @param signal aborted when the browser no longer waits for the answer */
export type Responder = (
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  signal: AbortSignal,
) => Promise<void>

export function createResponder({ options, content, pictures, events, onPage, warn }: ResponderContext): Responder {
  async function open(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const place = await readPlace(request)
    if (place === undefined) return sendFailure(response, 400, 'Send a file and a line as JSON.')
    if (!isListed(place, await content.usage(signal)))
      return sendFailure(response, 403, 'Only places that use content can be opened.')
    await openPlace(options.root, place, warn)
    response.statusCode = 204
    response.end()
  }

  async function sendCover(kit: string, request: IncomingMessage, response: ServerResponse, signal: AbortSignal) {
    const cover = await content.cover(kit)
    const isFixed = 'thumbnail' in cover
    const picture = isFixed ? pictures.cover(cover.thumbnail, signal) : pictures.preview(cover.asset, signal)
    return sendPicture(request, response, await picture, isFixed)
  }

  return async (route, request, response, signal) => {
    const methods = route.kind === 'open' ? ['POST'] : ['GET', 'HEAD']
    if (!methods.includes(request.method ?? '')) {
      response.setHeader('Allow', methods.join(', '))
      return sendFailure(response, 405, `This address takes ${methods.join(' and ')} only.`)
    }
    const json = (value: unknown) => sendJson(request, response, Buffer.from(JSON.stringify(value)))
    switch (route.kind) {
      case 'page':
        return sendPageFile(request, response, await readPageFile(route.file), pageFiles[route.file])
      case 'project':
        return sendJson(request, response, await content.project())
      case 'kit':
        return sendJson(request, response, await content.kit(route.kit, route.version))
      case 'usage':
        return json(await content.usage(signal))
      case 'drift':
        return json(await content.drift())
      case 'preview':
        return sendPicture(request, response, await pictures.preview(await content.asset(route), signal), true)
      case 'cover':
        return sendCover(route.kit, request, response, signal)
      case 'original':
        return sendPicture(request, response, await pictures.original(await content.asset(route), signal), true)
      case 'query':
        return sendPicture(request, response, await pictures.file(await content.file(route.id), signal), false)
      case 'events':
        if (request.method === 'HEAD') return sendFailure(response, 405, 'This address takes GET only.')
        onPage?.()
        return events.add(response)
      case 'open':
        return open(request, response, signal)
    }
  }
}

/** Reads a file of the page, which is built beside the code of this package. */
export function readPageFile(name: PageFile): Promise<Buffer> {
  return readFile(ownFile(`browser/${name}`))
}
