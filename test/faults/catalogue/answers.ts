import { expect } from 'vitest'
import type { ErrorCode } from '../../../src/errors.js'
import { assetUuid, contentService, logo, upload } from '../../support/content-service.js'
import { downloadBytes } from '../../support/download.js'
import { answer, envelope, inTurn, json, refusal, verbatim, type Respond } from '../../support/fault-server.js'
import { halves } from '../../support/pictures.js'
import { secret } from '../../support/secret.js'
import type { Bench } from '../bench.js'
import type { Row } from '../row.js'

const noKits: Respond = (response) => envelope(response, { kit: [] })
const asset = assetUuid(1)

/** Asserts that an invalid listing fails with this code after one request, and that a pull doesn't write anything. */
async function failsOnce(bench: Bench, respond: Respond, code: ErrorCode): Promise<string> {
  const server = await bench.serve(respond)
  const error = await bench.failure((await bench.open(server.url)).space.kits())
  expect(error).toMatchObject({ code, facts: { endpoint: 'GET /1/kits/' } })
  expect(server.requests).toHaveLength(1)
  await bench.refused((await bench.serve(respond)).url)
  return error.message
}

/** Asserts that one such answer is retried, and that five fail. */
async function retriedThenFails(bench: Bench, respond: Respond, code: ErrorCode): Promise<string> {
  const once = await bench.serve(inTurn(respond, noKits))
  await expect((await bench.open(once.url)).space.kits()).resolves.toEqual([])
  expect(once.requests).toHaveLength(2)
  const always = await bench.serve(respond)
  const error = await bench.failure((await bench.open(always.url)).space.kits())
  expect(error).toMatchObject({ code, retryable: false, facts: { endpoint: 'GET /1/kits/' } })
  expect(always.requests).toHaveLength(5)
  return error.message
}

