import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { pull, serveFile } from './support/pull.js'

/** Milliseconds that a run waits for other runners; the rest is for a busy machine. */
const delay = 30_000 + 5000

const bytes = randomBytes(200_000)

/** Starts a Redis without entries in which others hold leases or have written a pause. */
async function startOccupied(isPaused: boolean): Promise<string> {
  const sockets = new Set<Socket>()
  const answers: Record<string, string> = {
    GETRANGE: '$0\r\n\r\n',
    EXISTS: ':0\r\n',
    PTTL: ':3000\r\n',
    // The first SET of a lease fails because another runner holds it.
    SET: isPaused ? '+OK\r\n' : '$-1\r\n',
    EVAL: isPaused ? '*2\r\n:0\r\n:300000\r\n' : '*2\r\n:1\r\n:0\r\n',
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      for (const [, name = ''] of String(chunk).matchAll(/^\*\d+\r\n\$\d+\r\n([A-Z]+)\r$/gm))
        socket.write(answers[name] ?? '+OK\r\n')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `redis://127.0.0.1:${portOf(server.address())}`
}

/** Starts an S3 store that is empty and rejects every conditional write as if an object existed. */
async function startRefusing(): Promise<string> {
  const server = createHttpServer((request, response) => {
    request.resume()
    const isConditional = request.headers['if-none-match'] !== undefined || request.headers['if-match'] !== undefined
    response.statusCode = request.method === 'PUT' ? (isConditional ? 412 : 200) : 404
    request.on('end', () => response.end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${portOf(server.address())}`,
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
  })
  return 's3://bucket/prefix'
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

const cases: Record<string, () => Promise<string>> = {
  'leases that nobody releases': () => startOccupied(false),
  'a pause that somebody has written': () => startOccupied(true),
  'a store that refuses every condition': startRefusing,
}

// Run all at once, because they wait.
test(`${Object.keys(cases).join(', ')}: each costs at most 30 s`, async () => {
  const runs = Object.entries(cases).map(async ([name, open]) => {
    const service = await serveFile(bytes)
    const own = await pull(service, {})
    const env = { CONTENT_SPACE_REMOTE: await open(), CONTENT_SPACE_REMOTE_WRITE: '1' }
    const built = await pull(service, env, own.lock)
    expect(built, name).toMatchObject({ bytes: hash('sha256', bytes), lock: own.lock })
    expect(built.time, name).toBeLessThan(own.time + delay)
  })
  await Promise.all(runs)
})
