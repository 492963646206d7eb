import { randomUUID } from 'node:crypto'
import type { Clock } from './clock.js'
import type { Connection } from './connection.js'
import { leaseName } from './names.js'

/** The right to make an entry. Others wait until it is released, or expires because its holder has ended. */
export interface Lease {
  release(this: void): Promise<void>
}

/** Decides which runner makes an entry. */
export interface Leases {
  /**
   * Waits until this runner may make an entry.
   * @param look looks whether another runner has made it by now. Its result ends the wait.
   * @returns the result of `look`; or a lease, or undefined if there is none to be had
   */
  wait<T>(this: void, entry: string, look: () => Promise<T | undefined>): Promise<{ found: T } | { lease?: Lease }>
}

/** Milliseconds until a lease expires whose holder does not renew it. */
const duration = 2000
const renewEvery = 500

/** Milliseconds between looks at an entry that another runner makes. They double up to the second number. */
const [firstPause, lastPause] = [50, 800]

/** Milliseconds to wait for other runners. After that, the work is done twice. */
const patience = 300_000

export function openLeases(connection: Connection, clock: Clock): Leases {
  const holder = randomUUID()

  /** Both return undefined if the engine has no leases, or does not answer. */
  const take = (name: string): Promise<boolean | undefined> =>
    connection.ask(async ({ leases }, call) => leases?.take(name, holder, duration, call))
  const isHeld = (name: string): Promise<boolean | undefined> =>
    connection.ask(async ({ leases }, call) => leases?.isHeld(name, duration, call))

  function keep(name: string): Lease {
    const stop = clock.every(renewEvery, () => {
      if (connection.signal.aborted) stop()
      else void connection.tell(async ({ leases }, call) => leases?.renew(name, holder, duration, call))
    })
    return {
      async release() {
        stop()
        await connection.tell(async ({ leases }, call) => leases?.release(name, holder, call))
      },
    }
  }

  async function untilFree(name: string, start: number): Promise<void> {
    for (let pause = firstPause; clock.now() - start < patience; pause = Math.min(2 * pause, lastPause)) {
      // Runners that started together do not ask together.
      await clock.sleep(pause * (0.5 + Math.random() / 2), connection.signal)
      if (!(await isHeld(name))) return
    }
  }

  return {
    async wait(entry, look) {
      const name = leaseName(entry)
      const start = clock.now()
      while (clock.now() - start < patience) {
        const taken = await take(name)
        if (taken === undefined) return {}
        const lease = taken ? keep(name) : undefined
        if (!lease) await untilFree(name, start)
        // Also under a new lease: the last holder may have written the entry just before.
        const found = await look()
        if (found !== undefined) {
          await lease?.release()
          return { found }
        }
        if (lease) return { lease }
      }
      return {}
    },
  }
}
