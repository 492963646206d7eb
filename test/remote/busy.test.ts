import { describe, expect, test } from 'vitest'
import { runFleet } from './support/fleet.js'
import { key } from './support/runner.js'
import { startS3 } from './support/s3.js'
import { serve, start } from './support/setup.js'

const source = `import brand from 'content-space:kit/brand'\nexport default brand\n`
const [files, runners] = [20, 10]

describe.each([100, 350])('on a store of S3 that answers %d requests a second', (rate) => {
  test('ten writing runners request each file about once', async () => {
    const service = await serve(files, { latency: 200 })
    const { remote } = await start(() => startS3(true, undefined, rate))
    const options = { ...service.options, remote, remoteKey: key, remoteWrite: true }
    const ran = await runFleet({ runners, processes: 2, apart: 0 }, source, options)
    expect([ran.files, ran.warnings]).toEqual([Array.from({ length: runners }, () => files), []])
    expect(ran.locks).toHaveLength(1)
    expect(service.downloads().length).toBeLessThanOrEqual(1.2 * files)
  })
})
