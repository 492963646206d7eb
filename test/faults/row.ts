import type { Bench } from './bench.js'

/** One row of the catalogue of faults: the fault, the required behaviour, and the check of it. */
export interface Row {
  row: number
  fault: string
  must: string
  /** Whether it measures time, so that no other row may run in parallel. */
  alone?: true
  /** Runs the fault against real parts and asserts `must`. @returns a summary of the observed behaviour */
  run: (bench: Bench) => Promise<string>
}

declare module 'vitest' {
  interface TaskMeta {
    /** The result of a row of the catalogue; the reporter prints it. */
    row?: Pick<Row, 'row' | 'fault' | 'must'> & { seen: string }
    /** The results of a change of content or project with a tool: warm, cold and remote, each frozen and not. */
    sealed?: { kind: string; change: string; tool: string; cells: string[] }
  }
}
