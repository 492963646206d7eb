import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Picture } from '../shared/pictures.js'

/** The page may load only its own script, and nothing from other origins. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** An SVG that a user opens directly is a document, so it must not run scripts, and gets its own origin. */
const contentPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"

/** Sets the headers of every response. A dev server may have set headers that let other origins read the response. */
export function setCommonHeaders(response: ServerResponse): void {
  const cors = response.getHeaderNames().filter((name) => name.startsWith('access-control-'))
  for (const name of cors) response.removeHeader(name)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin')
}

export function sendPageFile(response: ServerResponse, bytes: Uint8Array, type: string): void {
  response.setHeader('Content-Security-Policy', `${pagePolicy}; frame-ancestors 'none'`)
  sendBytes(response, bytes, type)
}

export function sendJson(response: ServerResponse, json: Uint8Array): void {
  response.setHeader('Content-Security-Policy', contentPolicy)
  sendBytes(response, json, 'application/json; charset=utf-8')
}

/** Sends bytes of content. @param isFixed whether the URL changes with the bytes */
export function sendPicture(response: ServerResponse, { bytes, mediaType }: Picture, isFixed: boolean): void {
  response.setHeader('Content-Security-Policy', contentPolicy)
  if (isFixed) response.setHeader('Cache-Control', 'private, max-age=31536000, immutable')
  sendBytes(response, bytes, mediaType)
}

export function sendRedirect(response: ServerResponse, location: string): void {
  response.statusCode = 302
  response.setHeader('Location', location)
  response.end()
}

export function sendFailure(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  response.statusCode = status
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.end(JSON.stringify({ message }))
}

function sendBytes(response: ServerResponse, bytes: Uint8Array, type: string): void {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  response.setHeader('ETag', etag)
  if (!response.hasHeader('Cache-Control')) response.setHeader('Cache-Control', 'no-cache')
  if (response.req.headers['if-none-match'] === etag) return void response.writeHead(304).end()
  response.statusCode = 200
  response.setHeader('Content-Type', type)
  response.setHeader('Content-Length', bytes.byteLength)
  response.end(response.req.method === 'HEAD' ? undefined : bytes)
}
