import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { EngineName } from './support/engines.js'
import { runFleet, startFleet } from './support/fleet.js'
import { newFolder } from './support/process.js'
import { key } from './support/runner.js'
import { runs } from '../support/long.js'
import { serve, start } from './support/setup.js'

const source = `import brand from 'content-space:kit/brand'\nexport default brand\n`

/**
 * The S3-compatible server is a single Node process. On a small machine, it would take longer to answer two hundred
 * concurrent requests than a runner waits for an engine, so runners start one after the other while the first one
 * downloads.
 */
const fleets: [EngineName, { files: number; apart: number; latency: number }][] = [
  ['redis', { files: 12, apart: 0, latency: 20 }],
  ['s3', { files: 3, apart: 300, latency: 3000 }],
]

describe.each(fleets)('writing runners on %s', (name, { files: count, apart, latency }) => {
  test('many with one cold kit request each file about once', async () => {
    const service = await serve(count, { latency })
    const { remote } = await start(name)
    const options = { ...service.options, remote, remoteKey: key, remoteWrite: true }
    const { files, warnings, locks } = await runFleet({ runners: runs(60, 200), processes: 4, apart }, source, options)
    // A runner that finds the server too slow rightly continues without it and downloads files itself.
    const alone = warnings.filter((warning) => warning.includes('no answer for 2 s')).length
    expect(warnings.length - alone).toBe(0)
    if (name === 'redis') expect(alone).toBe(0)
    expect(new Set(files)).toEqual(new Set([count]))
    // All of them have locked the same bytes.
    expect(locks).toHaveLength(1)
    expect(service.downloads().length).toBeGreaterThanOrEqual(count)
    expect(service.downloads().length).toBeLessThanOrEqual(count * (1 + alone) + 2)
  })

  test('go on when the one that downloads is killed', async () => {
    const service = await serve(count, { latency: 500 })
    const { remote } = await start(name)
    const options = { ...service.options, remote, remoteKey: key, remoteWrite: true }
    const root = await newFolder()
    await mkdir(root, { recursive: true })
    await writeFile(join(root, 'main.js'), source)
    const first = startFleet([root], options)
    await vi.waitUntil(() => service.downloads().length === count, { timeout: 60_000, interval: 5 })
    first.kill('SIGKILL')
    await once(first, 'exit')
    const { files, warnings } = await runFleet({ runners: 4, processes: 1, apart: 0 }, source, options)
    expect([new Set(files), warnings]).toEqual([new Set([count]), []])
    expect(service.downloads().length).toBeLessThanOrEqual(2 * count + 1)
  })
})
