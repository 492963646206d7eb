import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A connection between a runner and an engine that a test can disturb. */
export interface Proxy {
  port: number
  /** From now on, each answer of the engine is replaced by random bytes of the same length. */
  garble(): void
  /** From now on, one byte of an answer arrives every 100 ms. */
  dribble(): void
  close(): void
}

type Change = (chunk: Buffer, client: Socket) => void

const pass: Change = (chunk, client) => void client.write(chunk)

export async function startProxy(target: number): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let change = pass
  const server = createServer((client) => {
    const engine = connect(target, '127.0.0.1')
    for (const socket of [client, engine]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        client.destroy()
        engine.destroy()
        sockets.delete(socket)
      })
    }
    client.on('data', (chunk) => void engine.write(chunk))
    engine.on('data', (chunk) => change(chunk, client))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    garble() {
      change = (chunk, client) => void client.write(randomBytes(chunk.length))
    },
    dribble() {
      change = (chunk, client) => {
        const timer = setInterval(() => client.write(chunk.subarray(0, 1)), 100)
        client.on('close', () => clearInterval(timer))
      }
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
