import * as fc from 'fast-check'
import { runs } from './long.js'

/** The seed of random tests. A failed property prints it, and `CONTENT_SPACE_TEST_SEED` sets it. */
const seed = Number(process.env['CONTENT_SPACE_TEST_SEED'] ?? Date.now() % 2 ** 31)

fc.configureGlobal({ numRuns: runs(100, 100_000), seed })

export { fc }

/** Returns random numbers from 0 to 999 for tests without a property, and prints the seed. */
export function moments(count: number): number[] {
  console.log(`CONTENT_SPACE_TEST_SEED=${seed}`)
  return fc.sample(fc.noBias(fc.nat(999)), count)
}
