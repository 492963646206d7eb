import { setMaxListeners } from 'node:events'
import type { RemoteAddress } from './address.js'
import type { Clock } from '../async/clock.js'
import { problemOfError, reasonOf, type EngineCall, type Problem, type RemoteEngine } from './engine.js'
import { openPatience } from './patience.js'

type EngineWork<T> = (engine: RemoteEngine, call: EngineCall) => Promise<T>

interface ConnectionOptions extends Pick<RemoteAddress, 'label' | 'open'> {
  warn: (message: string) => void
  clock: Clock
}

/** The total time in milliseconds that a run waits for an engine without progress. */
const waitLimit = 2000

/** The same limit for commands that work only with the cache. */
const commandWaitLimit = 30_000

/** After this many failed calls, we stop using the engine; after this many failed writes, we stop writing. */
const failureLimit = 3

export type Connection = ReturnType<typeof openConnection>

/** Opens the engine of a run. If the engine stops working, all methods resolve as if it were empty. */
export function openConnection({ label, open, warn, clock }: ConnectionOptions) {
  const off = new AbortController()
  const { signal } = off
  setMaxListeners(0, signal)
  const untilGivenUp = rejectOnAbort(signal)
  let limit = waitLimit
  const onSpent = () => giveUp(`no answer for ${limit / 1000} s`)
  const patience = openPatience({ clock, limit: () => limit, onSpent })
  const call: EngineCall = { signal, progress: patience.bytes, answered: patience.answered }
  const failures = { calls: 0, writes: 0 }
  let opening: Promise<RemoteEngine> | undefined
  let warned = false
  let problem: Problem | undefined

  /** One problem usually causes others, so only the first is reported. */
  function warnOnce(message: string): void {
    if (!warned) warn(message)
    warned = true
  }

  function giveUp(reason: string): void {
    if (signal.aborted) return
    if (problem?.reason !== reason) problem = { reason, step: undefined }
    warnOnce(`The remote cache at ${label} cannot be used: ${reason}. Continuing without it.`)
    close()
  }

  function close(): void {
    off.abort()
    // The engine may have failed to open, or may already be closed.
    opening?.then((engine) => engine.close()).catch(() => {})
  }

  async function run<T>(work: EngineWork<T>, onFailure: (error: unknown) => void): Promise<T | undefined> {
    if (signal.aborted) return undefined
    try {
      opening ??= open(signal, (error) => giveUp(reasonOf(error)))
      const engine = await untilGivenUp(opening)
      const result = await untilGivenUp(work(engine, call))
      patience.answered()
      return result
    } catch (error) {
      if (signal.aborted) return undefined
      problem = problemOfError(error)
      onFailure(error)
      return undefined
    }
  }

  return {
    /** Aborted when we stop using the engine. */
    signal,
    /** Returns why the last failed call failed, or undefined if none has failed. */
    problem: () => problem,
    /** Returns whether writing is still possible. */
    isWritable: () => !signal.aborted && failures.writes < failureLimit,
    /** Runs a call that the build waits for. Returns undefined if it fails. */
    ask: <T>(work: EngineWork<T>) =>
      patience.during(() =>
        run(work, (error) => {
          const message = `The remote cache at ${label} failed: ${reasonOf(error)}. Continuing without it.`
          warnOnce(message)
          if (++failures.calls >= failureLimit) giveUp(reasonOf(error))
        }),
      ),
    /** Runs a write in the background. Returns undefined if it fails. */
    tell: <T>(work: EngineWork<T>) =>
      run(work, (error) => {
        failures.writes++
        warnOnce(`The remote cache at ${label} cannot be written: ${reasonOf(error)}.`)
      }),
    /** Counts a wait for background work as a wait of the build. */
    during: patience.during,
    /** Raises the limit, for commands that work only with the cache. */
    waitLonger: () => void (limit = commandWaitLimit),
    untilGivenUp,
    giveUp,
    /** Reports an entry with unexpected content. */
    invalid: () =>
      warnOnce(
        `The remote cache at ${label} has entries that are damaged or not signed with this key. They are ignored.`,
      ),
    close,
  }
}

/**
 * Returns a function that awaits a result, or rejects on abort. A single listener serves all results, because a signal
 * compares each new listener with all existing ones.
 */
function rejectOnAbort(signal: AbortSignal) {
  const waiting = new Set<() => void>()
  signal.addEventListener('abort', () => waiting.forEach((abort) => abort()), { once: true })
  return <T>(work: Promise<T>) =>
    new Promise<T>((resolve, reject) => {
      const abort = () => reject(new Error('aborted'))
      if (signal.aborted) abort()
      waiting.add(abort)
      work.finally(() => waiting.delete(abort)).then(resolve, reject)
    })
}
