import { fork, type ChildProcess } from 'node:child_process'
import { createRequire } from 'node:module'
import { availableParallelism, setPriority } from 'node:os'
import PQueue from 'p-queue'
import type { Batch, Decoding, Input, Reply } from './worker.js'
import { damageError, readContent, memoryLimit, type Content } from '../../disk/content.js'
import { isTooManyFiles, retryWhileTooManyFiles } from '../../disk/open-files.js'
import { compareStrings } from '../../text/compare.js'
import { pixelsOf, type Task } from '../recipe.js'

/** Conversions in processes of their own, as many at a time as there are cores. */
export interface Pool {
  /**
   * @throws Error with a reason in words; the caller knows what it is about; a damage error for a file that is not what
   *   its hash says
   */
  convert(this: void, work: Work): Promise<Uint8Array>
  /**
   * Decodes a picture wholly.
   * @returns what is wrong with it; undefined also where that cannot be told, because it takes too long or too much
   *   memory
   */
  check(this: void, content: Content): Promise<string | undefined>
  close(): void
}

/** A file to be made of another. */
interface Work {
  /** Says which bytes `read` gives: what is made of the same ones can share what that takes. */
  source: string
  recipe: Task
  /** Called when it is nearly its turn, so that what waits holds no bytes. */
  read: () => Promise<Uint8Array | Content>
}

/** One recipe of an order, and who waits for it. */
interface Asked {
  recipe: Task | Decoding
  resolve(bytes: Uint8Array): void
  reject(reason: unknown): void
}

interface Job extends Work {
  /** The same for jobs that share their pixels. */
  pixels: string
  resolve(bytes: Uint8Array): void
  reject(reason: unknown): void
}

/**
 * Milliseconds by what was heard last. Decoding is what hostile input makes slow; encoding depends on the size asked
 * for.
 */
const limits = {
  sent: 60_000,
  begun: 8_000,
  checking: 3_000,
  drawing: 6_000,
  decoded: 120_000,
  done: 60_000,
  failed: 60_000,
  damaged: 60_000,
}

/** A third of the bundler's share where both want the same core; more, and a busy machine would do nothing here. */
const niceness = 5

/** The built file, also when this one runs from source: Node cannot start a child from TypeScript. */
const script = createRequire(import.meta.url).resolve('#convert')

/** A conversion sees no secret: all that libraries need is where things are. */
const passed = [
  'PATH',
  'SystemRoot',
  'TEMP',
  'TMP',
  'TMPDIR',
  'HOME',
  'LANG',
  'LD_LIBRARY_PATH',
  'FONTCONFIG_PATH',
  'FONTCONFIG_FILE',
]

/**
 * A child that crashes, hangs or is killed takes what it was making of one file with it, and is replaced.
 * Children yield to the bundler, keep nobody alive while they idle, and end with their parent.
 */
