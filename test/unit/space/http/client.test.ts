import { createServer, type Server, type ServerResponse } from 'node:http'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readAddress } from '../../../../src/space/http/credentials.js'
import { httpSpace, type HttpOptions } from '../../../../src/space/http/client.js'
import { downloadBytes } from '../../../support/download.js'
import type { Space } from '../../../../src/space/space.js'

const asked = '3BD9AAAA-0000-4000-8000-000000000001'
const other = '3BD9AAAA-0000-4000-8000-000000000002'
const success = (result: object) => ({ success: true, server_clock: 1, result })
const refusal = (code: number) => ({ success: false, server_clock: 1, error: { code, message: '' } })

let cacheDir: string
let server: Server | undefined
let space: Space | undefined

beforeEach(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'content-space-http-'))
})
afterEach(async () => {
  await space?.close()
  server?.closeAllConnections()
  server?.close()
  await rm(cacheDir, { recursive: true, force: true })
})

/**
 * Opens a space whose service answers from a table by path, without `/1/`. `otherwise` answers paths that aren't in the
 * table.
 */
async function serving(
  answers: Record<string, object>,
  options: Partial<HttpOptions> = {},
  otherwise: (response: ServerResponse, url: string) => unknown = (response) =>
    response.end(JSON.stringify(refusal(404))),
): Promise<Space> {
  const listening = createServer(({ url = '' }, response) => {
    const answer = answers[url.replace(/^\/1\/|\/?(?:\?.*)?$/g, '')]
    if (answer) response.end(JSON.stringify(answer))
    else otherwise(response, url)
  })
  server = listening
  await new Promise<void>((resolve) => void listening.listen(0, '127.0.0.1', resolve))
  const bound = listening.address()
  const port = typeof bound === 'object' && bound ? bound.port : 0
  space = httpSpace({
    ...readAddress(`http://127.0.0.1:${port}`, 7, 'canary'),
    timeout: 5000,
    concurrency: 4,
    rateLimit: false,
    cacheDir,
    insecure: false,
    strict: false,
    warn: () => undefined,
    onRequest: () => undefined,
    onWait: () => undefined,
    ...options,
  })
  return space
}

