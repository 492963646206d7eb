import type { IncomingMessage, ServerResponse } from 'node:http'
import { ContentSpaceError } from '../../errors.js'
import type { FileDescriptor } from '../../files/plan.js'
import type { References } from '../../modules/references.js'
import type { Session } from '../session/session.js'
import { sha256 } from './digest.js'

export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

export type DevFiles = ReturnType<typeof devFiles>

/** `__content-space/<16 hexadecimal digits>/<readable name>` */
const PATH = /\/__content-space\/([0-9a-f]{16}\/[\w.-]+)$/

/** A URL of a dev server within other text. */
const ADDRESS = /[^\s"'`()]*\/__content-space\/[0-9a-f]{16}\/[\w.-]+/

/**
 * Rejects build output that contains a dev server's URL.
 * @param file the name of the output file
 */
export function rejectAddress(text: string, file: string): void {
  // The pattern is tried at each position, so search for its literal part first.
  const [address] = (text.includes('/__content-space/') && ADDRESS.exec(text)) || []
  if (address === undefined) return
  throw new ContentSpaceError('invalidId', `${file} contains ${address}, which only a dev server serves.`, {
    hint:
      'A plugin of this build runs a dev server, and has put what its modules export into the output. ' +
      "Write the id in the style sheet, as url('content-space:asset/…'), or import it in a script of the application.",
    importer: file,
  })
}

/**
 * Serves content files from a dev server. Modules contain only URLs, and we fetch a file when the browser requests it.
 */
export function devFiles(session: Session) {
  // Browsers can request only files to which a module refers, because a URL is a key of this table, and never a path or
  // a recipe.
  const addressed = new Map<string, FileDescriptor>()
  let location = { base: '/', origin: '' }

  /** Returns the path of a file below the base, without a leading slash, and allows requests for the file. */
  function path(file: FileDescriptor): string {
    // Application icons share a folder, because their manifest refers to them by name.
    const { asset, hash, set } = file
    const key = sha256(JSON.stringify(set === undefined ? file : { asset, hash, set })).slice(0, 16)
    const written = `${key}/${file.name}.${file.ext}`
    addressed.set(written, file)
    return `__content-space/${written}`
  }

  /** Returns the URL of a file, and allows requests for the file. */
  function address(file: FileDescriptor): string {
    return `${location.origin}${location.base}${path(file)}`
  }

  /**
   * Answers a request for a file, regardless of the base of its path.
   * @returns whether the path belongs to a file
   */
  function answer(request: IncomingMessage, response: ServerResponse, onError: (error: Error) => void): boolean {
    const file = addressed.get(PATH.exec(pathOfRequest(request))?.[1] ?? '')
    if (file === undefined) return false
    respond(request, response, session, file).catch((error: unknown) => {
      onError(error instanceof Error ? error : new Error(String(error)))
      // The reason may contain the developer's file and host names, so we print it only in the terminal.
      end(response, 502, 'This file could not be loaded. The terminal of the dev server shows the reason.')
    })
    return true
  }

  const references: References = {
    layout: 'flat',
    address: (file) => ({ code: JSON.stringify(address(file)) }),
    value: async (value) => ({ code: await session.literal(value) }),
  }
  return {
    path,
    address,
    references,
    /**
     * Sets the beginning of URLs: `origin`, which is empty for the page's own origin, and `base`, which ends with a
     * slash.
     */
    serveFrom({ base, origin }: { base: string; origin: string }): void {
      location = { origin, base: base === './' || base === '' ? '/' : base }
    },
    /** @param onError receives the reason why a file can't be served */
    middleware:
      (onError: (error: Error) => void): Middleware =>
      (request, response, next) => {
        if (!pathOfRequest(request).startsWith(`${location.base}__content-space/`)) return next()
        if (!answer(request, response, onError)) end(response, 404, 'Not found')
      },
    answer,
  }
}

function pathOfRequest(request: IncomingMessage): string {
  return (request.url ?? '').split('?')[0] ?? ''
}

async function respond(request: IncomingMessage, response: ServerResponse, session: Session, file: FileDescriptor) {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD')
    return end(response, 405, 'Method not allowed')
  }
  const [bytes, { mediaType }] = await Promise.all([session.file(file), import('../../space/asset-type.js')])
  const etag = `"${sha256(bytes).slice(0, 32)}"`
  response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
  // Otherwise, scripts in an SVG would run with the dev server's origin if a browser opens the SVG directly.
  if (file.ext !== 'pdf') response.setHeader('Content-Security-Policy', 'sandbox')
  response.setHeader('Content-Type', mediaType(file.ext))
  response.setHeader('Content-Length', bytes.byteLength)
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function end(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'text/plain; charset=utf-8')
  response.end(`${text}\n`)
}
