import type { Server } from 'node:http'
import { ContentSpaceError } from '../errors.js'

/**
 * Lets a server listen.
 * @param what names it in the error, as the start of a sentence
 * @param port 0: a free one
 * @returns its address, such as `http://127.0.0.1:49152`
 * @throws ContentSpaceError `fileSystem` if the port is in use
 */
export function listen(server: Server, what: string, host: string, port: number, hint?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (cause: Error): void => {
      const message = `${what} cannot listen on ${host}:${port}: ${cause.message}.`
      reject(new ContentSpaceError('fileSystem', message, { cause, ...(hint !== undefined && { hint }) }))
    }
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      const address = server.address()
      const actual = typeof address === 'object' ? address?.port : undefined
      resolve(`http://${host.includes(':') ? `[${host}]` : host}:${actual}`)
    })
  })
}

/** Stops a server and closes open connections. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
