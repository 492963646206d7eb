/** The cost of one run. Processor time and memory are known only for whole processes. */
export interface Usage {
  /** Milliseconds. */
  wall: number
  /** Milliseconds of all threads of the process. */
  cpu?: number
  /** The peak of resident memory, in megabytes. */
  memory?: number
}

/** One side of a comparison. */
export interface Side {
  name: string
  /**
   * Does the work once.
   * @returns what it took, without preparation and cleanup
   */
  run(this: void): Promise<Usage>
}

export interface Measured {
  name: string
  /** In the order of the rounds. */
  runs: Usage[]
}

/**
 * Runs the sides in turn, A B A B, so that other work of the machine affects all of them.
 * @param warmUp whether to add a first round that is not counted, for modules that are loaded and compiled once
 */
export async function inTurn(sides: readonly Side[], rounds: number, warmUp = false): Promise<Measured[]> {
  const measured = sides.map(({ name, run }) => ({ name, run, runs: [] as Usage[] }))
  for (let round = warmUp ? -1 : 0; round < rounds; round++) {
    for (const side of measured) {
      const usage = await side.run()
      if (round >= 0) side.runs.push(usage)
    }
  }
  return measured
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return ((sorted[half] ?? Number.NaN) + (sorted[Math.ceil(sorted.length / 2 - 1)] ?? Number.NaN)) / 2
}

/** Returns the median of one side. */
export function middle(measured: readonly Measured[], name: string, what: keyof Usage = 'wall'): number {
  const { runs = [] } = measured.find((side) => side.name === name) ?? {}
  return median(runs.map((run) => run[what] ?? Number.NaN))
}

/** Returns the ratio of the medians of two sides of one comparison. */
export function ratio(measured: readonly Measured[], name: string, to: string, what: keyof Usage = 'wall'): number {
  return middle(measured, name, what) / middle(measured, to, what)
}

/** Times work in this process. */
export async function timed(work: () => Promise<unknown>): Promise<Usage> {
  const started = performance.now()
  await work()
  return { wall: performance.now() - started }
}
