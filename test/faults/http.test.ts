import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { codes, ContentSpaceError, type ErrorCode } from '../../src/errors.js'
import { readAddress } from '../../src/space/credentials.js'
import { httpSpace, type HttpOptions } from '../../src/space/http.js'
import { envelope, faultServer, json, refusal, type FaultServer, type Respond } from '../support/fault-server.js'

const token = 'CANARY+tok/en=1'
const asset = 'AAAAAAAA-0000-4000-8000-000000000001'
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

async function serve(respond: Respond): Promise<FaultServer> {
  const server = await faultServer(respond)
  cleanups.push(server.close)
  return server
}

function open(url: string, more: Partial<HttpOptions> = {}) {
  const cacheDir = mkdtempSync(join(tmpdir(), 'content-space-http-'))
  const warnings: string[] = []
  const space = httpSpace({
    ...readAddress(url, 7, token),
    timeout: 2000,
    concurrency: 8,
    rateLimit: false,
    insecure: false,
    strict: false,
    cacheDir,
    warn: (message) => void warnings.push(message),
    onRequest: () => {},
    onWait: () => {},
    ...more,
  })
  cleanups.push(() => space.close(), () => rmSync(cacheDir, { recursive: true, force: true }))
  return { space, warnings }
}

/** Answers each request by its turn; the last answer goes on. */
function inTurn(...answers: Respond[]): Respond {
  return (response, request, at) => answers[Math.min(at, answers.length - 1)]?.(response, request, at)
}

const noKits: Respond = (response) => envelope(response, { kit: [] })
const file: Respond = (response) => {
  response.writeHead(200, { 'content-length': svg.length })
  response.end(svg)
}
const status =
  (code: number, text: string, headers: Record<string, string> = {}): Respond =>
  (response) => {
    response.writeHead(code, headers)
    response.end(text)
  }
/** Sends headers and some bytes, and drops the connection. */
const broken =
  (headers: Record<string, string | number>, bytes: Buffer | string): Respond =>
  (response) => {
    response.writeHead(200, headers)
    response.write(bytes, () => response.socket?.destroy())
  }

const silence: Respond = () => {}
const dribble: Respond = (response) => {
  response.writeHead(200)
  const timer = setInterval(() => response.write(' '), 50)
  response.on('close', () => clearInterval(timer))
}
const redirect =
  (location: () => string): Respond =>
  (response) => {
    response.writeHead(307, { location: location() })
    response.end()
  }

async function failure(work: Promise<unknown>): Promise<ContentSpaceError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof ContentSpaceError)) throw new TypeError(`expected a ContentSpaceError, not ${inspect(error)}`)
  return error
}

