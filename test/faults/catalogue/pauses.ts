import { expect } from 'vitest'
import { envelope, inTurn, json, type Respond } from '../../support/fault-server.js'
import { contentService, kitUuid, marks } from '../../support/content-service.js'
import { fastClock, type Bench } from '../bench.js'
import type { Row } from '../row.js'

const noKits: Respond = (response) => envelope(response, { kit: [] })
const limited =
  (headers: Record<string, string>, status = 429): Respond =>
  (response) =>
    json(response, { success: false, error: { code: 429, message: '' }, server_clock: 1 }, status, headers)

/** Returns the milliseconds between the first and second request, with a clock that doesn't really wait. */
async function secondAfter(bench: Bench, first: Respond): Promise<number> {
  const clock = fastClock()
  const server = await bench.serve(inTurn(first, noKits), clock.now)
  const { space } = await bench.open(server.url, { clock })
  await expect(space.kits()).resolves.toEqual([])
  expect(server.requests).toHaveLength(2)
  return clock.passed()
}

/** Returns the milliseconds from the first of several parallel requests to the others, on the real clock. */
async function everybodyAfter(bench: Bench, first: Respond): Promise<number[]> {
  const server = await bench.serve(inTurn(first, noKits))
  const { space } = await bench.open(server.url, { concurrency: 1 })
  await Promise.all([space.kits(), space.kits(), space.kits()])
  const [start, ...others] = server.requests
  expect(others).toHaveLength(3)
  return others.map(({ at }) => at - (start?.at ?? 0))
}

export const pauses: Row[] = [
  {
    row: 1,
    fault: '200, success:false, 429',
    must: 'shared pause, retry',
    async run(bench) {
      const waits = await everybodyAfter(bench, limited({ 'retry-after': '1' }, 200))
      for (const wait of waits) expect(wait).toBeGreaterThanOrEqual(1000)
      // Without Retry-After, the client uses its own delay.
      const own = await secondAfter(bench, limited({}, 200))
      expect(own).toBeLessThanOrEqual(500)
      const server = await bench.serve(inTurn(limited({ 'retry-after': '1' }, 200), contentService()))
      const { code, written } = await bench.run(await bench.project(server.url))
      expect(code).toBe(0)
      expect(written).toContain('logos/acme-logo.svg')
      return `three calls share one pause of ${Math.min(...waits)} ms (at least 1000); a pull waits, then exits 0`
    },
  },
  {
    row: 2,
    fault: '429 + Retry-After: 7',
    must: 'no request before 7 s',
    async run(bench) {
      const clock = fastClock()
      const server = await bench.serve(inTurn(limited({ 'retry-after': '7' }), noKits), clock.now)
      const { space } = await bench.open(server.url, { clock, concurrency: 1 })
      await Promise.all([space.kits(), space.kits(), space.kits()])
      const [first, ...others] = server.requests
      expect(others).toHaveLength(3)
      for (const { at } of others) expect(at - (first?.at ?? 0)).toBeGreaterThanOrEqual(7000)
      for (const wait of await everybodyAfter(bench, limited({ 'retry-after': '1' })))
        expect(wait).toBeGreaterThanOrEqual(1000)
      return `the next request of three calls comes ${(others[0]?.at ?? 0) - (first?.at ?? 0)} ms after the first`
    },
  },
  {
    row: 3,
    fault: 'Retry-After HTTP date, local clock +/-1 h',
    must: 'delay vs response `Date`; clamp >=0',
    async run(bench) {
      const seen: number[] = []
      for (const hours of [-1, 0, 1]) {
        const there = Math.floor(Date.now() / 1000) * 1000 + hours * 3_600_000
        const date = new Date(there).toUTCString()
        const at = (seconds: number) => ({ date, 'retry-after': new Date(there + seconds * 1000).toUTCString() })
        for (const status of [429, 503]) {
          expect(await secondAfter(bench, limited(at(5), status))).toBe(5000)
          expect(await secondAfter(bench, limited(at(0), status))).toBe(0)
          seen.push(await secondAfter(bench, limited(at(-5), status)))
        }
      }
      expect(seen).toEqual([0, 0, 0, 0, 0, 0])
      return '5 s after `Date`: waits 5000 ms, also with the clock one hour ahead or behind; 5 s before: 0 ms'
    },
  },
  {
    row: 4,
    fault: 'Retry-After 99999, negative, garbage',
    must: 'fail if past deadline / backoff',
    async run(bench) {
      for (const status of [200, 429]) {
        const server = await bench.serve(limited({ 'retry-after': '99999' }, status))
        const { space } = await bench.open(server.url)
        expect(await bench.failure(space.kits())).toMatchObject({
          code: 'rateLimited',
          hint: expect.stringMatching(/in 28 h, as the service asks/),
          facts: { endpoint: 'GET /1/kits/' },
        })
        expect(server.requests).toHaveLength(1)
      }
      const { url } = await bench.serve(limited({ 'retry-after': '99999' }))
      await bench.refused(url)
      const endless = await bench.open((await bench.serve(limited({ 'retry-after': '9'.repeat(400) }))).url)
      expect(await bench.failure(endless.space.kits())).toMatchObject({ hint: expect.stringContaining('again later') })
      for (const after of ['-5', 'soon', '', '1e9', '7,7', '0x10']) {
        const status503: Respond = (response) => json(response, {}, 503, { 'retry-after': after })
        for (const first of [status503, limited({ 'retry-after': after })])
          expect(await secondAfter(bench, first)).toBeLessThanOrEqual(500)
      }
      return '99999: rateLimited after 1 request, exit 1; -5, soon, "", 1e9, "7,7" and 0x10: retried within 500 ms'
    },
  },
  {
    row: 5,
    fault: '429 forever',
    must: 'fail at deadline; state resume progress',
    async run(bench) {
      const clock = fastClock()
      const server = await bench.serve(limited({ 'retry-after': '120' }), clock.now)
      const { space } = await bench.open(server.url, { clock })
      const error = await bench.failure(space.kits())
      expect(error).toMatchObject({ code: 'rateLimited', retryable: false, facts: { endpoint: 'GET /1/kits/' } })
      expect(error.hint).toMatch(/files that are already downloaded are kept/)
      const minutes = clock.passed() / 60_000
      expect(minutes).toBeGreaterThan(12)
      expect(minutes).toBeLessThanOrEqual(15)
      // Finished downloads are kept, and the next run requests only the rest.
      let [downloads, over] = [0, true]
      const service = contentService({ uploads: marks(12) }, ({ path, response, request }) => {
        if (!path.startsWith('assets/') || (++downloads <= 5 && over) || !over) return false
        limited({ 'retry-after': '901' })(response, request, 0)
        return true
      })
      const { url } = await bench.serve(service)
      const work = await bench.project(url, {
        'content-space.config.json': JSON.stringify({ kits: { brand: kitUuid }, concurrency: 1 }),
      })
      const failed = await bench.run(work)
      expect(failed).toMatchObject({
        code: 1,
        written: [],
        stderr: expect.stringMatching(/files that are already downloaded are kept/),
      })
      ;[downloads, over] = [0, false]
      expect((await bench.run(work)).code).toBe(0)
      expect(downloads).toBe(7)
      return `fails after ${minutes} min, ${server.requests.length} requests; 5 of 12 files are kept: the next run requests 7`
    },
  },
]
