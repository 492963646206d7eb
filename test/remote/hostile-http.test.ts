import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runs } from '../support/long.js'
import { dribble, flood } from './support/flood.js'
import { pull, serveFile } from './support/pull.js'

/** Limits for a build with a hostile cache: megabytes, and milliseconds in addition to a build without it. */
const [megabytes, delay] = [400, 10_000]

interface HostileResponse {
  /** Sent once for each request. */
  start: string
  /** Sent repeatedly after it, forever. */
  again?: string
  /** Sent after it forever, one byte every 100 ms. */
  slowly?: string
}

const ok = 'HTTP/1.1 200 OK\r\n'
const missing = 'HTTP/1.1 404 Not Found\r\ncontent-type: application/xml\r\n'

const responses: Record<string, HostileResponse> = {
  'headers without an end': { start: ok, again: 'a: b\r\n' },
  'a header without an end': { start: `${ok}a: `, again: 'b' },
  'headers byte by byte': { start: `${ok}a: `, slowly: 'b' },
  'a status line without an end': { start: 'HTTP/1.1 200 ', again: 'a' },
  'interim responses without an end': { start: '', again: 'HTTP/1.1 102 Processing\r\n\r\n' },
  'a body without an end': { start: `${ok}\r\n`, again: 'a' },
  'a body of 90 GB': { start: `${ok}content-length: 90000000000\r\n\r\n`, again: 'a' },
  'a body of 90 GB that does not come': { start: `${ok}content-length: 90000000000\r\n\r\n` },
  'a body byte by byte': { start: `${ok}content-length: 100000\r\n\r\n`, slowly: 'a' },
  'chunks without an end': { start: `${ok}transfer-encoding: chunked\r\n\r\n`, again: '1\r\na\r\n' },
  'an extension of a chunk without an end': { start: `${ok}transfer-encoding: chunked\r\n\r\n1;`, again: 'a' },
  'an error without an end': { start: `${missing}\r\n`, again: '<Error>' },
  'an error of 90 GB': { start: `${missing}content-length: 90000000000\r\n\r\n`, again: '<Error>' },
  'an error byte by byte': { start: `${missing}content-length: 100000\r\n\r\n`, slowly: '<' },
  'no HTTP': { start: '', again: '\0' },
}

async function startHostile({ start, again, slowly }: HostileResponse): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(start)
      if (slowly !== undefined) dribble(socket, slowly)
      if (again !== undefined) flood(socket, again)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const modes = [
  { kind: 'http', write: '' },
  { kind: 's3', write: '1' },
  { kind: 'http', write: '1' },
  { kind: 's3', write: '' },
]

/** Short runs try each response in one mode, and long runs in all modes. */
const cases = Object.entries(responses).map(([name, response], at) => {
  const first = at % modes.length
  return [name, response, [...modes.slice(first), ...modes.slice(0, first)].slice(0, runs(1, modes.length))] as const
})

test.each(cases)('a build is right when a server of HTTP or S3 sends %s', async (_, response, tried) => {
  const bytes = randomBytes(200_000)
  const service = await serveFile(bytes)
  const own = await pull(service, {})
  for (const { kind, write } of tried) {
    const url = `http://127.0.0.1:${await startHostile(response)}`
    const s3 = { AWS_ENDPOINT_URL_S3: url, AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
    const remote = kind === 's3' ? { CONTENT_SPACE_REMOTE: 's3://bucket/prefix', ...s3 } : { CONTENT_SPACE_REMOTE: url }
    const built = await pull(service, { ...remote, CONTENT_SPACE_REMOTE_WRITE: write }, own.lock)
    expect([kind, write, built]).toMatchObject([kind, write, { bytes: hash('sha256', bytes), lock: own.lock }])
    expect(built.megabytes).toBeLessThan(megabytes)
    expect(built.time).toBeLessThan(own.time + delay)
  }
})
