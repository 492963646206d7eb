import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'

/** Responds to one request. `at` is the number of earlier requests. */
export type Respond = (response: ServerResponse, request: IncomingMessage, at: number) => void

export interface FaultServer {
  url: string
  requests: { url: string; authorization: string | undefined; headers: IncomingHttpHeaders; at: number }[]
  close(this: void): Promise<void>
}

/**
 * Starts an HTTP server on loopback whose responses a test defines.
 * @param now returns the current time in milliseconds, which is recorded as `at` of a request
 */
export async function faultServer(respond: Respond, now = Date.now): Promise<FaultServer> {
  const requests: FaultServer['requests'] = []
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    requests.push({ url, authorization: headers.authorization, headers, at: now() })
    respond(response, request, requests.length - 1)
  })
  return {
    url: `http://127.0.0.1:${await listen(server)}`,
    requests,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export interface RawServer {
  port: number
  close(this: void): Promise<void>
}

/** Starts a TCP server on loopback that sends only the bytes that a test writes to its sockets. */
export async function rawServer(connected: (socket: Socket) => void): Promise<RawServer> {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    connected(socket)
  })
  return {
    port: await listen(server),
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new TypeError('The server listens on no port')
  return address.port
}

/** Sends a result in the service's envelope. */
export function envelope(response: ServerResponse, result: object, clock: unknown = 1): void {
  json(response, { success: true, result, server_clock: clock })
}

export function refusal(response: ServerResponse, code: number, status: number, message = 'no'): void {
  json(response, { success: false, error: { code, message }, server_clock: 1 }, status)
}

export function json(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}

/** Uses one answer per request in turn, and the last answer for all further requests. */
export function inTurn(...answers: Respond[]): Respond {
  return (response, request, at) => answers[Math.min(at, answers.length - 1)]?.(response, request, at)
}

/** Sends a status, headers, and a body unchanged. */
export function answer(
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string | number | string[]> = {},
): Respond {
  return (response) => void response.writeHead(status, headers).end(body)
}

/** Sends headers and bytes and drops the connection. */
export function broken(headers: Record<string, string | number>, bytes: Uint8Array | string): Respond {
  return (response) => {
    response.writeHead(200, headers)
    response.write(bytes, () => response.socket?.destroy())
  }
}

/** Writes bytes, which don't need to be valid HTTP, directly to the socket, and closes the socket normally. */
export function verbatim(...bytes: (string | Uint8Array)[]): Respond {
  return (response) => {
    for (const part of bytes) response.socket?.write(part)
    response.socket?.end()
  }
}

/** Accepts a request and never responds. */
export const silence: Respond = () => {}
