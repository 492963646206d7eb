/**
 * Returns how often to repeat a random test.
 * @param short the number in `npm test` and `npm run test:all`
 * @param long the number in `npm run test:long`
 */
export function runs(short: number, long: number): number {
  return isLong ? long : short
}

export const isLong = process.env['CONTENT_SPACE_TEST_LONG'] === '1'

/** Returns the time-out in milliseconds for a test that waits for `count` events, one after another. */
export function timeFor(count: number): number {
  return count * 20_000 * Number(process.env['CONTENT_SPACE_TEST_PATIENCE'])
}

/** The time to wait for one event with `vi.waitFor` or `expect.poll`. */
export const soon = { timeout: timeFor(1), interval: 20 }
