import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { httpEngine } from '../../../src/remote/engines/http.js'
import { reasonOf } from '../../../src/remote/engine.js'

/** Starts a server that rejects the first requests with a status, and then stores and returns what is PUT. */
async function startBusy(refused: number, status: number, headers: Record<string, string> = {}) {
  const stored = new Map<string, string>()
  const requests: string[] = []
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    requests.push(`${method} ${url}`)
    const sent = await text(request)
    if (requests.length <= refused) return void response.writeHead(status, headers).end('busy')
    if (method === 'PUT') stored.set(url, sent)
    response.writeHead(method === 'PUT' ? 201 : stored.has(url) ? 200 : 404).end(stored.get(url))
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const engine = httpEngine(new URL(`http://127.0.0.1:${address.port}/cache/`), undefined)
  onTestFinished(() => {
    engine.close()
    server.close()
  })
  return { engine, requests }
}

const call = { signal: new AbortController().signal, progress: () => {}, answered: () => {} }
const entry = { header: Buffer.from('head '), content: { bytes: Buffer.from('body'), size: 4, integrity: '' } }

test.each([
  [429, { 'retry-after': '0' }],
  [503, {}],
])('waits for a server that is busy: %d', async (status, headers) => {
  const { engine, requests } = await startBusy(2, status, headers)
  await engine.put('a', entry, call)
  const body = await engine.get('a', call)
  expect(body && (await text(body))).toBe('head body')
  expect(requests).toEqual([...Array.from({ length: 3 }, () => 'PUT /cache/a'), 'GET /cache/a'])
})

test('fails after six attempts, and at once for another status', async () => {
  const busy = await startBusy(Infinity, 429, { 'retry-after': '0' })
  await expect(busy.engine.has('a', call)).rejects.toThrow('HTTP status 429')
  expect(busy.requests).toHaveLength(6)
  const broken = await startBusy(Infinity, 500)
  await expect(broken.engine.has('a', call)).rejects.toThrow('HTTP status 500')
  expect(broken.requests).toHaveLength(1)
  const moved = await startBusy(Infinity, 301, { location: 'https://cache.example.com/' })
  await expect(moved.engine.has('a', call)).rejects.toThrow('it redirects with HTTP status 301')
  await expect(moved.engine.put('a', entry, call)).rejects.toThrow('it redirects with HTTP status 301')
  expect(moved.requests).toEqual(['HEAD /cache/a', 'PUT /cache/a'])
})

test("the reason for a certificate error doesn't contain text from the server", () => {
  const error = { code: 'ERR_TLS_CERT_ALTNAME_INVALID', reason: "Host: cache. is not in the cert's altnames: DNS:x" }
  expect(reasonOf(Object.assign(new Error('tls'), error))).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
})
