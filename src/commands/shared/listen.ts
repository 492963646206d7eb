import { once } from 'node:events'
import type { Server } from 'node:http'
import { ContentSpaceError } from '../../errors.js'

/**
 * Starts listening for connections.
 * @param what the name of the server, with which an error message begins
 * @param port 0 picks a free port
 * @returns the server's address, such as `http://127.0.0.1:49152`
 * @throws ContentSpaceError `fileSystem` if the port is in use, or the host doesn't belong to this machine
 */
export async function listen(server: Server, what: string, host: string, port: number): Promise<string> {
  // Don't end idle connections. Otherwise, a busy client that sends its next request at that moment gets a reset.
  server.keepAliveTimeout = 0
  server.listen(port, host)
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) => {
    const message = `${what} cannot listen on ${host}:${port}: ${cause.message}.`
    const isPort = /^E(?:ADDRINUSE|ACCES)$/.test(cause.code ?? '')
    const hint = isPort ? 'Choose another --port; 0 picks a free one.' : 'Choose another --host, such as 127.0.0.1.'
    throw new ContentSpaceError('fileSystem', message, { cause, hint })
  })
  const address = server.address()
  const actual = typeof address === 'object' ? address?.port : undefined
  return `http://${host.includes(':') ? `[${host}]` : host}:${actual}`
}

/** Stops a server and closes open connections. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
