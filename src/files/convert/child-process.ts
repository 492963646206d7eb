import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { attempt } from '../../async/attempt.js'
import { damageError } from '../../disk/content.js'
import { compiledCodeFolder } from '../../disk/compile-cache.js'
import { ownFile } from '../../disk/own-file.js'
import { retryWhileTooManyFiles } from '../../disk/open-files.js'
import { isTooManyFiles } from '../../disk/file-error.js'
import { ContentSpaceError } from '../../errors.js'
import { TaskError, timeSignal, type Batch, type ChildTask, type Preparation, type Reply } from './protocol.js'

export interface PendingTask<T extends ChildTask = ChildTask> {
  task: T
  /** @param notes notes for the user about the result; messages print each after the file's name */
  resolve(bytes: Uint8Array, notes: readonly string[]): void
  reject(reason: unknown): void
}

type PendingBatch = Omit<Batch, 'tasks'> & { tasks: readonly PendingTask[] }

/**
 * We kill a child that hasn't sent a result for this many milliseconds. Children already limit their own processor time
 * to less, so only a child that hangs reaches this limit.
 */
const patience = 15 * 60_000

/**
 * The niceness of children. When a child shares a core with the bundler, it gets about a third of the bundler's time. A
 * higher value would stall conversions on a busy machine.
 */
const niceness = 5

/** The environment variables that children get: paths that libraries need, and no secrets. */
const inheritedVariables =
  'PATH SystemRoot TEMP TMP TMPDIR HOME LANG LD_LIBRARY_PATH FONTCONFIG_PATH FONTCONFIG_FILE'.split(' ')

/** Milliseconds after which an idle child is ended. */
const idleTime = 10_000

/**
 * Idle children. All engines of this process share them, because starting a child takes longer than most conversions.
 */
const idle = new Map<ChildProcess, NodeJS.Timeout>()

/**
 * Opens a set of child processes that convert files. Each child works on one batch at a time, starts when it is needed,
 * and then waits for the next batch. Idle children don't keep the parent running, and all children end with the parent.
 */
export function openChildProcesses() {
  const busy = new Set<ChildProcess>()
  return {
    /**
     * Runs a batch in an idle or new child and settles its tasks. Rejects if the child ends or takes too long; tasks
     * that were settled before stay settled.
     * @throws ContentSpaceError `conversionStopped` if a child can't be started
     */
    async run(batch: PendingBatch): Promise<void> {
      const child = await retryWhileTooManyFiles(async () => {
        const taken = take()
        // If a child doesn't start, Node emits an event with the reason.
        if (taken.pid === undefined) throw startError(await once(taken, 'error'))
        busy.add(taken)
        return taken
      })
      try {
        await runBatch(child, batch)
        release(child)
      } catch (error) {
        child.kill('SIGKILL')
        throw error
      } finally {
        busy.delete(child)
      }
    },
    /** Starts children until this many are idle, and makes them load the code for a kind of task. */
    prepare(count: number, kind: Preparation['kind']): void {
      while (idle.size < count) {
        const child = attempt(startChild)
        // The task that needs the child reports why it can't be started.
        if (child?.pid === undefined) return
        child.send({ kind } satisfies Preparation)
        release(child)
      }
    },
    kill(): void {
      for (const child of busy) child.kill('SIGKILL')
    },
  }
}

function take(): ChildProcess {
  const child = [...idle.keys()].at(-1)
  if (child === undefined) return startChild()
  leaveIdle(child)
  child.ref()
  channelOf(child)?.ref?.()
  return child
}

function leaveIdle(child: ChildProcess): void {
  clearTimeout(idle.get(child))
  idle.delete(child)
}

function release(child: ChildProcess): void {
  // The child may have ended although its exit event hasn't fired yet.
  if (child.killed || !child.connected) return
  child.unref()
  channelOf(child)?.unref?.()
  const timer = setTimeout(() => {
    leaveIdle(child)
    child.kill('SIGKILL')
  }, idleTime)
  idle.set(child, timer.unref())
}

