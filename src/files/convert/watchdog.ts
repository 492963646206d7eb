import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { timeSignal } from './protocol.js'

/**
 * The processor time in milliseconds that a child may use for each phase. Other processes on a busy machine don't
 * count. `decoding` (pictures), `checking` and `rewriting` (both SVG) depend on the input, `encoding` on the requested
 * size.
 */
const limits = { decoding: 8_000, checking: 3_000, rewriting: 6_000, encoding: 120_000 } as const

export type Phase = keyof typeof limits

let end = Infinity

/**
 * Kills this process when a phase has used up its time.
 * @param phase undefined lifts the limit
 */
export function limitTime(phase: Phase | undefined): void {
  end = phase === undefined ? Infinity : usedTime() + limits[phase]
}

/** Returns the processor time of all threads in milliseconds. */
function usedTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

// While a conversion blocks the main thread, that thread can't notice that the parent was killed. This module therefore
// also runs in a second thread. On Windows, `ppid` never changes, so the conversion runs to its end.
const parent: unknown = workerData
const timer = setInterval(() => {
  if (usedTime() > end) process.kill(process.pid, timeSignal)
  if (!isMainThread && process.ppid !== parent) process.kill(process.pid, 'SIGKILL')
}, 250)
if (isMainThread) timer.unref()
parentPort?.on('message', limitTime)
