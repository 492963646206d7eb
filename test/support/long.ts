/**
 * Returns the number of repetitions of a random test.
 * @param short the number in `npm test`
 * @param long the number in `npm run test:long`
 */
export function runs(short: number, long: number): number {
  return process.env['CONTENT_SPACE_TEST_LONG'] === '1' ? long : short
}

/** The timeout in milliseconds for a test that repeatedly starts processes, on a busy machine. */
export function timeFor(count: number): number {
  return Math.max(60_000, 25_000 * count)
}
