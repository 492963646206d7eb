import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A server as it is seen from another machine. */
export interface Distance {
  port: number
  close(): void
}

/** Passes bytes to a port of this machine and back, each way with a delay. @param milliseconds there and back */
export async function startDistance(port: number, milliseconds: number): Promise<Distance> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => to.destroy())
      from.on('data', (chunk) => void setTimeout(() => to.write(chunk), milliseconds / 2))
      from.on('close', () => void setTimeout(() => to.destroy(), milliseconds))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
