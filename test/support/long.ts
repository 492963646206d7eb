/**
 * Returns the number of repetitions of a random test.
 * @param short the number in `npm test` and `npm run test:all`
 * @param long the number in `npm run test:long`
 */
export function runs(short: number, long: number): number {
  return isLong ? long : short
}

export const isLong = process.env['CONTENT_SPACE_TEST_LONG'] === '1'

/** The time-out in milliseconds for a test that waits for `count` things, one after the other. */
export function timeFor(count: number): number {
  return count * 20_000 * Number(process.env['CONTENT_SPACE_TEST_PATIENCE'])
}

/** Waits for one thing, with `vi.waitFor` and `expect.poll`. */
export const soon = { timeout: timeFor(1), interval: 20 }
