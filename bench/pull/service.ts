import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { startServer } from '../../src/commands/serve/server.js'

const [, , folder = '', latency = '0'] = process.argv
const service = await startServer({ folder, rateLimit: false })
const responses = new Map<string, Promise<{ status: number; type: string; body: Uint8Array }>>()

async function send(path: string, authorization: string) {
  const response = await fetch(service.url + path, { headers: { authorization } })
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    body: new Uint8Array(await response.arrayBuffer()),
  }
}

/**
 * A proxy with a cache, so that a response takes only the latency. The server behind it reads its folder for each
 * response.
 */
const proxy = createServer((request, response) => {
  const { url = '', headers } = request
  const cached = responses.get(url) ?? send(url, headers.authorization ?? '')
  responses.set(url, cached)
  void Promise.all([cached, wait(Number(latency))]).then(([{ status, type, body }]) => {
    response.writeHead(status, { 'content-type': type, 'content-length': body.length })
    response.end(body)
  })
})
proxy.listen(0, '127.0.0.1', () => {
  const address = proxy.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, spaceId: service.spaceId, token: service.token }))
})
