import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { ServedSpace } from '../support/space.js'
import type { EngineName } from './support/engines.js'
import { runFleet, startFleet } from './support/fleet.js'
import { newFolder } from './support/process.js'
import { key } from './support/runner.js'
import { lockOf, runner, serve, start } from './support/setup.js'

const source = `import brand from 'content-space:kit/brand'\nexport default brand\n`
const files = 4

/** The requests that are not for files, and how often each was sent. */
function listings({ requests }: ServedSpace, from: number): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { route, path } of requests.slice(from))
    if (route !== 'download') counts.set(path, (counts.get(path) ?? 0) + 1)
  return counts
}

describe.each<EngineName>(['redis', 's3'])('runners with one locked kit that are cold, on %s', (name) => {
  test('ask for each listing once', async () => {
    const service = await serve(files, { latency: 50 })
    const first = await runner(service.options, {})
    await first.build()
    const lock = await lockOf(first)
    const { remote } = await start(name)
    const options = { ...service.options, remote, remoteKey: key, remoteWrite: true }
    const asked = service.requests.length
    const ran = await runFleet({ runners: 10, processes: 2, apart: 0, lock }, source, options)
    expect([ran.files, ran.warnings]).toEqual([Array.from({ length: 10 }, () => files), []])
    const counts = listings(service, asked)
    expect(counts.size).toBeGreaterThan(2)
    expect(Math.max(...counts.values())).toBe(1)
  })

  test('go on when the one that loads it is killed', async () => {
    const service = await serve(files, { latency: 400 })
    const own = await runner(service.options, {})
    await own.build()
    const lock = await lockOf(own)
    const { remote } = await start(name)
    const options = { ...service.options, remote, remoteKey: key, remoteWrite: true }
    const root = await newFolder()
    await writeFile(join(root, 'main.js'), source)
    await writeFile(join(root, 'content-space.lock.json'), lock)
    const asked = service.requests.length
    const holder = startFleet([root], options)
    await vi.waitUntil(() => service.requests.length > asked, { timeout: 60_000, interval: 5 })
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    const ran = await runFleet({ runners: 4, processes: 1, apart: 0, lock }, source, options)
    expect([ran.files, ran.warnings]).toEqual([Array.from({ length: 4 }, () => files), []])
    expect(Math.max(...listings(service, asked).values())).toBeLessThanOrEqual(2)
  })
})