test.each([
  ['headers that are too long', { 'x-long': 'x'.repeat(20_000) }, 1, /longer than 16 kB/],
  ['an invalid length', { 'content-length': 'x' }, 5, /not valid HTTP/],
])('an answer with %s is named', async (_, headers, requests, message) => {
  let sent = 0
  const opened = await serving({}, {}, ({ socket }) => {
    sent++
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket?.end(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n{}`)
  })
  await expect(opened.kits()).rejects.toMatchObject({
    code: 'invalidResponse',
    message: expect.stringMatching(message),
  })
  expect(sent).toBe(requests)
})

test('one invalid record does not reject the list of kits, unless strict is set', async () => {
  const kits = [{ kit_uuid: asked, name: 'Brand' }, { kit_uuid: other, name: 'Icons', use_version: -1 }, null]
  const warnings: string[] = []
  const options = { warn: (message: string) => void warnings.push(message) }
  const lenient = await serving({ kits: success({ kit: kits }) }, options)
  expect((await lenient.kits()).map(({ uuid }) => uuid)).toEqual([asked])
  // There is only one warning, however many errors there are.
  expect(warnings).toEqual([
    expect.stringMatching(/`kit\.1\.use_version` .* Invalid kits: Icons, kit\.2\. They are left out\.$/),
  ])
  await lenient.close()
  server?.close()
  const strict = await serving({ kits: success({ kit: kits }) }, { strict: true })
  await expect(strict.kits()).rejects.toMatchObject({
    code: 'invalidResponse',
    message: expect.stringMatching('Icons'),
  })
})

test('long texts are truncated in all records, and one warning says so', async () => {
  const warnings: string[] = []
  const options = { warn: (message: string) => void warnings.push(message) }
  const long = '漢\\"'.repeat(4000)
  const opened = await serving(
    { kits: success({ kit: [{ kit_uuid: asked, name: long, description: long, owner: { name: long } }] }) },
    options,
  )
  const [kit] = await opened.kits()
  expect([kit?.name, kit?.description].map((text) => text?.length)).toEqual([1000, 10_000])
  expect(kit?.raw).toMatchObject({ name: kit?.name, description: kit?.description, owner: { name: kit?.name } })
  await opened.kits()
  expect(warnings).toEqual([
    expect.stringMatching(/^Some texts of http:.* are too long: only the first 1000 characters of a name and 10000 /),
  ])
})

describe('an answer for another uuid than requested', () => {
  const version = { version: 1, version_identifier: '1.0', counts: {} }
  const kit = { kit_uuid: other, name: 'Brand', use_version: 1 }

  test.each([
    ['kit', `kits/${asked}`, { kit }, (opened: Space) => opened.kit(asked, 'use_versions')],
    [
      'outline',
      `kits/${asked}/outline`,
      { kit_version: { ...version, kit_uuid: other, sections: [] } },
      (opened: Space) => opened.outline(asked, 1),
    ],
    [
      'section',
      `sections/${asked}`,
      { section: { ...version, uuid: other, kit_uuid: asked, items: [] } },
      (opened: Space) => opened.section(asked, 1),
    ],
  ])('is an error: %s', async (_name, path, result, ask) => {
    const opened = await serving({ [path]: success(result) })
    await expect(ask(opened)).rejects.toMatchObject({ code: 'invalidResponse' })
  })

  test('is accepted when only the case of the uuid differs', async () => {
    const opened = await serving({ [`kits/${asked.toLowerCase()}`]: success({ kit: { ...kit, kit_uuid: asked } }) })
    await expect(opened.kit(asked.toLowerCase(), 'use_versions')).resolves.toMatchObject({ uuid: asked })
  })
})

const section = (version: number) => ({
  section: { version, counts: {}, uuid: asked, kit_uuid: other, name: 'Icons', items: [] },
})

describe('a service that supports only one spelling of the version parameter', () => {
  test.each(['version', 'v'])('is supported: %s', async (name) => {
    const opened = await serving({}, {}, (response, url) => {
      response.end(JSON.stringify(success(section(Number(new URL(url, 'http://x').searchParams.get(name) ?? 0)))))
    })
    await expect(opened.section(asked, 3)).resolves.toMatchObject({ version: 3 })
  })

  test('causes an error when it returns another version', async () => {
    const opened = await serving({ [`sections/${asked}`]: success(section(0)) })
    await expect(opened.section(asked, 3)).rejects.toMatchObject({ code: 'invalidResponse' })
  })
})

describe('a token that the service returns as content', () => {
  const token = 'canary+of/tests'
  const credentials = readAddress('http://127.0.0.1', 7, token)

  test('is removed from every record', async () => {
    const echo = `https://7:${encodeURIComponent(token)}@content.example/?t=${Buffer.from(`7:${token}`).toString('base64')}`
    const asset = {
      uuid: other,
      name: `Logo ${token}`,
      type: 'SVG',
      notes: token,
      keywords: token,
      colors: [{ [token]: echo }],
      permalink: echo,
      thumbnails: { [token]: echo },
      meta: { [echo]: token },
    }
    const items = [
      { uuid: other, type: 'asset', data: { content: token }, asset },
      { uuid: asked, type: token, data: { [token]: [echo] } },
    ]
    const kit = {
      kit_uuid: asked,
      name: token,
      use_version: 1,
      images: { cover: echo },
      versions: [{ version: 1, version_identifier: token, notes: token, counts: {} }],
    }
    const opened = await serving(
      {
        kits: success({ kit: [kit] }),
        [`kits/${asked}/outline`]: success({
          kit_version: {
            ...kit.versions[0],
            kit_uuid: asked,
            sections: [{ uuid: other, name: token, headers: [{ uuid: other, name: token }] }],
          },
        }),
        [`sections/${asked}`]: success({
          section: { version: 1, counts: {}, uuid: asked, kit_uuid: other, name: token, items },
        }),
      },
      { credentials: credentials.credentials },
      (response) => response.setHeader('content-revision', token).end(JSON.stringify(success({ kit }))),
    )
    const records = [
      await opened.kits(),
      await opened.kit(asked, 'versions'),
      await opened.outline(asked, 1),
      await opened.section(asked, 1),
    ]
    for (const record of records) {
      const text = JSON.stringify(record)
      expect(text).toContain('[secret]')
      for (const spelling of [
        token,
        encodeURIComponent(token),
        Buffer.from(token).toString('base64'),
        Buffer.from(`7:${token}`).toString('base64'),
      ])
        expect(text).not.toContain(spelling)
    }
  })

  test.each([
    [
      'redirects there',
      (response: ServerResponse, address: string) => response.writeHead(302, { location: address }).end(),
    ],
    [
      'gives that as address',
      (response: ServerResponse, address: string) => response.end(JSON.stringify(success({ url: address }))),
    ],
  ])('is never sent to a redirect target: the service %s', async (_, send) => {
    let requests = 0
    const opened = await serving({}, { credentials: credentials.credentials }, (response) => {
      requests += 1
      send(response, `/elsewhere?token=${encodeURIComponent(token)}`)
    })
    const error = await downloadBytes(opened, { uuid: asked }).then(String, (reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'badRedirect' })
    expect(inspect(error)).not.toContain(token)
    expect(requests).toBe(1)
  })

  test("isn't printed if it is part of a host name", async () => {
    const host = readAddress('http://127.0.0.1', 7, 'secretoftests').credentials
    const opened = await serving({}, { credentials: host }, (response) =>
      response.writeHead(302, { location: 'http://SecretOfTests.example/' }).end(),
    )
    const error = await downloadBytes(opened, { uuid: asked }).then(String, (reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'badRedirect' })
    expect(inspect(error)).not.toMatch(/secretoftests/i)
  })
})

describe('the body at the address in an envelope', () => {
  test.each([
    ['an error', refusal(3304), 'fileCutUnavailable'],
    ['one more address', success({ url: '/file' }), 'badRedirect'],
  ])('is not a file when it is %s', async (_name, there, code) => {
    const opened = await serving({ [`assets/${asked}/download`]: success({ url: '/1/there' }), there })
    await expect(downloadBytes(opened, { uuid: asked }, 'PNG')).rejects.toMatchObject({ code })
  })
})

describe('an answer that is rejected without reading its body', () => {
  test('releases its connection, so that all later requests are answered', async () => {
    const opened = await serving({}, {}, (response) =>
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(Buffer.alloc(300_000)),
    )
    // Send more requests than there are connections.
    for (let at = 0; at < 20; at++)
      await expect(downloadBytes(opened, { uuid: asked })).rejects.toMatchObject({ code: 'invalidResponse' })
  })
})

describe('the download rate', () => {
  test('is not exceeded in any window, even after requests that the service delayed', async () => {
    const arrivals: number[] = []
    const opened = await serving({}, { rateLimit: { requests: 20, seconds: 1 } }, (response) => {
      arrivals.push(Date.now())
      const late = arrivals.length <= 4 ? 3500 : 0
      setTimeout(() => response.end('file'), late)
    })
    await Promise.all(Array.from({ length: 60 }, () => downloadBytes(opened, { uuid: asked })))
    const inWindowFrom = (start: number) => arrivals.filter((at) => at >= start && at < start + 1000).length
    expect(arrivals).toHaveLength(60)
    expect(Math.max(...arrivals.map(inWindowFrom))).toBeLessThanOrEqual(20)
  })

  test('does not count downloads that were aborted before they were sent', async () => {
    const call = new AbortController()
    const opened = await serving({}, { concurrency: 1, rateLimit: { requests: 20, seconds: 60 } }, () => call.abort())
    const downloads = Array.from({ length: 5 }, () => opened.download({ uuid: asked }, undefined, buffer, call))
    const ended = await Promise.allSettled(downloads)
    expect(ended.map(({ status }) => status)).toEqual(Array(5).fill('rejected'))
    const [account = ''] = await readdir(join(cacheDir, 'rate'))
    const counts = async () => {
      const written: [number, number][] = JSON.parse(await readFile(join(cacheDir, 'rate', account), 'utf8'))
      return written.reduce((sum, [, count]) => sum + count, 0)
    }
    await expect.poll(counts).toBe(1)
  })
})
