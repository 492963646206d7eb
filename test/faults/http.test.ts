import { buffer } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { assetUuid, logo } from '../support/content-service.js'
import { answer, refusal } from '../support/fault-server.js'
import { secret } from '../support/secret.js'
import { openBench, type Bench } from './bench.js'

let bench: Bench
beforeEach(() => {
  bench = openBench()
})
afterEach(async () => {
  expect(await bench.close()).toEqual([])
})

test('closing the space aborts a request that is never answered', async () => {
  let asked: () => void
  const server = await bench.serve(() => asked())
  const { space } = await bench.open(server.url)
  const unanswered = bench.failure(space.kits())
  await new Promise<void>((resolve) => (asked = resolve))
  await space.close()
  expect(await unanswered).toMatchObject({ code: 'aborted' })
  expect(await bench.failure(space.kits())).toMatchObject({ code: 'aborted' })
  expect(server.requests).toHaveLength(1)
})

describe('credentials', () => {
  test('never appear in an error, no matter in which encoding the service echoes them', async () => {
    const { token, spaceId } = secret
    const basic = Buffer.from(`${spaceId}:${token}`).toString('base64')
    for (const echo of [token, encodeURIComponent(token), basic]) {
      const server = await bench.serve((response) => refusal(response, 103, 400, `bad ${echo}!`))
      const error = await bench.failure((await bench.open(server.url)).space.kits())
      const shown = `${inspect(error, { depth: 9 })}${error.stack}${JSON.stringify(error)}`
      expect(shown).toContain('[secret]')
      for (const text of [token, encodeURIComponent(token), basic]) expect(shown).not.toContain(text)
    }
  })

  test('are not sent over plain http beyond loopback', async () => {
    await expect(bench.open('http://content.example')).rejects.toThrow(/plain http/)
  })
})

test('downloads never exceed the rate, also of two spaces with one cache folder', async () => {
  const server = await bench.serve(answer(200, logo, { 'content-length': logo.length }))
  const shared = { cacheDir: await bench.folder(), rateLimit: { requests: 5, seconds: 1 } }
  const spaces = [await bench.open(server.url, shared), await bench.open(server.url, shared)]
  const uuid = assetUuid(1)
  await Promise.all(
    Array.from({ length: 12 }, async (_, at) => spaces[at % 2]?.space.download({ uuid }, undefined, buffer)),
  )
  const times = server.requests.map(({ at }) => at).toSorted((a, b) => a - b)
  expect(times).toHaveLength(12)
  for (const [at, time] of times.entries())
    expect(
      times.filter((other) => other >= time && other < time + 1000).length,
      `window from request ${at}`,
    ).toBeLessThanOrEqual(5)
})
