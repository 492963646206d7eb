import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from 'redis'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Engine } from './support/engines.js'
import { runFleet, startFleet } from './support/fleet.js'
import { newFolder } from './support/process.js'
import { key } from './support/runner.js'
import { startS3 } from './support/s3.js'
import { lockOf, runner, serve, start } from './support/setup.js'

const leases = 'content-space:v1/lease/*'

/** Connects to Redis as an administrator. */
async function redisClient({ remote }: Engine) {
  const client = createClient({ url: remote })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.destroy())
  return client
}

test.each([501, 400])('a store of S3 that answers conditional writes with %i is filled and read', async (status) => {
  const service = await serve(12)
  const { remote } = await start(() => startS3(status))
  const first = await runner(service.options, { remote, remoteKey: key, remoteWrite: true })
  const written = await first.build()
  expect(written).toMatchObject({ warnings: [], summary: expect.stringContaining('0 remote, 14 downloaded') })
  const asked = service.requests.length
  const second = await runner(service.options, { remote, remoteKey: key, remoteWrite: true }, await lockOf(first))
  const read = await second.build()
  expect(read).toMatchObject({ output: written.output, warnings: [] })
  expect(read.summary).toContain('0 local, 14 remote, 0 downloaded')
  expect(service.requests.length).toBe(asked)
})

test('a Redis that allows no scripts is filled and read, and leases are released', async () => {
  const service = await serve(12)
  const engine = await start('redis')
  const { remote } = engine
  const client = await redisClient(engine)
  await client.sendCommand(['ACL', 'SETUSER', 'default', '-@scripting'])
  const taken = vi.fn<(message: string) => void>()
  await client.configSet('notify-keyspace-events', 'K$')
  const listener = await redisClient(engine)
  await listener.pSubscribe(`__keyspace@0__:${leases}`, taken)
  // A script shares the rate.
  const options = { remote, remoteKey: key, remoteWrite: true, rateLimit: { requests: 100, seconds: 10 } }
  const first = await runner(service.options, options)
  const written = await first.build()
  expect(written.warnings).toEqual([])
  expect(taken.mock.calls.length).toBeGreaterThanOrEqual(12)
  expect(await client.keys(leases)).toEqual([])
  const asked = service.requests.length
  const second = await runner(service.options, options, await lockOf(first))
  expect(await second.build()).toMatchObject({ output: written.output, warnings: [] })
  expect(service.requests.length).toBe(asked)
})

test("a lease that never expires, or expires too late, doesn't make anyone wait", async () => {
  const count = 6
  const service = await serve(count, { latency: 500 })
  const engine = await start('redis')
  const client = await redisClient(engine)
  const options = { ...service.options, remote: engine.remote, remoteKey: key, remoteWrite: true }
  const source = `import brand from 'content-space:kit/brand'\nexport default brand\n`
  const root = await newFolder()
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  await writeFile(join(root, 'main.js'), source)
  const first = startFleet([root], options)
  await vi.waitUntil(() => service.downloads().length === count, { timeout: 60_000, interval: 5 })
  first.kill('SIGKILL')
  await once(first, 'exit')
  const left = await client.keys(leases)
  expect(left.length).toBe(count)
  await Promise.all(left.map((name, at) => (at % 2 === 0 ? client.persist(name) : client.pExpire(name, 3_600_000))))
  const { files, warnings } = await runFleet({ runners: 2, processes: 1, apart: 0 }, source, options)
  // Otherwise, this would take five minutes, which exceeds a test's time limit.
  expect([files, warnings]).toEqual([[count, count], []])
})
