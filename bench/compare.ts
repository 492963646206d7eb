/** One side of a comparison: does the work once and says how long it took. */
export interface Side {
  name: string
  /** @returns milliseconds; what prepares the work and clears up after it is not counted */
  run(this: void): Promise<number>
}

export interface Measured {
  name: string
  /** Milliseconds, in the order of the rounds. */
  times: number[]
}

/**
 * Runs the sides in turn, A B A B: what else the machine does then falls on all of them.
 * A first round, which pays for what is loaded and compiled once, is not counted where `warmUp` says so.
 */
export async function inTurn(sides: readonly Side[], rounds: number, warmUp = false): Promise<Measured[]> {
  const measured = sides.map(({ name, run }) => ({ name, run, times: [] as number[] }))
  for (let round = warmUp ? -1 : 0; round < rounds; round++) {
    for (const side of measured) {
      const time = await side.run()
      if (round >= 0) side.times.push(time)
    }
  }
  return measured
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return ((sorted[middle] ?? Number.NaN) + (sorted[Math.ceil(sorted.length / 2 - 1)] ?? Number.NaN)) / 2
}

/** Of the median of one side to that of another, both of this run: `1.25`. */
export function ratio(measured: readonly Measured[], name: string, to: string): string {
  const of = (side: string): number => median(measured.find((one) => one.name === side)?.times ?? [])
  return (of(name) / of(to)).toFixed(2)
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** A table in Markdown; the first row is its head. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const [head = [], ...rest] = rows
  for (const row of [head, head.map(() => '---'), ...rest]) console.log(`| ${row.join(' | ')} |`)
}
