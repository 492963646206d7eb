import type { Clock } from '../async/clock.js'
import type { Connection } from './connection.js'

interface WatchOptions {
  connection: Pick<Connection, 'ask' | 'signal'>
  clock: Pick<Clock, 'now' | 'sleep'>
  /** Milliseconds until a lease expires if its holder doesn't renew it. */
  duration: number
}

/** Milliseconds between checks. The pause doubles, up to the second number, while no lease becomes free. */
const [firstPause, lastPause] = [50, 800]

/** After a slow check, waits this many times as long as the check took, because the engine is busy. */
const rest = 4

/** The longest pause in milliseconds. */
const longestPause = 4000

interface Waiting {
  /** The deadline of the wait. */
  end: number
  free: () => void
}

/** Watches the leases of other runners. Each check covers all of them at once. */
export function openWatch({ connection, clock, duration }: WatchOptions) {
  const waiting = new Map<string, Waiting[]>()
  let watching = false

  /** Frees all names without a holder. Returns how many names are free. */
  async function look(): Promise<number> {
    const names = [...waiting.keys()]
    const held = await connection.ask(async ({ leases }, call) => leases?.held(names, duration, call))
    const now = clock.now()
    const free = names.filter((name) => {
      const list = waiting.get(name) ?? []
      const left = held?.has(name) === true ? list.filter(({ end }) => now < end) : []
      if (left.length > 0) waiting.set(name, left)
      else waiting.delete(name)
      for (const one of list) if (!left.includes(one)) one.free()
      return left.length === 0
    })
    return free.length
  }

  async function run(): Promise<void> {
    watching = true
    let pause = firstPause
    while (waiting.size > 0) {
      // Add jitter, so that runners that started together don't send their checks together.
      await clock.sleep(pause * (0.5 + Math.random() / 2), connection.signal)
      const start = clock.now()
      const isFree = (await look()) > 0
      const next = isFree ? Math.max(firstPause, pause / 2) : Math.min(2 * pause, lastPause)
      pause = Math.min(Math.max(next, rest * (clock.now() - start)), longestPause)
    }
    watching = false
  }

  return {
    /** Resolves when no other runner has the lease, when the engine doesn't respond, or after `limit` milliseconds. */
    untilFree: (name: string, limit: number): Promise<void> =>
      new Promise((free) => {
        waiting.set(name, [...(waiting.get(name) ?? []), { end: clock.now() + limit, free }])
        if (!watching) void run()
      }),
  }
}
