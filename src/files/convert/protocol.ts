import type { Task } from '../recipe.js'
import type { Failure, Problem } from './problem.js'

/**
 * The messages between `child-process.ts`, which starts children, and `worker.ts`, which runs in them.
 *
 * The parent sends a `Batch`. The child runs its tasks in order and replies to each with `done`, which may include
 * notes for the user, or with `failed`. If the source doesn't match its hash, the child ends the batch with `damaged`.
 * Only then does the parent send the next batch.
 */

/**
 * A source: either its bytes, or the path of a large file, which the child reads itself so that the bytes don't pass
 * through the parent.
 */
export type Input = { bytes: Uint8Array } | { path: string; integrity: string }

/** Decodes a picture completely and returns empty bytes. Fails if the picture is damaged. */
export interface DecodeTask {
  kind: 'decode'
}

export type ChildTask = Task | DecodeTask

export interface Batch {
  input: Input
  /** How many threads each task may use. Their number never affects the bytes. */
  threads: number
  tasks: ChildTask[]
}

/** Loads the code for a kind of task before the file arrives. The child doesn't reply. */
export interface Preparation {
  kind: Task['kind']
}

/** The signal that kills a child that has used up its processor time. Windows doesn't support SIGVTALRM. */
export const timeSignal = process.platform === 'win32' ? 'SIGKILL' : 'SIGVTALRM'

/**
 * The error of a task that fails on every run because of its input. Any other error of a task is caused by this
 * machine.
 */
export class TaskError extends Error {
  readonly problem: Problem | undefined
  constructor({ reason, problem }: Failure) {
    super(reason)
    this.problem = problem
  }
}

/** A message from child to parent. `index` is the position of the task in the batch. */
export type Reply =
  | { type: 'done'; index: number; bytes: Uint8Array; notes?: string[] }
  | ({ type: 'failed'; index: number } & Failure)
  | { type: 'damaged' }