export function openPool(size = Math.min(8, availableParallelism())): Pool {
  const idle: ChildProcess[] = []
  const all = new Set<ChildProcess>()
  const waiting: Job[] = []
  const seats = new PQueue({ concurrency: size })
  let taken = 0
  let closed = false

  /** One job more is read ahead, so that no child waits for the disk. */
  function advance(): void {
    while (taken <= size) {
      const job = waiting.shift()
      if (job === undefined) return
      taken++
      void make(job).finally(() => {
        taken--
        advance()
      })
    }
  }

  async function make(first: Job): Promise<void> {
    const jobs = [first]
    try {
      const input = await inputOf(await first.read())
      await seats.add(async () => {
        if (closed) throw new Error('it was called off')
        jobs.push(...takeSame(first))
        await send(input, jobs)
      })
    } catch (error) {
      for (const job of jobs) job.reject(error)
    }
  }

  async function send(input: Input, asked: readonly Asked[]): Promise<void> {
    const child = await retryWhileTooManyFiles(async () => take())
    try {
      await ask(child, input, asked)
    } catch (error) {
      // Its exit may be heard of only later, and it must not be given another file until then.
      child.kill('SIGKILL')
      throw error
    }
    give(child)
  }

  /** Takes a seat without waiting for those who read ahead: one of them may wait for what is checked here. */
  async function check(content: Content): Promise<string | undefined> {
    const input = await inputOf(content)
    let reason: string | undefined
    const asked = {
      recipe: { kind: 'decode' } as const,
      resolve: () => {},
      reject: (error: Error) => void (reason = error.message),
    }
    await seats.add(async () => {
      if (closed) throw new Error('it was called off')
      await send(input, [asked]).catch((error: unknown) => {
        if (closed || isTooManyFiles(error)) throw error
      })
    })
    return reason?.trim()
  }

  /**
   * What is made along: of the same file while others wait too, else of the same pixels, so that no child has nothing
   * to do. Recipes of the same pixels follow each other.
   */
  function takeSame(first: Job): Job[] {
    if (seats.pending < size) return []
    const several = waiting.some(({ source }) => source !== first.source)
    const same = waiting.filter(({ source, pixels }) => (several ? source === first.source : pixels === first.pixels))
    waiting.splice(0, Infinity, ...waiting.filter((job) => !same.includes(job)))
    const rank = ({ pixels }: Job) => (pixels === first.pixels ? '' : pixels)
    return same.toSorted((a, b) => compareStrings(rank(a), rank(b)))
  }

  function take(): ChildProcess {
    const child = idle.pop() ?? start()
    child.ref()
    child.channel?.ref()
    return child
  }

  function start(): ChildProcess {
    const env = Object.fromEntries(
      passed.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    )
    const child = fork(script, {
      env,
      execArgv: ['--max-old-space-size=1024'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // A broken channel is told to whoever waits for an answer, and must not end us where nobody does.
    child.on('error', () => {})
    if (child.pid === undefined) throw tooMany()
    all.add(child)
    child.once('exit', () => {
      all.delete(child)
      const place = idle.indexOf(child)
      if (place !== -1) idle.splice(place, 1)
    })
    try {
      setPriority(child.pid, niceness)
    } catch {
      // It ran already and ended, or the system has no priorities.
    }
    return child
  }

  function give(child: ChildProcess): void {
    if (!all.has(child)) return
    child.unref()
    child.channel?.unref()
    idle.push(child)
  }

  return {
    convert: (work) =>
      new Promise((resolve, reject) => {
        waiting.push({ ...work, pixels: `${work.source}\n${pixelsOf(work.recipe)}`, resolve, reject })
        advance()
      }),
    check,
    close() {
      closed = true
      for (const child of all) child.kill('SIGKILL')
    },
  }
}

/** What is larger is read by the child itself. */
async function inputOf(read: Uint8Array | Content): Promise<Input> {
  if (read instanceof Uint8Array) return { bytes: read }
  if ('path' in read && read.size > memoryLimit) return { path: read.path, integrity: read.integrity }
  return { bytes: await readContent(read) }
}

/** What Node says of a process that could not be started: it tells of the handles that were lacking only later. */
function tooMany(): Error {
  return Object.assign(new Error('a process for it cannot be started: too many files are open'), { code: 'EMFILE' })
}

/**
 * One order, one answer for each job of it. Rejects where the child is of no more use: it ended, or does not answer in
 * time.
 */
function ask(child: ChildProcess, input: Input, jobs: readonly Asked[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let timer = setTimeout(late, limits.sent)
    let left = jobs.length
    function late(): void {
      fail('it takes too long')
    }
    function end(): void {
      clearTimeout(timer)
      child.off('message', hear)
      child.off('exit', leave)
      child.off('error', broken)
    }
    /** Those that are answered already keep their answers. */
    function fail(reason: string): void {
      end()
      reject(new Error(reason))
    }
    function hear(answer: Reply): void {
      clearTimeout(timer)
      timer = setTimeout(late, limits[answer.type])
      if (answer.type === 'done') jobs[answer.at]?.resolve(answer.bytes)
      else if (answer.type === 'failed') jobs[answer.at]?.reject(new Error(answer.reason))
      else if (answer.type === 'damaged') {
        end()
        for (const job of jobs) job.reject(damageError('a file of the cache'))
        resolve()
        return
      } else return
      left--
      if (left > 0) return
      end()
      resolve()
    }
    function leave(code: number | null, signal: string | null): void {
      fail(`the process that converts it ended (${signal ?? code ?? 'unknown'})`)
    }
    function broken(): void {
      fail('the process that converts it ended (its channel is closed)')
    }
    child.on('message', hear)
    child.once('exit', leave)
    child.once('error', broken)
    child.send({ input, recipes: jobs.map(({ recipe }) => recipe) } satisfies Batch)
  })
}
