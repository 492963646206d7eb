import { expect } from 'vitest'
import { assetUuid, contentService, logo } from '../../support/content-service.js'
import { downloadBytes } from '../../support/download.js'
import { answer, envelope, inTurn, type FaultServer, type Respond } from '../../support/fault-server.js'
import type { Bench } from '../bench.js'
import type { Row } from '../row.js'

const uuid = assetUuid(1)
const file = answer(200, logo, { 'content-length': logo.length })
const to = (location: string, status = 302): Respond =>
  answer(status, '', { location, 'set-cookie': 'session=1; Path=/' })

const download = async (bench: Bench, { url }: { url: string }, size?: number): Promise<Buffer> =>
  downloadBytes((await bench.open(url)).space, { uuid, size })
const authorized = ({ requests }: FaultServer): boolean[] =>
  requests.map(({ authorization }) => authorization !== undefined)

async function refusedTo(bench: Bench, location: string): Promise<void> {
  const server = await bench.serve(to(location))
  expect(await bench.failure(download(bench, server)), location).toMatchObject({
    code: 'badRedirect',
    facts: { asset: uuid },
  })
  expect(server.requests).toHaveLength(1)
}

export const redirects: Row[] = [
  {
    row: 23,
    fault: '302 same origin',
    must: 'follow, auth kept',
    async run(bench) {
      for (const status of [301, 302, 303, 307, 308]) {
        const server = await bench.serve((response, request, at) =>
          (request.url === '/moved' ? file : to('/moved', status))(response, request, at),
        )
        expect(await download(bench, server, logo.length)).toEqual(logo)
        expect(authorized(server)).toEqual([true, true])
      }
      const listing = await bench.serve((response, request, at) =>
        request.url === '/moved'
          ? contentService()(response, Object.assign(request, { url: '/1/kits/' }), at)
          : to('/moved')(response, request, at),
      )
      expect(await (await bench.open(listing.url)).space.kits()).toHaveLength(1)
      return '301, 302, 303, 307 and 308 are followed, with credentials on both hops'
    },
  },
  {
    row: 24,
    fault: '302 other host, port, scheme, userinfo',
    must: 'drop auth + cookies; allow-list; never use Location userinfo',
    async run(bench) {
      const storage = await bench.serve(file)
      const port = new URL(storage.url).port
      const places = [
        `${storage.url}/f`,
        `http://localhost:${port}/f`,
        `http://user:pass@127.0.0.1:${port}/f`,
        `//u:p@127.0.0.1:${port}/f`,
      ]
      for (const place of places) {
        const server = await bench.serve(to(place))
        expect(await download(bench, server, logo.length)).toEqual(logo)
        const linked = await bench.serve((response) => envelope(response, { url: place }))
        expect(await download(bench, linked, logo.length)).toEqual(logo)
      }
      expect(storage.requests).toHaveLength(2 * places.length)
      for (const { headers } of storage.requests) expect(headers).not.toHaveProperty('authorization')
      for (const { headers } of storage.requests) expect(headers).not.toHaveProperty('cookie')
      // With another scheme, the client sends the beginning of a TLS handshake instead of HTTP.
      const bytes: Buffer[] = []
      const tls = await bench.rawServe((socket) =>
        socket.on('data', (chunk: Buffer) => (bytes.push(chunk), socket.destroy())),
      )
      await bench.failure(
        download(bench, await bench.serve(inTurn(to(`https://127.0.0.1:${tls.port}/f`), to('file:///')))),
      )
      expect(bytes[0]?.[0]).toBe(0x16)
      expect(Buffer.concat(bytes).toString('latin1')).not.toMatch(/authorization|basic/i)
      const refused = [
        'http://169.254.169.254/latest',
        'http://192.0.2.1/',
        'ftp://127.0.0.1/x',
        'http://',
        'data:,x',
        'http://127.0.0.1.example/',
        'http://[::ffff:192.0.2.1]/',
      ]
      for (const place of refused) await refusedTo(bench, place)
      return `${storage.requests.length} hops to another port or host, and with user:pass@: no Authorization, no Cookie; https starts with TLS; ${refused.length} addresses refused`
    },
  },
  {
    row: 25,
    fault: 'cross-origin then back',
    must: 'credentials not restored',
    async run(bench) {
      const storage = await bench.serve((response, request, at) => to(`${server.url}/back`)(response, request, at))
      const server: FaultServer = await bench.serve((response, request, at) =>
        (request.url === '/back' ? file : to(storage.url))(response, request, at),
      )
      expect(await download(bench, server)).toEqual(logo)
      expect(authorized(server)).toEqual([true, false])
      expect(authorized(storage)).toEqual([false])
      return 'service: with credentials; storage: without; service again: without'
    },
  },
  {
    row: 26,
    fault: 'loop; 6 hops; no Location; `file:`',
    must: 'fail',
    async run(bench) {
      const loop = await bench.serve(to('/again'))
      expect(await bench.failure(download(bench, loop))).toMatchObject({ code: 'badRedirect' })
      expect(loop.requests).toHaveLength(6)
      const hops =
        (count: number): Respond =>
        (response, request, at) =>
          (at < count ? to(`/hop/${at}`) : file)(response, request, at)
      expect(await bench.failure(download(bench, await bench.serve(hops(6))))).toMatchObject({ code: 'badRedirect' })
      expect(await download(bench, await bench.serve(hops(5)))).toEqual(logo)
      const nowhere = await bench.serve(answer(302, ''))
      expect(await bench.failure(download(bench, nowhere))).toMatchObject({ code: 'badRedirect' })
      expect(nowhere.requests).toHaveLength(1)
      for (const place of ['file:///etc/passwd', 'file:', 'javascript:0']) await refusedTo(bench, place)
      await bench.refused(loop.url)
      return 'badRedirect for each: after 6 requests of a loop, after 6 hops (5 are followed), and at once for the others; exit 1'
    },
  },
  {
    row: 27,
    fault: 'expired signed CDN URL (403 on hop 2)',
    must: 'restart at API URL, not an auth error',
    async run(bench) {
      for (const status of [403, 401, 404, 410]) {
        const expired = answer(status, '<Error>expired</Error>')
        const forms: ((url: string) => Respond)[] = [
          (url) => to(`${url}/f`),
          (url) => (response) => envelope(response, { url: `${url}/f` }),
        ]
        for (const form of forms) {
          const storage = await bench.serve(inTurn(expired, file))
          const server = await bench.serve(form(storage.url))
          expect(await download(bench, server)).toEqual(logo)
          expect(authorized(server)).toEqual([true, true])
          expect(authorized(storage)).toEqual([false, false])
        }
      }
      const expiring = inTurn(answer(403, 'expired'), file)
      let signed = 0
      const own = await bench.serve((response, request, at) =>
        request.url === '/signed' ? expiring(response, request, signed++) : to('/signed')(response, request, at),
      )
      expect(await download(bench, own)).toEqual(logo)
      expect(own.requests).toHaveLength(4)
      const gone = await bench.serve(answer(403, '<Error>expired</Error>', { 'retry-after': '0' }))
      const server = await bench.serve(to(`${gone.url}/f`))
      const error = await bench.failure(download(bench, server))
      expect(error).toMatchObject({ code: 'badRedirect', facts: { asset: uuid, status: 403 } })
      expect(server.requests).toHaveLength(5)
      return 'the client requests a new address from the service; a storage that always refuses: badRedirect after 5 tries'
    },
  },
]
