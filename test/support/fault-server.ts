import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'

/** What one request of a misbehaving service gets. `at` counts requests from 0. */
export type Respond = (response: ServerResponse, request: IncomingMessage, at: number) => void

export interface FaultServer {
  url: string
  requests: { url: string; authorization: string | undefined; headers: IncomingHttpHeaders; at: number }[]
  close(this: void): Promise<void>
}

/**
 * A server on loopback that does what a test says, on the real wire.
 * @param now gives the `at` of requests, in milliseconds
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

/** A server on loopback that speaks no protocol but what a test writes into its sockets. */
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

/** An answer in the service's envelope. */
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

/** Answers each request by its turn; the last answer goes on. */
export function inTurn(...answers: Respond[]): Respond {
  return (response, request, at) => answers[Math.min(at, answers.length - 1)]?.(response, request, at)
}

/** A body with a status and headers, both as they are. */
export function answer(
  status: number,
  body: string | Uint8Array,
  headers: Record<string, string | number | string[]> = {},
): Respond {
  return (response) => void response.writeHead(status, headers).end(body)
}

/** Sends headers and some bytes, and drops the connection. */
export function broken(headers: Record<string, string | number>, bytes: Uint8Array | string): Respond {
  return (response) => {
    response.writeHead(200, headers)
    response.write(bytes, () => response.socket?.destroy())
  }
}

/** Writes bytes to the socket, past all rules of HTTP, and closes it in good order. */
export function verbatim(...bytes: (string | Uint8Array)[]): Respond {
  return (response) => {
    for (const part of bytes) response.socket?.write(part)
    response.socket?.end()
  }
}

/** Accepts and says nothing. */
export const silence: Respond = () => {}
