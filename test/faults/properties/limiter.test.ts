import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fc } from '../../support/random.js'
import { afterAll, expect, test } from 'vitest'
import { timeFor } from '../../support/long.js'
import { createLimiter, type Limiter } from '../../../src/space/http/rate-limit.js'
import { tempFolder } from '../../support/files.js'

const root = await tempFolder()
afterAll(() => rm(root, { recursive: true, force: true }))

/**
 * A requested download: its process, the delay after the previous one, and how long its permit is held, both in
 * milliseconds.
 */
const wanted = fc.record({
  by: fc.nat(2),
  after: fc.oneof(fc.constant(0), fc.nat(3000)),
  held: fc.oneof(fc.constant(0), fc.nat(1200)),
})

test(
  'no rolling window has more downloads than the rate, for any timing and number of processes',
  { timeout: timeFor(2) },
  async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 5 }),
        fc.array(wanted, { minLength: 1, maxLength: 20 }),
        async (requests, seconds, downloads) => {
          let time = 1_000_000
          const clock = { now: () => time, pause: async (milliseconds: number) => void (time += milliseconds) }
          const cacheDir = join(root, String(count++))
          const processes = [0, 1, 2].map(() =>
            createLimiter({ requests, seconds, cacheDir, key: 'a', onWait: () => {}, ...clock }),
          )
          const sent: number[] = []
          const all: Promise<void>[] = []
          for (const { by, after, held } of downloads) {
            time += after
            all.push(
              send(
                processes[by],
                held,
                (milliseconds) => void (time += milliseconds),
                () => void sent.push(time),
              ),
            )
            // Downloads without a delay start together. The others start after all earlier ones.
            if (after > 0) await Promise.all(all)
          }
          await Promise.all(all)
          expect(sent).toHaveLength(downloads.length)
          for (const start of sent) {
            expect(
              sent.filter((at) => at >= start && at < start + seconds * 1000).length,
              `from ${start} of ${sent.join(' ')}`,
            ).toBeLessThanOrEqual(requests)
          }
        },
      ),
    )
  },
)

/** Takes a permit, holds it for a while, and exchanges it if it has expired. */
async function send(
  limiter: Limiter | undefined,
  held: number,
  pass: (milliseconds: number) => void,
  sent: () => void,
): Promise<void> {
  const { signal } = new AbortController()
  let permit = await limiter?.take(signal)
  pass(held)
  while (permit && !permit.isGood()) {
    limiter?.giveBack(permit)
    permit = await limiter?.take(signal)
  }
  sent()
}
