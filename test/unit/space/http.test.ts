import { createServer, type Server, type ServerResponse } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readAddress } from '../../../src/space/credentials.js'
import { httpSpace, type HttpOptions } from '../../../src/space/http.js'
import type { Space } from '../../../src/space/space.js'

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

/** A space whose service gives the answers of a table, by path without `/1/`; what is not in it is left to `otherwise`. */
async function serving(
  answers: Record<string, object>,
  options: Partial<HttpOptions> = {},
  otherwise = (response: ServerResponse): void => void response.end(JSON.stringify(refusal(404))),
): Promise<Space> {
  const listening = createServer(({ url = '' }, response) => {
    const answer = answers[url.replace(/^\/1\/|\?.*$/g, '')]
    if (answer) response.end(JSON.stringify(answer))
    else otherwise(response)
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

describe('an answer for something else than was asked for', () => {
  const version = { version: 1, version_identifier: '1.0', counts: {} }
  const kit = { kit_uuid: other, name: 'Brand', use_version: 1 }

  it.each([
    ['kit', `kits/${asked}`, { kit }, (opened: Space) => opened.kit(asked, 'use_versions')],
    ['outline', `kits/${asked}/outline/`, { kit_version: { ...version, kit_uuid: other, sections: [] } }, (opened: Space) => opened.outline(asked, 1)],
    ['section', `sections/${asked}`, { section: { ...version, uuid: other, kit_uuid: asked, items: [] } }, (opened: Space) => opened.section(asked, 1)],
  ])('is an error: %s', async (_name, path, result, ask) => {
    const opened = await serving({ [path]: success(result) })
    await expect(ask(opened)).rejects.toMatchObject({ code: 'invalidResponse' })
  })

  it('is none when only the case of the uuid differs', async () => {
    const opened = await serving({ [`kits/${asked.toLowerCase()}`]: success({ kit: { ...kit, kit_uuid: asked } }) })
    await expect(opened.kit(asked.toLowerCase(), 'use_versions')).resolves.toMatchObject({ uuid: asked })
  })
})

describe('what lies at the address in an envelope', () => {
  it.each([
    ['an error', refusal(3304), 'fileCutUnavailable'],
    ['one more address', success({ url: '/file' }), 'badRedirect'],
  ])('is no file when it is %s', async (_name, there, code) => {
    const opened = await serving({ [`assets/${asked}/download`]: success({ url: '/1/there' }), there })
    await expect(opened.download({ uuid: asked }, 'PNG')).rejects.toMatchObject({ code })
  })
})

describe('an answer that is refused unread', () => {
  it('keeps no connection, so that all that come later are heard', async () => {
    const opened = await serving({}, {}, (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(Buffer.alloc(300_000)))
    // More than there are connections.
    for (let at = 0; at < 20; at++) await expect(opened.download({ uuid: asked })).rejects.toMatchObject({ code: 'invalidResponse' })
  })
})

describe('the download rate', () => {
  it('holds in every window, also for what was let go while the service stood still', async () => {
    const arrivals: number[] = []
    const opened = await serving({}, { rateLimit: { requests: 20, seconds: 1 } }, (response) => {
      arrivals.push(Date.now())
      const late = arrivals.length <= 4 ? 3500 : 0
      setTimeout(() => response.end('file'), late)
    })
    await Promise.all(Array.from({ length: 60 }, () => opened.download({ uuid: asked })))
    const inWindowFrom = (start: number) => arrivals.filter((at) => at >= start && at < start + 1000).length
    expect(arrivals).toHaveLength(60)
    expect(Math.max(...arrivals.map(inWindowFrom))).toBeLessThanOrEqual(20)
  })
})