describe('every number of the service', () => {
  const numbers = Object.entries(codes).flatMap(([code, entry]) => ('service' in entry ? [[entry.service, code, entry.retry] as const] : []))

  test.each(numbers.filter(([, , retry]) => !retry))('%i is %s, whatever the HTTP status, and is asked once', async (number, code) => {
    for (const httpStatus of [200, 404]) {
      const server = await serve((response) => refusal(response, number, httpStatus))
      const error = await failure(open(server.url).space.kits())
      expect(error).toMatchObject({ code, facts: { serviceCode: number, status: httpStatus } })
      expect(server.requests).toHaveLength(1)
    }
  })

  test.each(numbers.filter(([, , retry]) => retry))('%i is %s, and is tried again', async (number) => {
    const server = await serve(inTurn((response) => refusal(response, number, 200), noKits))
    await expect(open(server.url).space.kits()).resolves.toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  test('one that the interface does not list keeps its number', async () => {
    const server = await serve((response) => refusal(response, 7777, 400))
    expect(await failure(open(server.url).space.kits())).toMatchObject({ code: 'unexpectedCode', facts: { serviceCode: 7777 } })
  })
})

describe('answers that are none', () => {
  const cases: [name: string, answer: Respond, code: ErrorCode, requests: number][] = [
    ['HTTP 500 with success', (response) => json(response, { success: true, result: {} }, 500), 'invalidResponse', 1],
    ['no success', (response) => json(response, { result: { kit: [] } }), 'invalidResponse', 1],
    ['success as a text', (response) => json(response, { success: 'false', result: { kit: [] } }), 'invalidResponse', 1],
    ['a login page', status(200, '<!doctype html><h1>Log in</h1>', { 'content-type': 'text/html' }), 'invalidResponse', 1],
    ['gzip though it was not asked', (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(gzipSync('{}'))
    }, 'invalidResponse', 1],
    ['HTTP 401 without an envelope', status(401, ''), 'unauthorized', 1],
    ['HTTP 404 without an envelope', status(404, 'not here'), 'objectNotFound', 1],
  ]
  test.each(cases)('%s', async (_, answer, code, requests) => {
    const server = await serve(answer)
    expect(await failure(open(server.url).space.kits())).toMatchObject({ code })
    expect(server.requests).toHaveLength(requests)
  })

  const passing: [name: string, answer: Respond][] = [
    ['a 502 page', status(502, '<h1>Bad gateway</h1>')],
    ['JSON that is cut short', status(200, '{"success":true,"resu')],
    ['an empty body', status(200, '')],
    ['HTTP 204', status(204, '')],
    ['a connection that is dropped', (response) => void response.socket?.destroy()],
    ['a body shorter than it says', broken({ 'content-length': 1000 }, '{"success":true')],
  ]
  test.each(passing)('%s is tried again', async (_, answer) => {
    const server = await serve(inTurn(answer, noKits))
    await expect(open(server.url).space.kits()).resolves.toEqual([])
    expect(server.requests).toHaveLength(2)
  })

  test('a service that fails on is given up after five tries', async () => {
    const server = await serve(status(502, 'down'))
    expect(await failure(open(server.url).space.kits())).toMatchObject({ code: 'serverError', retryable: false })
    expect(server.requests).toHaveLength(5)
  })

  test('a service that accepts and never answers stalls, and is tried again', async () => {
    const server = await serve(inTurn(silence, noKits))
    await expect(open(server.url, { timeout: 300 }).space.kits()).resolves.toEqual([])
  })

  test('a byte now and then is a stall, too', async () => {
    const server = await serve(inTurn(dribble, noKits))
    await expect(open(server.url, { timeout: 300 }).space.kits()).resolves.toEqual([])
  })

  test('a service that never answers is not waited for when the space is closed', async () => {
    let asked: () => void
    const server = await serve(() => asked())
    const { space } = open(server.url)
    const answer = failure(space.kits())
    await new Promise<void>((resolve) => (asked = resolve))
    await space.close()
    expect(await answer).toMatchObject({ code: 'aborted' })
    expect(await failure(space.kits())).toMatchObject({ code: 'aborted' })
    expect(server.requests).toHaveLength(1)
  })

  test('a dead server is named', async () => {
    const server = await faultServer(noKits)
    await server.close()
    const error = await failure(open(server.url).space.kits())
    expect(error).toMatchObject({ code: 'unreachable' })
    expect(error.message).toContain(server.url)
  })
})

describe('pauses that the service asks for', () => {
  test('are kept, and are everybody’s', async () => {
    const server = await serve(inTurn((response) => json(response, { success: false, error: { code: 429, message: '' } }, 429, { 'retry-after': '1' }), noKits))
    const { space } = open(server.url, { concurrency: 1 })
    await Promise.all([space.kits(), space.kits(), space.kits()])
    const [first, ...others] = server.requests
    expect(others).toHaveLength(3)
    for (const { at } of others) expect(at - (first?.at ?? 0)).toBeGreaterThanOrEqual(1000)
  })

  test('beyond all patience end the work', async () => {
    const server = await serve((response) => json(response, { success: false, error: { code: 429, message: '' } }, 200, { 'retry-after': '99999' }))
    expect(await failure(open(server.url).space.kits())).toMatchObject({ code: 'rateLimited' })
    expect(server.requests).toHaveLength(1)
  })

  test.each(['-5', 'soon', ''])('that make no sense (%j) are none', async (after) => {
    const server = await serve(inTurn((response) => json(response, {}, 503, { 'retry-after': after }), noKits))
    await expect(open(server.url).space.kits()).resolves.toEqual([])
  })
})

describe('credentials', () => {
  test('that are refused end all that is under way, after one try', async () => {
    const server = await serve((response, request, at) => (request.url?.includes('/kits/') ? refusal(response, 401, 401) : silence(response, request, at)))
    const { space } = open(server.url)
    const download = failure(space.download({ uuid: asset }))
    expect(await failure(space.kits())).toMatchObject({ code: 'unauthorized' })
    expect(await download).toMatchObject({ code: 'unauthorized' })
  })

  test('are in no error, however they are echoed', async () => {
    const basic = Buffer.from(`7:${token}`).toString('base64')
    for (const echo of [token, encodeURIComponent(token), basic]) {
      const server = await serve((response) => refusal(response, 103, 400, `bad ${echo}!`))
      const error = await failure(open(server.url).space.kits())
      const shown = `${inspect(error, { depth: 9 })}${error.stack}${JSON.stringify(error)}`
      expect(shown).toContain('[secret]')
      for (const secret of [token, encodeURIComponent(token), basic]) expect(shown).not.toContain(secret)
    }
  })

  test('are not sent over plain http beyond loopback', () => {
    expect(() => open('http://content.example')).toThrow(/plain http/)
  })
})

describe('downloads', () => {
  test('come as bytes, by a redirect or by an address, and no other origin sees credentials', async () => {
    const storage = await serve(file)
    const answers: Respond[] = [
      file,
      (response) => {
        response.writeHead(302, { location: `${storage.url.replace('//', '//user:pass@')}/f` })
        response.end()
      },
      (response) => envelope(response, { url: `${storage.url}/f` }),
    ]
    for (const answer of answers) {
      const server = await serve(answer)
      expect(Buffer.from(await open(server.url).space.download({ uuid: asset, size: svg.length }))).toEqual(svg)
    }
    expect(storage.requests.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
  })

  test('redirected to another origin and back are asked without credentials', async () => {
    const storage = await serve(redirect(() => `${server.url}/back`))
    const server: FaultServer = await serve((response, request, at) => (request.url === '/back' ? file(response, request, at) : redirect(() => storage.url)(response, request, at)))
    await open(server.url).space.download({ uuid: asset })
    expect(server.requests.map(({ authorization }) => authorization !== undefined)).toEqual([true, false])
  })

  test('redirected within the origin keep them', async () => {
    const server = await serve((response, request, at) => (request.url === '/moved' ? file(response, request, at) : status(302, '', { location: '/moved' })(response, request, at)))
    await open(server.url).space.download({ uuid: asset })
    expect(server.requests.every(({ authorization }) => authorization !== undefined)).toBe(true)
  })

  test.each(['file:///etc/passwd', 'http://169.254.169.254/latest', 'ftp://127.0.0.1/x', 'http://'])('are never redirected to %s', async (location) => {
    const server = await serve(status(302, '', { location }))
    expect(await failure(open(server.url).space.download({ uuid: asset }))).toMatchObject({ code: 'badRedirect' })
  })

  test('in a circle, or to nowhere, end', async () => {
    for (const headers of [{ location: '/again' }, {}]) {
      const server = await serve((response) => {
        response.writeHead(302, headers)
        response.end()
      })
      expect(await failure(open(server.url).space.download({ uuid: asset }))).toMatchObject({ code: 'badRedirect' })
    }
  })

  test('whose signed address has expired begin again at the service', async () => {
    const storage = await serve(inTurn(status(403, '<Error>expired</Error>'), file))
    const server = await serve((response) => envelope(response, { url: `${storage.url}/f` }))
    await open(server.url).space.download({ uuid: asset })
    expect(server.requests).toHaveLength(2)
  })

  test('that are an error in an envelope are that error, never a file', async () => {
    const server = await serve((response) => refusal(response, 3304, 200))
    expect(await failure(open(server.url).space.download({ uuid: asset }, 'PDF'))).toMatchObject({ code: 'fileCutUnavailable', facts: { asset } })
  })

  test('may well be JSON', async () => {
    const server = await serve((response) => json(response, { success: 3, v: '5.5.7' }))
    expect(Buffer.from(await open(server.url).space.download({ uuid: asset })).toString()).toContain('5.5.7')
  })

  test.each([
    ['shorter than listed', broken({}, svg.subarray(0, 9))],
    ['cut off before their length', broken({ 'content-length': svg.length }, svg.subarray(0, 9))],
    ['parts that were not asked for', status(206, svg.toString())],
  ])('%s are tried again, from the start', async (_, answer) => {
    const server = await serve(inTurn(answer, file))
    expect(Buffer.from(await open(server.url).space.download({ uuid: asset, size: svg.length }))).toEqual(svg)
  })

  test('never exceed the rate, two spaces with one cache folder counted together', async () => {
    const server = await serve(file)
    const cacheDir = mkdtempSync(join(tmpdir(), 'content-space-rate-'))
    cleanups.push(() => rmSync(cacheDir, { recursive: true, force: true }))
    const rateLimit = { requests: 5, seconds: 1 }
    const spaces = [open(server.url, { cacheDir, rateLimit }).space, open(server.url, { cacheDir, rateLimit }).space]
    await Promise.all(Array.from({ length: 12 }, async (_, at) => spaces[at % 2]?.download({ uuid: asset })))
    const times = server.requests.map(({ at }) => at).toSorted((a, b) => a - b)
    expect(times).toHaveLength(12)
    for (const [at, time] of times.entries()) expect(times.filter((other) => other >= time && other < time + 1000).length, `window from request ${at}`).toBeLessThanOrEqual(5)
  })
})
