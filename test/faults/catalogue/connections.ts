import { expect } from 'vitest'
import { assetUuid, logo } from '../../support/content-service.js'
import { downloadBytes } from '../../support/download.js'
import {
  answer,
  broken,
  envelope,
  faultServer,
  inTurn,
  silence,
  verbatim,
  type Respond,
} from '../../support/fault-server.js'
import { fastClock, type Bench } from '../bench.js'
import type { Row } from '../row.js'

const uuid = assetUuid(1)
const noKits: Respond = (response) => envelope(response, { kit: [] })
const file = answer(200, logo, { 'content-length': logo.length })

/** Writes a text one byte at a time, and never ends. */
const trickle =
  (text: string, head = ''): Respond =>
  (response) => {
    const { socket } = response
    if (!socket) return
    socket.write(head)
    let at = 0
    const timer = setInterval(() => socket.write(text[at++ % text.length] ?? ' '), 50)
    socket.on('close', () => clearInterval(timer))
  }
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n'

/** Asserts that the second request succeeds, for a listing and a file, with a clock that doesn't really wait. */
async function secondTry(bench: Bench, first: Respond, timeout = 2000): Promise<void> {
  const listing = await bench.serve(inTurn(first, noKits))
  await expect((await bench.open(listing.url, { timeout, clock: fastClock() })).space.kits()).resolves.toEqual([])
  expect(listing.requests).toHaveLength(2)
  const download = await bench.serve(inTurn(first, file))
  expect(
    await downloadBytes((await bench.open(download.url, { timeout, clock: fastClock() })).space, {
      uuid,
      size: logo.length,
    }),
  ).toEqual(logo)
  expect(download.requests).toHaveLength(2)
}

export const connections: Row[] = [
  {
    row: 28,
    fault: '1 byte/s body or headers',
    must: 'stall + minimum-rate abort, retry',
    async run(bench) {
      const start = Date.now()
      await Promise.all([
        secondTry(bench, trickle(' ', ok), 300),
        secondTry(bench, trickle('x', 'HTTP/1.1 200 OK\r\nx-header: '), 300),
        secondTry(bench, trickle('x-a: b\r\n', 'HTTP/1.1 200 OK\r\n'), 300),
        secondTry(bench, trickle('HTTP/1.1 200 OK'), 300),
        // One chunk at a time, which a parser may mistake for progress.
        secondTry(bench, trickle('1\r\n \r\n', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'), 300),
      ])
      const took = Date.now() - start
      expect(took).toBeLessThan(60_000)
      const error = await bench.failure(
        (
          await bench.open((await bench.serve(trickle(' ', ok))).url, { timeout: 200, clock: fastClock() })
        ).space.kits(),
      )
      expect(error).toMatchObject({ code: 'unreachable', facts: { endpoint: 'GET /1/kits/' } })
      return `body, status line, headers and chunks, 20 bytes a second: aborted within ${took} ms and retried; always: unreachable`
    },
  },
  {
    row: 29,
    fault: 'accept, never answer; RST; DNS failure',
    must: 'timeout; retry',
    async run(bench) {
      await secondTry(bench, silence, 300)
      await secondTry(bench, (response) => void response.socket?.destroy())
      await secondTry(bench, (response) => void response.socket?.resetAndDestroy())
      const silent = await bench.serve(silence)
      const stalled = await bench.failure(
        (await bench.open(silent.url, { timeout: 200, clock: fastClock() })).space.kits(),
      )
      expect(stalled).toMatchObject({ code: 'unreachable', retryable: false })
      expect(silent.requests).toHaveLength(5)
      const dead = await faultServer(noKits)
      await dead.close()
      const clock = fastClock()
      const refused = await bench.failure((await bench.open(dead.url, { clock })).space.kits())
      expect(refused).toMatchObject({ code: 'unreachable' })
      expect(refused.message).toContain(dead.url)
      const unknown = await bench.failure((await bench.open('https://nowhere.invalid', { clock })).space.kits())
      expect(unknown).toMatchObject({ code: 'unreachable' })
      expect(unknown.message).toMatch(/https:\/\/nowhere\.invalid.*(ENOTFOUND|EAI_AGAIN)/)
      expect(clock.passed()).toBeLessThan(2 * 12_000)
      return 'no answer (300 ms), a closed and a reset connection: the second request succeeds; no server, no name: unreachable, naming the origin'
    },
  },
  {
    row: 30,
    fault: '206 unasked; Range ignored; ETag changed',
    must: 'restart from zero; no joining',
    async run(bench) {
      const old = Buffer.from(logo.toString().replaceAll('24', '42'))
      const firsts: Respond[] = [
        answer(206, logo, { 'content-range': `bytes 0-${logo.length - 1}/${logo.length}` }),
        answer(206, logo.subarray(9), { 'content-range': `bytes 9-${logo.length - 1}/${logo.length}` }),
        broken({ 'content-length': logo.length, etag: '"one"', 'accept-ranges': 'bytes' }, old.subarray(0, 40)),
        verbatim('HTTP/1.1 200 OK\r\nconnection: close\r\netag: "one"\r\n\r\n', old.subarray(0, 40)),
      ]
      for (const first of firsts) {
        const server = await bench.serve(
          inTurn(first, answer(200, logo, { etag: '"two"', 'content-length': logo.length })),
        )
        expect(await downloadBytes((await bench.open(server.url)).space, { uuid, size: logo.length })).toEqual(logo)
        expect(server.requests).toHaveLength(2)
        for (const { headers } of server.requests) expect(headers).not.toHaveProperty('range')
        for (const { headers } of server.requests) expect(headers).not.toHaveProperty('if-range')
      }
      return 'the whole file is requested again, without Range: all bytes are from the second answer'
    },
  },
  {
    row: 31,
    fault: 'dribble then close keep-alive socket',
    must: 'one safe retry',
    async run(bench) {
      const body = '{"success":true,"server_clock":1,"result":{"kit":[]}}'
      const answered = `HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: ${body.length}\r\n\r\n${body}`
      for (const dribble of [
        '',
        'HT',
        'HTTP/1.1 200 OK\r\ncontent-le',
        'HTTP/1.1 200 OK\r\ncontent-length: 52\r\n\r\n{"succ',
      ]) {
        const requests: number[] = []
        let sockets = 0
        const server = await bench.rawServe((socket) => {
          const number = sockets++
          let own = 0
          socket.on('data', (chunk: Buffer) => {
            requests.push(...Array.from(chunk.toString('latin1').matchAll(/^GET /gm), () => number))
            // The first connection is kept alive and closes while its second request is being answered.
            if (number > 0 || own++ === 0) socket.write(answered)
            else socket.end(dribble)
          })
        })
        const { space } = await bench.open(`http://127.0.0.1:${server.port}`, { concurrency: 1, clock: fastClock() })
        await space.kits()
        // undici reuses a connection only after a turn of the event loop.
        await new Promise((resolve) => setTimeout(resolve, 50))
        await expect(space.kits()).resolves.toEqual([])
        expect(requests).toEqual([0, 0, 1])
      }
      return 'two calls, three requests: the request on the closed connection is repeated once, on a new one'
    },
  },
]
