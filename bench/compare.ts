import { printTable } from './report.js'
import { settings } from './settings.js'

/** The cost of one run. Processor time and memory can be measured only for whole processes. */
export interface Usage {
  /** In milliseconds. */
  wall: number
  /** The processor time of all threads in the process, in milliseconds. */
  cpu?: number
  /** The peak of resident memory in megabytes. */
  memory?: number
}

/** One side of a comparison. */
export interface Side {
  name: string
  /**
   * Does the work once.
   * @returns the cost without preparation and cleanup
   */
  run(this: void): Promise<Usage>
}

export interface Measured {
  name: string
  /** In the order of the rounds. */
  runs: Usage[]
}

/** The medians and the fastest runs of two sides. */
export interface Ratio {
  now: number
  least: number
}

/**
 * Runs the sides in turn (A B A B), so that other work on the machine affects all of them, and prints their times.
 * @param title describes what the sides do
 * @param warmUp whether to add a first round that isn't counted, for modules that are loaded and compiled only once
 */
export async function inTurn(
  title: string,
  sides: readonly Side[],
  rounds: number,
  warmUp = false,
): Promise<Measured[]> {
  const measured = sides.map(({ name, run }) => ({ name, run, runs: [] as Usage[] }))
  const count = Math.min(rounds, settings().rounds)
  for (let round = warmUp ? -1 : 0; round < count; round++) {
    for (const side of measured) {
      const usage = await side.run()
      if (round >= 0) side.runs.push(usage)
    }
  }
  printTable([
    [title, `time of ${count} runs: minimum`, 'median', 'processor time: minimum', 'median', 'memory: median'],
    ...measured.map(({ name }) => [
      name,
      milliseconds(least(measured, name)),
      milliseconds(middle(measured, name)),
      milliseconds(least(measured, name, 'cpu')),
      milliseconds(middle(measured, name, 'cpu')),
      cell(middle(measured, name, 'memory'), 'MB'),
    ]),
  ])
  return measured
}

function milliseconds(value: number): string {
  return cell(value, 'ms')
}

function cell(value: number, unit: string): string {
  return Number.isNaN(value) ? '' : `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return ((sorted[half] ?? Number.NaN) + (sorted[Math.ceil(sorted.length / 2 - 1)] ?? Number.NaN)) / 2
}

function valuesOf(measured: readonly Measured[], name: string, what: keyof Usage): number[] {
  const { runs = [] } = measured.find((side) => side.name === name) ?? {}
  return runs.map((run) => run[what] ?? Number.NaN)
}

/** Returns the median of one side. */
export function middle(measured: readonly Measured[], name: string, what: keyof Usage = 'wall'): number {
  return median(valuesOf(measured, name, what))
}

/** Returns the minimum of one side. */
function least(measured: readonly Measured[], name: string, what: keyof Usage = 'wall'): number {
  return Math.min(...valuesOf(measured, name, what))
}

/**
 * Returns the ratio of two sides of one comparison.
 * @param to the other side, or several sides that run one after another
 */
export function ratio(
  measured: readonly Measured[],
  name: string,
  to: string | readonly string[],
  what: keyof Usage = 'wall',
): Ratio {
  const of = (value: typeof middle): number =>
    value(measured, name, what) / [to].flat().reduce((sum, one) => sum + value(measured, one, what), 0)
  return { now: of(middle), least: of(least) }
}

/** Times work in this process. */
export async function timed(work: () => Promise<unknown>): Promise<Usage> {
  const started = performance.now()
  await work()
  return { wall: performance.now() - started }
}
