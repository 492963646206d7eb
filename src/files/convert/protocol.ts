import type { Task } from '../recipe.js'
import type { Failure, Problem } from './problem.js'

/**
 * The messages between `child-process.ts`, which starts children, and `worker.ts`, which runs in them.
 *
 * The parent sends a `Batch`. The child runs its tasks in order and sends one result for each: `done`, with notes for
 * the user, or `failed`. A source that does not match its hash ends the batch with `damaged`. The child gets the next
 * batch only after that.
 */

/** The bytes of a source. The child reads a large file itself, so that its bytes do not pass through the parent. */
export type Input = { bytes: Uint8Array } | { path: string; integrity: string }

/** Decodes a picture completely and returns nothing. Fails for a picture that is damaged. */
export interface DecodeTask {
  kind: 'decode'
}

export type ChildTask = Task | DecodeTask

export interface Batch {
  input: Input
  tasks: ChildTask[]
}

/** The signal that ends a child after it has used up its processor time. Windows doesn't have this signal. */
export const timeSignal = process.platform === 'win32' ? 'SIGKILL' : 'SIGVTALRM'

/** A task that fails whenever it runs, because of its input. Any other error of a task concerns this machine. */
export class TaskError extends Error {
  readonly problem: Problem | undefined
  constructor({ reason, problem }: Failure) {
    super(reason)
    this.problem = problem
  }
}

/** Child to parent. `index` is the position of the task in the batch. */
export type Reply =
  | { type: 'done'; index: number; bytes: Uint8Array; notes?: string[] }
  | ({ type: 'failed'; index: number } & Failure)
  | { type: 'damaged' }
