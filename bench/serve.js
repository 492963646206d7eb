// Serves a folder through a proxy with a cache, so that a response takes only the latency. The server behind it reads
// its folder for each response.
import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { startServer } from '../build/commands/serve/server.js'

const [, , folder = '', latency = '0'] = process.argv
const service = await startServer({ folder, rateLimit: false })
/** @type {Map<string, Promise<{ status: number, type: string, body: Uint8Array }>>} */
const responses = new Map()
/** @type {string[]} */
let requests = []

/**
 * A connection of its own for each request: a busy server may close one that waits.
 * @param {string} path @param {string} authorization
 */
async function send(path, authorization) {
  const request = get(service.url + path, { agent: false, headers: { authorization } })
  const [response] = await once(request, 'response')
  return {
    status: response.statusCode,
    type: response.headers['content-type'] ?? '',
    body: await buffer(response),
  }
}

const proxy = createServer((request, response) => {
  const { url = '', headers } = request
  if (url === '/requests') {
    response.end(JSON.stringify(requests))
    requests = []
    return
  }
  requests.push(url)
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
  console.log(JSON.stringify({ space: `http://127.0.0.1:${port}`, spaceId: service.spaceId, token: service.token }))
})
