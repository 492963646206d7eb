import type { Bench } from './bench.js'

/** One row of the catalogue of faults: what the service does, what must happen, and how that is seen. */
export interface Row {
  row: number
  fault: string
  must: string
  /** Whether it measures time, and no other row may run beside it. */
  alone?: true
  /** Runs the fault against real parts and asserts all that `must` says. @returns what was seen, in words */
  run: (bench: Bench) => Promise<string>
}

declare module 'vitest' {
  interface TaskMeta {
    /** What a row of the catalogue came to; the reporter prints it. */
    row?: Pick<Row, 'row' | 'fault' | 'must'> & { seen: string }
  }
}