/** Returns the channel to a child. Bun's channels lack `ref` and `unref`. */
function channelOf({ channel }: ChildProcess): Partial<NonNullable<ChildProcess['channel']>> | null | undefined {
  return channel
}

function startChild(): ChildProcess {
  const inherited = inheritedVariables.map((name) => [name, process.env[name]] as const)
  const variables = [...inherited, ['NODE_COMPILE_CACHE', compiledCodeFolder()] as const]
  // Use the built file even when this module runs from source, because Node can't start a child from TypeScript.
  const child = fork(ownFile('files/convert/worker.js'), {
    // Not the project's folder: Bun reads `bunfig.toml` in the working directory, and the project's preloads must not
    // run in children. Not the package's folder either, because it may be inside a zip file.
    cwd: dirname(process.execPath),
    env: Object.fromEntries(variables.filter(([, value]) => value !== undefined)),
    execArgv: ['--max-old-space-size=1024', ...packageLoaders()],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // `runBatch` handles a broken channel. Without this listener, the error would crash the parent while the child idles.
  child.on('error', () => {})
  child.once('exit', () => leaveIdle(child))
  try {
    if (child.pid !== undefined) setPriority(child.pid, niceness)
  } catch {
    // The child has already ended, or the system doesn't support priorities.
  }
  return child
}

/**
 * Returns the arguments that let Node find packages under Yarn's Plug'n'Play, where packages are zip files that only
 * Yarn's loaders can read. We don't pass on NODE_OPTIONS, where Yarn puts the loaders, because it may also contain
 * preloads of the project.
 */
function packageLoaders(): string[] {
  if (process.versions['pnp'] === undefined) return []
  const forCommonJs = createRequire(import.meta.url).resolve('pnpapi')
  const forModules = join(dirname(forCommonJs), '.pnp.loader.mjs')
  const hasModules = existsSync(forModules)
  return ['--require', forCommonJs, ...(hasModules ? ['--experimental-loader', pathToFileURL(forModules).href] : [])]
}

function startError([cause]: unknown[]): unknown {
  // Return the cause unchanged so that the caller can retry: other files may be closed soon.
  if (isTooManyFiles(cause) || !(cause instanceof Error)) return cause
  const message = `The process that converts files cannot be started: ${cause.message}.`
  return new ContentSpaceError('conversionStopped', message, {
    hint:
      'code' in cause && cause.code === 'EAGAIN'
        ? 'Raise the limit of processes, or end other processes.'
        : 'Check that this program exists and can be executed.',
    cause,
  })
}

const tooLong = 'it took too long'

/** Sends a batch and settles its tasks. Rejects if the child can't be reused. */
function runBatch(child: ChildProcess, { tasks, ...batch }: PendingBatch): Promise<void> {
  return new Promise((resolve, reject) => {
    let unsettled = tasks.length
    let timer: NodeJS.Timeout | undefined

    function finish(failure?: string): void {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      if (failure === undefined) resolve()
      else reject(new Error(failure))
    }
    function wait(): void {
      clearTimeout(timer)
      timer = setTimeout(() => finish(tooLong), patience)
    }
    function onMessage(reply: Reply): void {
      wait()
      if (reply.type === 'damaged') {
        for (const task of tasks) task.reject(damageError('a file of the cache'))
        return finish()
      }
      if (reply.type === 'done') tasks[reply.index]?.resolve(reply.bytes, reply.notes ?? [])
      else tasks[reply.index]?.reject(new TaskError(reply))
      unsettled--
      if (unsettled === 0) finish()
    }
    const onExit = (code: number | null, signal: string | null) =>
      finish(signal === timeSignal ? tooLong : `the conversion process ended (${signal ?? code ?? 'unknown'})`)
    const onError = () => finish('the conversion process ended (its channel is closed)')

    child.on('message', onMessage).once('exit', onExit).once('error', onError)
    wait()
    child.send({ ...batch, tasks: tasks.map(({ task }) => task) } satisfies Batch)
  })
}
