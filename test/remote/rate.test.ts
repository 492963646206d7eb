import { expect, test } from 'vitest'
import { runFleet } from './support/fleet.js'
import { serve, start } from './support/setup.js'

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
  // Without a key, nothing is believed that the lockfile does not have: each runner downloads all files by itself.
  const options = { ...service.options, remote, remoteWrite: true, rateLimit: limit }
  const { files, warnings } = await runFleet({ runners: 3, processes: 3, apart: 0 }, source, options)
  expect([files, warnings]).toEqual([[12, 12, 12], []])
  // Each of them alone would have sent twelve requests at once.
  expect(statuses).toEqual(Array.from({ length: 36 }, () => 200))
})
