import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getDomain } from 'tldts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { soon } from '../../../support/long.js'
import type { KitData, Project } from '../../../../src/commands/shared/kit-page/data.js'
import { openPictures, type Pictures } from '../../../../src/commands/shared/pictures.js'
import { ContentSpaceError } from '../../../../src/errors.js'
import { openStore } from '../../../../src/files/store.js'
import { httpSpace } from '../../../../src/space/http/client.js'
import { readAddress } from '../../../../src/space/http/credentials.js'
import { isOfService } from '../../../../src/space/http/get-preview.js'
import type { Space } from '../../../../src/space/space.js'
import { openBrowserBench } from '../../../support/kit-browser.js'
import { largeSpace, serveSpace, svg } from '../../../support/space.js'

const domainOf = (host: string) => getDomain(host, { allowPrivateDomains: true })
const use = () => Promise.reject(new Error('no download'))

describe('previews come from hosts of the service', () => {
  test.each([
    ['https://api.example.com', 'https://api.example.com/x', true],
    ['https://api.example.com', 'https://api.example.com:8443/x', true],
    ['https://api.example.com', 'https://images.example.com/x', true],
    ['https://api.example.com', 'https://a.b.example.com/x', true],
    ['https://api.example.com', 'https://example.com/x', true],
    ['https://api.example.com', 'http://images.example.com/x', false],
    ['https://api.example.com', 'https://images.example.org/x', false],
    ['https://api.example.com', 'https://notexample.com/x', false],
    ['https://api.example.com', 'https://example.com.evil.example/x', false],
    ['https://api.example.com', 'https://127.0.0.1/x', false],
    ['https://api.example.com', 'https://localhost/x', false],
    ['https://api.example.com', 'https://10.0.0.1/x', false],
    ['https://api.example.com', 'file:///etc/passwd', false],
    ['https://brand.co.uk', 'https://images.brand.co.uk/x', true],
    ['https://brand.co.uk', 'https://other.co.uk/x', false],
    ['https://brand.github.io', 'https://other.github.io/x', false],
    ['https://10.0.0.1', 'https://10.0.0.1/x', true],
    ['https://10.0.0.1', 'https://10.0.0.2/x', false],
    ['http://127.0.0.1:3000', 'http://127.0.0.1:4000/x', true],
    ['http://127.0.0.1:3000', 'http://localhost:4000/x', true],
    ['http://127.0.0.1:3000', 'https://example.com/x', false],
    ['http://localhost:3000', 'http://10.0.0.1/x', false],
  ])('service %s, preview %s: %s', (service, preview, expected) => {
    expect(isOfService(new URL(preview), new URL(service), domainOf)).toBe(expected)
  })
})

