import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { timeSignal } from './protocol.js'

/**
 * Milliseconds of its own processor time that a child may use for a step, so that a busy machine changes nothing: for
 * `decoding` a picture, and for `checking` and `rewriting` an SVG, which depend on the input, and for `encoding`, which
 * depends on the requested size.
 */
const limits = { decoding: 8_000, checking: 3_000, rewriting: 6_000, encoding: 120_000 } as const

export type Phase = keyof typeof limits

let end = Infinity

/** Ends this process when a phase has used up its time. @param phase undefined: lifts the limit */
export function limitTime(phase: Phase | undefined): void {
  end = phase === undefined ? Infinity : usedTime() + limits[phase]
}

/** Milliseconds of processor time of all threads. */
function usedTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

// Also runs in a thread next to a conversion that blocks its process. The process would notice only afterwards that its
// parent was killed. On Windows, `ppid` stays the same: the conversion runs to its end.
const parent: unknown = workerData
const timer = setInterval(() => {
  if (usedTime() > end) process.kill(process.pid, timeSignal)
  if (!isMainThread && process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 250)
if (isMainThread) timer.unref()
parentPort?.on('message', limitTime)
