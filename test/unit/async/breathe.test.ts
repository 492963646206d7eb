import { expect, test } from 'vitest'
import { breathe } from '../../../src/async/breathe.js'

test('other work gets a turn after a few milliseconds of synchronous work', async () => {
  await breathe()
  let hasRun = false
  setImmediate(() => (hasRun = true))
  for (const start = performance.now(); performance.now() - start < 6;);
  await Promise.all([breathe(), breathe()])
  expect(hasRun).toBe(true)
})
