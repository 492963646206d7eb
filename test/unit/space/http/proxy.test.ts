import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { httpEngine } from '../../../../src/remote/engines/http.js'
import { httpSpace } from '../../../../src/space/http/client.js'
import { readAddress } from '../../../../src/space/http/credentials.js'

const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [name, name.toLowerCase()])

beforeEach(() => {
  const before = { ...process.env }
  for (const name of names) delete process.env[name]
  return () => {
    for (const name of names) delete process.env[name]
    Object.assign(process.env, before)
  }
})

/**
 * Starts a proxy. It forwards plain requests to a service that doesn't list any kits, and answers tunnels with a
 * status.
 */
async function startProxy(tunnelStatus = 200) {
  const seen: Pick<IncomingMessage, 'method' | 'url' | 'headers'>[] = []
  const tunneled: Buffer[] = []
  const service = createServer((_, response) => {
    response.end(JSON.stringify({ success: true, server_clock: 1, result: { kit: [] } }))
  }).listen(0, '127.0.0.1')
  const proxy = createServer((incoming, response) => {
    seen.push(incoming)
    const { method, headers } = incoming
    const { pathname, search } = new URL(incoming.url ?? '')
    const to = request(
      { port: portOf(service), host: '127.0.0.1', path: pathname + search, method, headers },
      (from) => {
        response.writeHead(from.statusCode ?? 502, from.headers)
        from.pipe(response)
      },
    )
    to.end()
  }).listen(0, '127.0.0.1')
  proxy.on('connect', (incoming, socket) => {
    seen.push(incoming)
    socket.on('error', () => {})
    socket.write(`HTTP/1.1 ${tunnelStatus} Any\r\n\r\n`)
    socket.once('data', (chunk: Buffer) => {
      tunneled.push(chunk)
      socket.destroy()
    })
  })
  await Promise.all([service, proxy].map((one) => (one.listening ? turn() : once(one, 'listening'))))
  onTestFinished(() => [service, proxy].forEach((one) => (one.closeAllConnections(), one.close())))
  return { url: `http://user:secret@127.0.0.1:${portOf(proxy)}`, service: portOf(service), seen, tunneled }
}

function portOf(server: ReturnType<typeof createServer>): number {
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

async function open(address: string) {
  const cacheDir = await mkdtemp(join(tmpdir(), 'content-space-proxy-'))
  const space = httpSpace({
    ...readAddress(address, 7, 'canary'),
    timeout: 5000,
    concurrency: 4,
    rateLimit: false,
    cacheDir,
    insecure: true,
    strict: false,
    warn: () => undefined,
    onRequest: () => undefined,
    onWait: () => undefined,
    clock: { now: () => 0, sleep: async () => {} },
  })
  onTestFinished(async () => {
    await space.close()
    await rm(cacheDir, { recursive: true, force: true })
  })
  return space
}

test.each(['HTTP_PROXY', 'http_proxy'])('a service with plain http is reached through %s', async (name) => {
  const proxy = await startProxy()
  process.env[name] = proxy.url
  const space = await open('http://content.corp.example')
  expect(await space.kits()).toEqual([])
  expect(proxy.seen[0]?.url).toMatch(/^http:\/\/content\.corp\.example\/1\/kits\//)
  expect(proxy.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${btoa('user:secret')}`)
})

test.each(['HTTPS_PROXY', 'https_proxy'])(
  'a service with https is a tunnel for %s, which sees no token',
  async (name) => {
    const proxy = await startProxy()
    process.env[name] = proxy.url
    const space = await open('https://content.corp.example')
    await expect(space.kits()).rejects.toMatchObject({ code: 'unreachable' })
    const preview = space.preview?.('https://content.corp.example/preview.png', buffer)
    await expect(preview).rejects.toMatchObject({ code: 'unreachable' })
    for (const { method, url, headers } of proxy.seen) {
      expect([method, url, headers.authorization]).toEqual(['CONNECT', 'content.corp.example:443', undefined])
    }
    // The first byte of a TLS handshake.
    for (const bytes of proxy.tunneled) expect([bytes[0], bytes.includes('canary')]).toEqual([22, false])
    expect(proxy.tunneled.length).toBeGreaterThan(1)
  },
)

test('this machine, and hosts of NO_PROXY, are reached directly', async () => {
  const proxy = await startProxy()
  process.env['HTTP_PROXY'] = proxy.url
  process.env['NO_PROXY'] = 'other.example, .invalid'
  expect(await (await open(`http://127.0.0.1:${proxy.service}`)).kits()).toEqual([])
  await expect((await open('http://content.invalid')).kits()).rejects.toMatchObject({ code: 'unreachable' })
  expect(proxy.seen).toEqual([])
})

test.each([
  ['refuses', 407, 'HTTPS_PROXY', /refused a connection to https:\/\/content\.corp\.example \(HTTP status 407\)/],
  ['is away', undefined, 'HTTPS_PROXY', /https:\/\/content\.corp\.example is unreachable \(ECONNREFUSED\)/],
])('an error names the variable of a proxy that %s, and no password', async (_, status, variable, message) => {
  process.env[variable] = status === undefined ? 'http://user:secret@127.0.0.1:9' : (await startProxy(status)).url
  const space = await open('https://content.corp.example')
  const error: unknown = await space.kits().catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'unreachable', summary: expect.stringMatching(message) })
  expect(String(error)).toContain(variable)
  expect(String(error)).not.toContain('secret')
})

test("a proxy without a scheme uses http, and the error for an invalid URL doesn't contain it", async () => {
  const proxy = await startProxy()
  process.env['HTTP_PROXY'] = proxy.url.replace('http://', '')
  expect(await (await open('http://content.corp.example')).kits()).toEqual([])
  process.env['HTTP_PROXY'] = 'http://user:secret@:x'
  const error: unknown = await (await open('http://content.corp.example')).kits().catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'invalidOption', summary: 'HTTP_PROXY is not the URL of a proxy.' })
  expect(String(error)).not.toContain('secret')
})

test('the remote cache over HTTP is reached through the proxy', async () => {
  const proxy = await startProxy()
  process.env['HTTP_PROXY'] = proxy.url
  const engine = httpEngine(new URL('http://cache.corp.example/builds/'), undefined)
  onTestFinished(() => engine.close())
  expect(await engine.has('a', { signal: new AbortController().signal, progress: () => {}, answered: () => {} })).toBe(
    true,
  )
  expect(proxy.seen.map(({ method, url }) => `${method} ${url}`)).toEqual(['HEAD http://cache.corp.example/builds/a'])
})
