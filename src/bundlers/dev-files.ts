import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { mediaType } from '../space/asset-type.js'
import type { FileDescriptor } from '../files/plan.js'
import { contentLiteral } from '../modules/literal.js'
import type { References } from '../modules/references.js'
import type { Session } from './session.js'

export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void

/** Files of a dev server: addresses are handed out with the modules, bytes are fetched when the browser asks. */
export interface DevFiles {
  address(file: FileDescriptor): string
  references: References
  /** `base` ends with a slash; `origin` stands before it, or is empty. */
  serveFrom(place: { base: string; origin: string }): void
  middleware(failed: (error: Error) => void): Middleware
}

/** `__content-space/<16 hexadecimal digits>/<name for people>` */
const PATH = /^__content-space\/([0-9a-f]{16})\/[\w.-]+$/

export function devFiles(session: Session): DevFiles {
  // Only what a module refers to can be asked for: an address is a key into this table, never a path or a recipe.
  const handedOut = new Map<string, FileDescriptor>()
  let place = { base: '/', origin: '' }

  function address(file: FileDescriptor): string {
    const key = digest(JSON.stringify(file)).slice(0, 16)
    handedOut.set(key, file)
    return `${place.origin}${place.base}__content-space/${key}/${file.name}.${file.ext}`
  }

  return {
    address,
    references: {
      layout: 'flat',
      address: (file) => ({ code: JSON.stringify(address(file)) }),
      value: async (value) => ({ code: contentLiteral(await session.value(value)) }),
    },
    serveFrom(known) {
      place = { ...known, base: known.base === './' || known.base === '' ? '/' : known.base }
    },
    middleware: (failed) => (request, response, next) => {
      const path = (request.url ?? '').split('?')[0] ?? ''
      if (!path.startsWith(`${place.base}__content-space/`)) return next()
      const key = PATH.exec(path.slice(place.base.length))?.[1] ?? ''
      answer(request, response, session, handedOut.get(key)).catch((error: unknown) => {
        failed(error instanceof Error ? error : new Error(String(error)))
        // The reason may name files and hosts of the developer: it is for the terminal.
        end(response, 502, 'This file could not be loaded: see the terminal of the dev server')
      })
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  session: Session,
  file: FileDescriptor | undefined,
): Promise<void> {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('Allow', 'GET, HEAD')
    return end(response, 405, 'Method not allowed')
  }
  if (file === undefined) return end(response, 404, 'Not found')
  const bytes = await session.file(file)
  const etag = `"${digest(bytes).slice(0, 32)}"`
  response.setHeader('ETag', etag)
  response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('X-Content-Type-Options', 'nosniff')
  if (request.headers['if-none-match'] === etag) {
    response.statusCode = 304
    response.end()
    return
  }
  // An SVG opened by itself is a document that could run scripts with the origin of the dev server.
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

function digest(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