export const answers: Row[] = [
  {
    row: 11,
    fault: 'HTTP 500 with success:true',
    must: 'fail as contradiction, no data used',
    async run(bench) {
      const message = await failsOnce(
        bench,
        (response) => json(response, { success: true, result: { kit: [] } }, 500),
        'invalidResponse',
      )
      expect(message).toMatch(/success.*500/)
      return 'invalidResponse after 1 request: "says success with HTTP status 500"; exit 1, nothing written'
    },
  },
  {
    row: 12,
    fault: 'no `success`; string `"false"`',
    must: 'schema failure',
    async run(bench) {
      for (const body of [
        { result: { kit: [] } },
        { success: 'false', result: { kit: [] } },
        { success: 'true', result: { kit: [] } },
        { success: 1, result: { kit: [] } },
      ]) {
        const server = await bench.serve((response) => json(response, body))
        expect(await bench.failure((await bench.open(server.url)).space.kits())).toMatchObject({
          code: 'invalidResponse',
        })
        expect(server.requests).toHaveLength(1)
      }
      await failsOnce(bench, (response) => json(response, { success: 'false', result: { kit: [] } }), 'invalidResponse')
      return 'invalidResponse after 1 request, exit 1'
    },
  },
  {
    row: 13,
    fault: '502 HTML',
    must: 'retry; show <=200 redacted chars',
    async run(bench) {
      const page = `<h1>Bad gateway</h1> ${secret.token} ${encodeURIComponent(secret.token)} ${'x'.repeat(10_000)}`
      const message = await retriedThenFails(
        bench,
        answer(502, page, { 'content-type': 'text/html', 'retry-after': '0' }),
        'serverError',
      )
      const excerpt = message.slice(message.indexOf('<h1>')).replace(/ \(tried.*/s, '')
      expect(excerpt).toContain('[secret]')
      expect(excerpt.length).toBeLessThanOrEqual(201)
      const stderr = await bench.refused((await bench.serve(answer(502, page, { 'retry-after': '0' }))).url)
      expect(stderr).toContain('[secret]')
      expect(stderr.length).toBeLessThan(600)
      return `tried 5 times; then serverError with ${excerpt.length - 1} characters of the page, the token as [secret]`
    },
  },
  {
    row: 14,
    fault: '200 HTML login page on JSON',
    must: 'no retry; "not JSON"',
    async run(bench) {
      const message = await failsOnce(
        bench,
        answer(200, '<!doctype html><h1>Log in</h1>', { 'content-type': 'text/html' }),
        'invalidResponse',
      )
      expect(message).toContain('not JSON')
      return 'invalidResponse after 1 request: "is not JSON"; exit 1'
    },
  },
  {
    row: 15,
    fault: 'truncated JSON; empty 200; 204',
    must: 'retry, then fail',
    async run(bench) {
      const now = { 'retry-after': '0' }
      for (const respond of [answer(200, '{"success":true,"resu', now), answer(200, '', now), answer(204, '', now)]) {
        await retriedThenFails(bench, respond, 'truncated')
        await bench.refused((await bench.serve(respond)).url)
      }
      // Without a listed size, only the status reveals that an empty body isn't the file.
      for (const status of [204, 205, 304]) {
        const empty = verbatim(`HTTP/1.1 ${status} Empty\r\ncontent-length: 0\r\nretry-after: 0\r\n\r\n`)
        const once = await bench.serve(inTurn(empty, answer(200, logo)))
        expect(await downloadBytes((await bench.open(once.url)).space, { uuid: asset }), `HTTP ${status}`).toEqual(logo)
        const always = await bench.serve(empty)
        await bench.failure(downloadBytes((await bench.open(always.url)).space, { uuid: asset }))
      }
      const making = answer(202, JSON.stringify({ success: true, result: { status: 'processing' }, server_clock: 1 }))
      const slow = await bench.serve(inTurn(making, answer(200, logo)))
      expect(await downloadBytes((await bench.open(slow.url)).space, { uuid: asset }, 'PNG')).toEqual(logo)
      return 'truncated after 5 requests, exit 1; a download answered with 204, 205 or 304 is retried'
    },
  },
  {
    row: 16,
    fault: 'download 200, body = error envelope',
    must: 'treat as error; never save as image; valid JSON only if JSON was requested',
    async run(bench) {
      const server = await bench.serve((response) => refusal(response, 3304, 200))
      const { space } = await bench.open(server.url)
      expect(await bench.failure(downloadBytes(space, { uuid: asset }, 'PDF'))).toMatchObject({
        code: 'fileCutUnavailable',
        facts: { asset },
      })
      expect(server.requests).toHaveLength(1)
      const png = await halves(9, 9).png().toBuffer()
      const picture = upload(1, 'Hero', 'PNG', png, { size: null, file_hash: null })
      const instead = (respond: Respond) =>
        contentService({ uploads: [picture] }, ({ path, response, request }) => {
          if (path.startsWith('assets/')) respond(response, request, 0)
          return path.startsWith('assets/')
        })
      const refusing = await bench.serve(instead((response) => refusal(response, 3100, 200)))
      expect(await bench.failure(bench.pull(refusing.url))).toMatchObject({ code: 'assetNotFound', facts: { asset } })
      await bench.refused(refusing.url)
      // JSON that isn't an envelope isn't a picture either, but for an asset of type JSON, it is the file.
      const data = { success: 3, v: '5.5.7' }
      const lottie = await bench.serve(instead((response) => json(response, data)))
      expect(await bench.failure(bench.pull(lottie.url))).toMatchObject({ code: 'contentMismatch', facts: { asset } })
      await bench.refused(lottie.url)
      const json200 = await bench.serve(
        contentService({ uploads: [upload(1, 'Motion', 'JSON', Buffer.from(JSON.stringify(data)))] }),
      )
      const { kits } = await bench.pull(json200.url)
      expect(kits[0]?.written).toContain('logos/motion.json')
      expect((await downloadBytes((await bench.open(json200.url)).space, { uuid: asset })).toString()).toContain(
        '5.5.7',
      )
      return 'assetNotFound and fileCutUnavailable, exit 1, nothing written; JSON for a PNG: contentMismatch; for an asset of type JSON: the file'
    },
  },
]
