import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { Transform, pipeline } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { memoryLimit } from '../../disk/content.js'
import { httpRefusal } from '../engine.js'
import { openValueCounter } from './resp.js'

/** In bytes. The largest replies are parts of entries; the margin covers lists of names and framing. */
const maxReply = memoryLimit + 256 * 1024

/**
 * Connects to Redis, and counts the bytes of each reply before the client receives them, because clients buffer a whole
 * reply, however long it is. Clients don't accept a stream in place of a socket, so the bytes go through a local port.
 * @param onFailure called when the server ends the connection, or sends a reply that is too large or invalid
 * @returns the local port for the client, which accepts one connection.
 */
export async function openRedisLink(url: URL, signal: AbortSignal, onFailure: (error: Error) => void) {
  const server = await connectTo(url, signal)
  const local = createServer({ noDelay: true })
  let client: Socket | undefined

  function close(): void {
    local.close()
    server.destroy()
    client?.destroy()
  }

  local.on('error', onFailure)
  server.on('error', onFailure)
  server.on('end', () => onFailure(new Error('closed')))
  local.once('connection', (socket) => {
    client = socket.unref()
    local.close()
    const countCommands = openValueCounter(Number.POSITIVE_INFINITY)
    const countReplies = openValueCounter(maxReply)
    let pending = 0
    const commands = passing((chunk) => void (pending += countCommands(chunk)))
    const replies = passing((chunk) => {
      pending -= countReplies(chunk)
      if (pending < 0) throw new RangeError('a reply without a command')
    })
    replies.on('error', () => onFailure(httpRefusal(undefined)))
    pipeline(socket, commands, server, close)
    pipeline(server, replies, socket, close)
  })
  local.listen(0, '127.0.0.1')
  await once(local, 'listening', { signal })
  server.unref()
  local.unref()
  return { port: portOf(local.address()), close }
}

async function connectTo(url: URL, signal: AbortSignal): Promise<Socket> {
  const target = { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(url.port || 6379) }
  const isSecure = url.protocol === 'rediss:'
  const socket = isSecure ? connectTls(target) : connect(target)
  socket.setNoDelay(true)
  socket.setKeepAlive(true, 5000)
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal })
    return socket
  } catch (error) {
    socket.on('error', () => {})
    socket.destroy()
    throw error
  }
}

/** Creates a stream that passes chunks on, unless `check` throws. */
function passing(check: (chunk: Buffer) => void): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        check(chunk)
        done(null, chunk)
      } catch (error) {
        done(error instanceof Error ? error : new Error('invalid'))
      }
    },
  })
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
