import { compareStrings } from '../../text/compare.js'
import { availableParallelism } from 'node:os'
import PQueue from 'p-queue'
import { readContent, memoryLimit, type Content } from '../../disk/content.js'
import { isTooManyFiles } from '../../disk/file-error.js'
import { ContentSpaceError } from '../../errors.js'
import { pixelsOf, type Task } from '../recipe.js'
import { openChildProcesses, type PendingTask } from './child-process.js'
import type { Failure } from './problem.js'
import { TaskError, type DecodeTask, type Input } from './protocol.js'

interface Job extends PendingTask<Task> {
  /** Identifies the bytes that `read` returns, so that jobs with the same source can be batched. */
  source: string
  /** Called shortly before the job starts, so that waiting jobs don't hold bytes in memory. */
  read: () => Promise<Uint8Array | Content>
  /** The same for all jobs that share decoded pixels. */
  pixels: string
}

interface Conversion extends Pick<Job, 'source' | 'read'> {
  recipe: Task
  /** Called before the conversion ends with notes for the user, each to be printed after the file's name. */
  onNotes?: (notes: readonly string[]) => void
}

export type Pool = ReturnType<typeof openPool>

/**
 * Opens a pool of child processes that convert files, one child per core. A file that crashes or hangs its child fails
 * alone, because the pool replaces the child.
 * @param size how many children run at once
 */
export function openPool(size = Math.min(8, availableParallelism())) {
  const children = openChildProcesses()
  /** One slot for each running child. */
  const slots = new PQueue({ concurrency: size })
  // Start one job more than there are children, so that its source is read while they work.
  const starts = new PQueue({ concurrency: size + 1 })
  const waiting: Job[] = []
  let closed = false
  /** The number of files that are being downloaded and will be converted. */
  let arriving = 0

  async function runNext(): Promise<void> {
    const first = waiting.shift()
    // The job has already run in another job's batch.
    if (first === undefined) return
    const jobs = [first]
    try {
      const input = await prepared(first.task.kind, async () => inputOf(await first.read()))
      await inSlot(() => {
        // While children are idle, giving each a job is faster than batching.
        if (slots.pending >= size) jobs.push(...takeRelated(waiting, first))
        // A job may use the cores that other jobs leave idle.
        const threads = Math.max(1, Math.floor(size / (starts.pending + starts.size)))
        return children.run({ input, threads, tasks: jobs })
      })
    } catch (error) {
      for (const job of jobs) job.reject(error)
    }
  }

  /**
   * Waits for the source of a task. In the meantime, a child starts and loads its code, which may take longer than the
   * task.
   */
  async function prepared<T>(kind: Task['kind'], arrival: () => Promise<T>): Promise<T> {
    arriving++
    if (!closed) children.prepare(Math.min(arriving, size - slots.pending), kind)
    return arrival().finally(() => arriving--)
  }

  async function inSlot(work: () => Promise<void>): Promise<void> {
    await slots.add(async () => {
      // If the pool was closed, its children were killed, so their errors say nothing about the files.
      if (!closed) await work().catch((error: unknown) => closed || Promise.reject(error))
      if (closed) throw new ContentSpaceError('aborted', 'The importer was closed.')
    })
  }

  /**
   * Decodes a picture completely. Takes a slot without waiting behind jobs, because a job may wait for a download that
   * can't end before this check.
   * @returns what is wrong with the picture; undefined if it is valid or the check takes too much time or memory
   * @throws the ContentSpaceErrors of `convert`
   */
  async function check(content: Content): Promise<Failure | undefined> {
    const input = await inputOf(content)
    let failure: Failure | undefined
    const task: PendingTask<DecodeTask> = {
      task: { kind: 'decode' },
      resolve: () => {},
      reject: (error: Error) => {
        failure = { reason: error.message, problem: error instanceof TaskError ? error.problem : undefined }
      },
    }
    await inSlot(() =>
      children.run({ input, threads: 1, tasks: [task] }).catch((error: unknown) => {
        if (error instanceof ContentSpaceError || isTooManyFiles(error)) throw error
      }),
    )
    return failure
  }

  return {
    /**
     * Converts a file.
     * @throws TaskError, or another Error if the child ended: the message is a reason without a subject, because the
     *   caller knows the file. A damage error if the source doesn't match its hash. ContentSpaceError `aborted` if the
     *   pool is closed, `conversionStopped` if a child can't be started
     */
    convert: ({ source, recipe, read, onNotes = () => {} }: Conversion) =>
      new Promise<Uint8Array>((resolve, reject) => {
        const settle = (bytes: Uint8Array, notes: readonly string[]) => {
          onNotes(notes)
          resolve(bytes)
        }
        const pixels = `${source}\n${pixelsOf(recipe)}`
        waiting.push({ source, read, task: recipe, pixels, resolve: settle, reject })
        void starts.add(runNext)
      }),
    check,
    prepared,
    /** Kills the children. Running and waiting conversions reject with `aborted`. */
    close(): void {
      closed = true
      children.kill()
    },
  }
}

/** Returns small content as bytes. Children read large files themselves. */
async function inputOf(content: Uint8Array | Content): Promise<Input> {
  if (content instanceof Uint8Array) return { bytes: content }
  if ('path' in content && content.size > memoryLimit) return { path: content.path, integrity: content.integrity }
  return { bytes: await readContent(content) }
}

/**
 * Removes from `waiting` the jobs to run in one batch with `first`, and returns them. While jobs for other sources
 * wait, other children take those, so the batch contains all jobs for the source of `first`. Otherwise, it contains
 * only the jobs that share decoded pixels with `first`, and other children take the rest. Sorts jobs that share pixels
 * next to each other, so that they are decoded once.
 */
function takeRelated(waiting: Job[], first: Job): Job[] {
  const hasOtherSources = waiting.some(({ source }) => source !== first.source)
  const related = new Set(
    waiting.filter((job) => (hasOtherSources ? job.source === first.source : job.pixels === first.pixels)),
  )
  waiting.splice(0, Infinity, ...waiting.filter((job) => !related.has(job)))
  const sortKey = ({ pixels }: Job) => (pixels === first.pixels ? '' : pixels)
  return [...related].toSorted((a, b) => compareStrings(sortKey(a), sortKey(b)))
}
