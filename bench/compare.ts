/** One side of a comparison. */
export interface Side {
  name: string
  /**
   * Does the work once.
   * @returns milliseconds, without preparation and cleanup
   */
  run(this: void): Promise<number>
}

export interface Measured {
  name: string
  /** Milliseconds, in the order of the rounds. */
  times: number[]
}

/**
 * Runs the sides in turn, A B A B, so that other work of the machine affects all of them.
 * @param warmUp whether to add a first round that is not counted, for modules that are loaded and compiled once
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

/** Returns the ratio of the medians of two sides of one run: `1.25`. */
export function ratio(measured: readonly Measured[], name: string, to: string): string {
  const of = (side: string): number => median(measured.find((one) => one.name === side)?.times ?? [])
  return (of(name) / of(to)).toFixed(2)
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Prints a Markdown table. The first row is its head. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const [head = [], ...rest] = rows
  for (const row of [head, head.map(() => '---'), ...rest]) console.log(`| ${row.join(' | ')} |`)
}
