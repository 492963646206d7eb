import type { Task } from '../recipe.js'

/**
 * The messages between `child-process.ts`, which starts children, and `worker.ts`, which runs in them.
 *
 * The parent sends a `Batch`. The child runs its tasks in order and sends, for each, the phases it goes through and
 * then one result: `done` or `failed`. A source that does not match its hash ends the batch with `damaged`. The child
 * gets the next batch only after that.
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

/**
 * What a child is doing. Each phase has its own time limit: the time for `decoding` a picture, and for `checking` and
 * `rewriting` an SVG, depends on the input, and the time for `encoding` depends on the requested size.
 */
export type Phase = 'decoding' | 'checking' | 'rewriting' | 'encoding'

/** Child to parent. `index` is the position of the task in the batch. */
export type Reply =
  | { type: 'phase'; phase: Phase }
  | { type: 'done'; index: number; bytes: Uint8Array }
  | { type: 'failed'; index: number; reason: string }
  | { type: 'damaged' }
