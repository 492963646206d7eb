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
  /** Identifies the bytes that `read` returns. Jobs with the same source are batched. */
  source: string
  /** Called shortly before the job starts, so that waiting jobs hold no bytes. */
  read: () => Promise<Uint8Array | Content>
  /** Equal for jobs that share decoded pixels. */
  pixels: string
}

interface Conversion extends Pick<Job, 'source' | 'read'> {
  recipe: Task
  /** Called before the end with what the user should know about the result, after the name of the file. */
  onNotes?: (notes: readonly string[]) => void
}

export type Pool = ReturnType<typeof openPool>

/**
 * Conversions in child processes, one for each core. A file that crashes its child, or makes it hang, fails alone: the
 * child is replaced.
 * @param size children that run at once
 */
export function openPool(size = Math.min(8, availableParallelism())) {
  const children = openChildProcesses()
  /** One slot for each running child. */
  const slots = new PQueue({ concurrency: size })
  // One job more than there are children: its source is read while they work.
  const starts = new PQueue({ concurrency: size + 1 })
  const waiting: Job[] = []
  let closed = false

  async function runNext(): Promise<void> {
    const first = waiting.shift()
    // It ran in the batch of another job.
    if (first === undefined) return
    const jobs = [first]
    try {
      const input = await inputOf(await first.read())
      await inSlot(() => {
        // While children are idle, one job for each of them is faster than a batch.
        if (slots.pending >= size) jobs.push(...takeRelated(waiting, first))
        return children.run(input, jobs)
      })
    } catch (error) {
      for (const job of jobs) job.reject(error)
    }
  }

  async function inSlot(work: () => Promise<void>): Promise<void> {
    await slots.add(async () => {
      // A child that was killed says nothing about its file.
      if (!closed) await work().catch((error: unknown) => closed || Promise.reject(error))
      if (closed) throw new ContentSpaceError('aborted', 'The importer was closed.')
    })
  }

  /**
   * Decodes a picture completely. Takes a slot without waiting behind jobs: a job can wait for a download that ends
   * only after this check.
   * @returns what is wrong with it; undefined for a valid picture, and when the check takes too much time or memory
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
      children.run(input, [task]).catch((error: unknown) => {
        if (error instanceof ContentSpaceError || isTooManyFiles(error)) throw error
      }),
    )
    return failure
  }

  return {
    /**
     * Makes a file from another one.
     * @throws TaskError, or another Error if the child ended: its message is a reason without its subject, because the
     *   caller knows the file; a damage error when the source does not match its hash; ContentSpaceError `aborted` when
     *   the pool is closed, `conversionStopped` when no child can be started
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
    /** Kills the children. Conversions that run or wait reject with `aborted`. */
    close(): void {
      closed = true
      children.kill()
    },
  }
}

/** Small content as bytes. Large files are read by the child. */
async function inputOf(content: Uint8Array | Content): Promise<Input> {
  if (content instanceof Uint8Array) return { bytes: content }
  if ('path' in content && content.size > memoryLimit) return { path: content.path, integrity: content.integrity }
  return { bytes: await readContent(content) }
}

/**
 * Removes from `waiting` the jobs that run in one batch with `first`, and returns them.
 * While jobs of other sources wait, these are all jobs of its source: other children take the other sources. When only
 * its source is left, these are the jobs that share its pixels: other children take the rest.
 * Jobs that share pixels are next to each other, so that pixels are decoded once.
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
