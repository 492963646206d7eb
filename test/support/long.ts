/**
 * How often a test repeats what is left to chance: `npm run test:long` asks for more.
 * @param short in `npm test`
 * @param long in `npm run test:long`
 */
export function runs(short: number, long: number): number {
  return process.env['CONTENT_SPACE_TEST_LONG'] === '1' ? long : short
}

/** Milliseconds for a test that repeats what processes do, on a busy machine. */
export function timeFor(count: number): number {
  return Math.max(60_000, 25_000 * count)
}
