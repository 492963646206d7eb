import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Server } from 'node:net'

/*
 * Dev servers of webpack and Rspack keep the output in memory, and answer requests for it in their own process. Most of
 * them are out of a plugin's reach: `webpack-dev-server` that is started in code receives its options apart from the
 * compiler, and `webpack-dev-middleware` belongs to the user's own server. This file relies only on what they have in
 * common: the memory and the process.
 */

/**
 * Whether a compiler writes to the disk, where any process may serve the files. Files in memory can only be served by
 * its own process. File systems don't tell which they are, so this looks for a file that exists on every disk.
 */
export function isOnDisk(files: { stat(path: string, done: (error: unknown) => void): void }): Promise<boolean> {
  return new Promise((resolve) => files.stat(process.execPath, (error) => resolve(!error)))
}

/**
 * Returns the hosts that options of a dev server allow besides this machine. The listener of this package runs before
 * the check of the dev server.
 * @param options `devServer` in the configuration; unknown to a server that is started in code
 */
export function allowedHosts(options: unknown): true | readonly string[] {
  const allowed = typeof options === 'object' && options !== null && 'allowedHosts' in options && options.allowedHosts
  if (allowed === 'all') return true
  const list: readonly unknown[] = Array.isArray(allowed) ? allowed : [allowed]
  return list.filter((host) => typeof host === 'string').filter((host) => host !== 'auto')
}

/** Answers a request and returns true, or returns false. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => boolean

/** Channels with a message for each request of HTTP/1, and for each connection, which HTTP/2 sends its requests on. */
const channels = ['http.server.request.start', 'net.server.socket']

/**
 * Answers requests to any HTTP server of this process, before the listeners of the server.
 * @returns a function that stops this
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