const redirects = new Map([
  ['/away', 'https://content.example/x.png'],
  ['/near', '/drawing'],
])
const bodies = new Map<string, string | Buffer>([
  ['/page', '<!doctype html><p>1'],
  ['/long', Buffer.alloc(5 * 1024 * 1024, 1)],
  ['/active', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><path d="M0 0h9"/></svg>'],
  ['/drawing', svg('drawing')],
  ['/private', svg('private')],
])

describe('a preview', () => {
  const asked: string[] = []
  let held: (() => void) | undefined
  let server: Server
  let base: string
  /** The origin of a second host of the service, which rejects all requests. */
  let other: string
  let otherServer: Server
  let space: Space
  let pictures: Pictures
  let cache: string

  beforeAll(async () => {
    server = createServer(({ url = '', headers }, response) => {
      asked.push(`${url} ${headers.authorization ?? ''}`.trim())
      const location = redirects.get(url)
      if (location !== undefined) response.writeHead(302, { location })
      if (url === '/missing') response.writeHead(404)
      if (url === '/private' && headers.authorization === undefined) response.writeHead(401)
      if (url === '/forbidden') response.writeHead(403)
      if (url === '/elsewhere') response.writeHead(302, { location: other })
      if (url === '/held') held = () => response.end(svg('held'))
      else response.end(bodies.get(url))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
    otherServer = createServer(({ headers }, response) => {
      asked.push(`other ${headers.authorization ?? ''}`.trim())
      response.writeHead(401).end()
    }).listen(0, '127.0.0.1')
    await once(otherServer, 'listening')
    const otherAddress = otherServer.address()
    other = `http://127.0.0.1:${typeof otherAddress === 'object' ? otherAddress?.port : ''}/x`
    cache = await mkdtemp(join(tmpdir(), 'content-space-previews-'))
    space = httpSpace({
      ...readAddress(base, 7, 'a-secret-token'),
      timeout: 5000,
      concurrency: 4,
      rateLimit: false,
      cacheDir: cache,
      insecure: false,
      strict: false,
      warn: () => {},
      onRequest: () => {},
      onWait: () => {},
    })
    pictures = openPictures({ space, store: openStore(cache, () => {}), files: { use } })
  })
  afterAll(async () => {
    await space.close()
    for (const one of [server, otherServer]) {
      one.close()
      one.closeAllConnections()
    }
    await rm(cache, { recursive: true, force: true })
  })

  function preview(path: string, signal = new AbortController().signal): Promise<string> {
    const record = { name: 'A', type: 'SVG', notes: '', keywords: [], colors: [], presets: [], meta: {}, raw: {} }
    const url = URL.canParse(path) ? path : base + path
    return pictures.preview({ uuid: url, ...record, thumbnails: { 480: url } }, signal).then(
      ({ bytes, mediaType }) => `${mediaType} ${Buffer.from(bytes).toString()}`,
      (error: unknown) => (error instanceof ContentSpaceError ? error.code : String(error)),
    )
  }

  test('is passed on if it is a picture, without credentials, and asked for once', async () => {
    expect(await preview('/drawing')).toBe(`image/svg+xml ${svg('drawing')}`)
    expect(await preview('/drawing')).toBe(`image/svg+xml ${svg('drawing')}`)
    expect(await preview('/near')).toBe(`image/svg+xml ${svg('drawing')}`)
    expect(await preview('/active')).not.toContain('alert')
    expect(asked.splice(0)).toEqual(['/drawing', '/near', '/drawing', '/active'])
  })

  test("that the service's origin rejects is requested with credentials, but only there", async () => {
    const credentials = `Basic ${btoa('7:a-secret-token')}`
    expect(await preview('/private')).toBe(`image/svg+xml ${svg('private')}`)
    expect(asked.splice(0)).toEqual(['/private', `/private ${credentials}`])
    expect(await preview('/forbidden')).toBe('requestBlocked')
    expect(asked.splice(0)).toEqual(['/forbidden', `/forbidden ${credentials}`])
    expect(await preview(other)).toBe('requestBlocked')
    expect(await preview('/elsewhere')).toBe('requestBlocked')
    expect(asked.splice(0)).toEqual(['other', '/elsewhere', 'other'])
  })

  test.each([
    ['/page', 'contentMismatch'],
    ['/long', 'contentMismatch'],
    ['/missing', 'objectNotFound'],
    ['/away', 'badRedirect'],
    ['https://content.example/x.png', 'badRedirect'],
    ['http://10.0.0.1/x.png', 'badRedirect'],
    ['file:///etc/passwd', 'badRedirect'],
    ['data:image/png,1', 'badRedirect'],
  ])('at %s is rejected: %s', async (path, code) => {
    expect(await preview(path)).toBe(code)
  })

  test('that nobody waits for any more is cancelled, and others still get it', async () => {
    const scrolledPast = new AbortController()
    const first = preview('/held', scrolledPast.signal)
    await expect.poll(() => asked).toContain('/held')
    const second = preview('/held')
    scrolledPast.abort()
    expect(await first).toContain('Abort')
    await expect.poll(() => asked.filter((path) => path === '/held').length, soon).toBe(2)
    held?.()
    expect(await second).toBe(`image/svg+xml ${svg('held')}`)
  })
})

test('looking at 5,000 assets spends no downloads', async () => {
  const folder = await largeSpace(5000)
  const service = await serveSpace(folder.folder, { rateLimit: { requests: 1, seconds: 300 } })
  const bench = await openBrowserBench(service.options)
  try {
    const project = await bench.json<Project>('data/project.json')
    const kit = await bench.json<KitData>(`data/kits/${project.kits[0]?.uuid}/0.json`)
    const assets = Object.values(kit.assets)
    expect(assets).toHaveLength(5000)
    const seen = assets.filter((_, at) => at % 250 === 0)
    const answers = await Promise.all(seen.map(({ preview = '' }) => bench.get(preview)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(service.downloads()).toEqual([])
  } finally {
    await bench.close()
    await service.close()
    await folder.remove()
  }
})
