import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** What one request of a misbehaving service gets. `at` counts requests from 0. */
export type Respond = (response: ServerResponse, request: IncomingMessage, at: number) => void

export interface FaultServer {
  url: string
  requests: { url: string; authorization: string | undefined; at: number }[]
  close(this: void): Promise<void>
}

/** A server on loopback that does what a test says, on the real wire. */
export async function faultServer(respond: Respond): Promise<FaultServer> {
  const requests: FaultServer['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization, at: Date.now() })
    respond(response, request, requests.length - 1)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new TypeError('The server listens on no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** An answer in the service's envelope. */
export function envelope(response: ServerResponse, result: object, status = 200): void {
  json(response, { success: true, result, server_clock: 1 }, status)
}

export function refusal(response: ServerResponse, code: number, status: number, message = 'no'): void {
  json(response, { success: false, error: { code, message }, server_clock: 1 }, status)
}

export function json(response: ServerResponse, value: unknown, status = 200, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(value))
}
