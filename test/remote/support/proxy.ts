import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A port that forwards bytes to another port. */
export interface Relay {
  port: number
  close(): void
}

/** A connection between a runner and an engine that a test can disturb. */
export interface Proxy extends Relay {
  /** Replaces each of the engine's answers with random bytes of the same length from now on. */
  garble(): void
  /** Delivers one byte of an answer every 100 ms from now on. */
  dribble(): void
}

/**
 * Opens a port on this machine that forwards to another one.
 * @param link passes on the bytes of a connection
 */
export async function startRelay(target: number, link: (client: Socket, engine: Socket) => void): Promise<Relay> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const engine = connect(target, '127.0.0.1')
    for (const socket of [client, engine]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    link(client, engine)
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

type Change = (chunk: Buffer, client: Socket) => void

const pass: Change = (chunk, client) => void client.write(chunk)

export async function startProxy(target: number): Promise<Proxy> {
  let change = pass
  const relay = await startRelay(target, (client, engine) => {
    for (const socket of [client, engine]) {
      socket.on('close', () => {
        client.destroy()
        engine.destroy()
      })
    }
    client.on('data', (chunk) => void engine.write(chunk))
    engine.on('data', (chunk) => change(chunk, client))
  })
  return {
    ...relay,
    garble() {
      change = (chunk, client) => void client.write(randomBytes(chunk.length))
    },
    dribble() {
      change = (chunk, client) => {
        const timer = setInterval(() => client.write(chunk.subarray(0, 1)), 100)
        client.on('close', () => clearInterval(timer))
      }
    },
  }
}
