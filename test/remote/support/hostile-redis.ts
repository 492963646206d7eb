import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { dribble, flood } from './flood.js'

/** What a server sends instead of a reply. */
export interface HostileReply {
  /** Sent once. */
  start?: string
  /** Sent after it forever in large chunks. */
  again?: string
  /** Sent after it forever, one byte every 100 ms. */
  slowly?: string
  /** Sent immediately to each new connection. */
  unasked?: boolean
  /** Sent for each command. */
  each?: Buffer
}

/** Replies that consume memory, time, or both. */
export const hostileReplies: Record<string, HostileReply> = {
  'a text of 90 GB': { start: '$90000000000\r\n', again: 'a' },
  'a text of 2 GiB': { start: '$2147483648\r\n', again: 'a' },
  'a text of 90 GB that does not come': { start: '$90000000000\r\n' },
  'a text of 1 MiB, byte by byte': { start: '$1048576\r\n', slowly: 'a' },
  'a value without an end': { each: Buffer.from(`$1048576\r\n${'a'.repeat(1_048_576)}\r\n`) },
  'an array of 10^9 texts': { start: '*1000000000\r\n', again: '$1\r\na\r\n' },
  'an array of 30 million texts': { start: '*30000000\r\n', again: '$1\r\na\r\n' },
  'arrays within arrays': { again: '*1\r\n' },
  'arrays of arrays': { again: '*200000\r\n' },
  'a flood of pushes': { again: '>2\r\n$7\r\nmessage\r\n$1\r\na\r\n' },
  'a flood of replies': { again: '+OK\r\n' },
  'replies that nobody has asked for': { again: '+OK\r\n', unasked: true },
  'a line without an end': { start: '+', again: 'a' },
  'an error without an end': { start: '-ERR ', again: 'a' },
  'a number without an end': { start: ':', again: '1' },
  'a length without an end': { start: '$', again: '1' },
  'a length that is hidden in a line': { start: '+\rX$90000000000\r\n', again: 'a' },
  'a negative length': { start: '$-9\r\n', again: 'a' },
  'a map of 10^9 entries': { start: '%1000000000\r\n', again: '+a\r\n' },
  'an error of 90 GB': { start: '!90000000000\r\n', again: 'a' },
  'a text in parts without an end': { start: '$?\r\n', again: ';1\r\na\r\n' },
}

/** Starts a server that accepts a connection like Redis and then sends hostile replies. Returns the option `remote`. */
export async function startHostileRedis(reply: HostileReply): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (reply.unasked) return attack(socket, reply)
    let attacked = false
    socket.on('data', (chunk) => {
      const names = String(chunk).match(/^(?:HELLO|CLIENT|GETRANGE|EXISTS|SET|PTTL|EVAL|DEL|SCAN|GET)\r$/gm) ?? []
      for (const name of names) {
        if (name === 'HELLO\r' || name === 'CLIENT\r') socket.write('+OK\r\n')
        else if (reply.each) socket.write(reply.each)
        else if (!attacked) {
          attacked = true
          attack(socket, reply)
        }
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return `redis://127.0.0.1:${address.port}`
}

function attack(socket: Socket, { start = '', again, slowly }: HostileReply): void {
  socket.write(start)
  if (slowly !== undefined) dribble(socket, slowly)
  if (again !== undefined) flood(socket, again)
}
