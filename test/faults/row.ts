import type { Bench } from './bench.js'

/** One row of the catalogue of faults: the fault, the required behavior, and its check. */
export interface Row {
  row: number
  fault: string
  must: string
  /** Whether it measures time, so that other rows must not run in parallel. */
  alone?: true
  /**
   * Causes the fault with real components and asserts `must`.
   * @returns a summary of the observed behavior
   */
  run: (bench: Bench) => Promise<string>
}

declare module 'vitest' {
  interface TaskMeta {
    /** The result of a row in the catalogue, which the reporter prints. */
    row?: Pick<Row, 'row' | 'fault' | 'must'> & { seen: string }
    /** The results of changing content or project with a tool: warm, cold, and remote, each frozen and not. */
    sealed?: { kind: string; change: string; tool: string; cells: string[] }
  }
}
