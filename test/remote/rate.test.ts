import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { project } from '../support/cli.js'
import { runFleet } from './support/fleet.js'
import { serve, start } from './support/setup.js'

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
const source = `import brand from 'content-space:kit/brand'\nexport default brand\n`

test('runners that share Redis share the rate of downloads', async () => {
  const { remote } = await start('redis')
  const limit = { requests: 12, seconds: 3 }
  const statuses: number[] = []
  const service = await serve(12, {
    rateLimit: limit,
    onResponse({ route, status }) {
      if (route === 'download') statuses.push(status ?? 0)
    },
  })
  // Without a key, runners trust only what the lockfile contains, so each downloads all files itself.
  const options = { ...service.options, remote, remoteWrite: true, rateLimit: limit }
  const { files, warnings } = await runFleet({ runners: 3, processes: 3, apart: 0 }, source, options)
  expect([files, warnings]).toEqual([[12, 12, 12], []])
  // Alone, each of them would have sent twelve requests at once.
  expect(statuses).toEqual(Array.from({ length: 36 }, () => 200))
})

interface Pausing {
  url: string
  /** When downloads were requested. */
  times: number[]
  /** Returns when one of them was answered with 429. */
  pausedAt: () => number
}

/** Forwards requests to a service, but answers one download with 429. */
async function startPausing(service: string, { at, seconds }: { at: number; seconds: number }): Promise<Pausing> {
  const times: number[] = []
  let pausedAt = Number.NaN
  async function answer({ url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const isDownload = url.includes('/download')
    const count = isDownload ? times.push(Date.now()) : 0
    if (isDownload) await wait(latency)
    if (count === at) {
      pausedAt = Date.now()
      response.writeHead(429, { 'retry-after': String(seconds) }).end()
      return
    }
    const [sent] = await once(get(service + url, { headers: { authorization: headers.authorization } }), 'response')
    response.writeHead(sent.statusCode, { 'content-type': sent.headers['content-type'] })
    response.end(await buffer(sent))
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}`, times, pausedAt: () => pausedAt }
}

/** The milliseconds that each download takes. */
const latency = 300

test('runners that share Redis all pause when the service asks one of them to wait', async () => {
  const { remote } = await start('redis')
  const service = await serve(12)
  const seconds = 5
  const { url, times, pausedAt } = await startPausing(service.url, { at: 6, seconds })
  const options = { ...service.options, space: url, remote, remoteWrite: true, concurrency: 1 }
  const rateLimit = { requests: 50, seconds: 1 }
  const ran = await runFleet({ runners: 3, processes: 3, apart: 0 }, source, { ...options, rateLimit })
  expect([ran.files, ran.warnings]).toEqual([[12, 12, 12], []])
  // Each file once per runner, and the rejected download once more.
  expect(times.length).toBe(37)
  const during = times.filter((time) => time > pausedAt() && time < pausedAt() + 1000 * seconds)
  // These are the requests that the others were about to send. Without the shared pause, they would send almost all of
  // their 24 downloads.
  expect(during.length).toBeLessThanOrEqual(8)
})

test("downloads that an interrupted run didn't send don't count for any runner", async () => {
  const { remote } = await start('redis')
  const limit = { requests: 13, seconds: 3600 }
  const work = await project({ 'main.js': source })
  onTestFinished(() => work.remove())
  let end: (() => Promise<unknown>) | undefined
  const service = await serve(12, { onRequest: ({ route }) => (route === 'download' ? end?.() : undefined) })
  const options = { ...service.options, remote, remoteWrite: true, rateLimit: limit }
  await work.write({ 'content-space.config.json': JSON.stringify({ ...options, concurrency: 1 }) })
  const child = spawn(process.execPath, [bin, 'sync'], { cwd: work.root, stdio: 'ignore' })
  const closed = once(child, 'close')
  // The others have received their permits when the first download arrives, which the service answers only after the
  // run has ended.
  end = async () => {
    child.kill('SIGINT')
    await closed
  }
  expect(await closed).toEqual([130, null])
  end = undefined
  expect((await runFleet({ runners: 1, processes: 1, apart: 0 }, source, options)).files).toEqual([12])
})
