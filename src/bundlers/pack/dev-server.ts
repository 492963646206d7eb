import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from 'node:net'

/*
 * Dev servers of webpack and Rspack keep the output in memory and serve it from their own process. A plugin can't reach
 * most of them: a `webpack-dev-server` that is started in code receives its options separately from the compiler, and
 * `webpack-dev-middleware` belongs to the user's own server. This file relies only on what they have in common, the
 * memory and the process.
 */

/**
 * Returns the hosts that the dev server's options allow, in addition to this machine. Our listener runs before the dev
 * server's own check.
 * @param options `devServer` in the configuration; unknown if the server is started in code
 */
export function allowedHosts(options: unknown): true | readonly string[] {
  const allowed = typeof options === 'object' && options !== null && 'allowedHosts' in options && options.allowedHosts
  if (allowed === 'all') return true
  const list: readonly unknown[] = Array.isArray(allowed) ? allowed : [allowed]
  return list.filter((host) => typeof host === 'string').filter((host) => host !== 'auto')
}

/** Answers a request and returns true, or returns false. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Channels that publish a message for each HTTP/1 request, and for each connection, over which HTTP/2 sends its
 * requests.
 */
const channels = ['http.server.request.start', 'net.server.socket']

/**
 * Answers requests to any HTTP server in this process, before the server's own listeners.
 * @returns a function that stops answering
 */
export function answerRequests(answer: Answer): () => void {
  const known = new WeakSet<Server>()
  let stopped = false

  function onMessage(message: unknown): void {
    const server = serverOf(message)
    if (!(server instanceof Server) || known.has(server)) return
    known.add(server)
    const emit: (event: string, ...values: unknown[]) => boolean = server.emit.bind(server)
    Object.assign(server, {
      emit(event: string, ...values: [IncomingMessage, ServerResponse]): boolean {
        return (!stopped && event === 'request' && answer(...values)) || emit(event, ...values)
      },
    })
  }

  for (const channel of channels) subscribe(channel, onMessage)
  return () => {
    stopped = true
    for (const channel of channels) unsubscribe(channel, onMessage)
  }
}

/** Returns the `server` of a message, or of the socket in it. */
function serverOf(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return undefined
  if ('server' in message) return message.server
  return 'socket' in message ? serverOf(message.socket) : undefined
}
