import { randomUUID } from 'node:crypto'
import type { Budget } from './budget.js'
import type { Clock } from '../async/clock.js'
import type { Connection } from './connection.js'
import type { EngineCall, RemoteEngine } from './engine.js'
import { leaseName } from './names.js'
import { openWatch } from './watch.js'

/**
 * The right to make an entry, as a function that releases it. Other runners wait until it is released or, if its holder
 * has ended, until it expires.
 */
export type Lease = () => Promise<unknown>

/** Milliseconds until a lease expires if its holder doesn't renew it. */
const duration = 4000
const renewEvery = 1000

/** Milliseconds after the arrival of an entry during which other runners count as working. */
const recent = 2000

/** Milliseconds to watch a lease before this runner tries to take it over. */
const longestLease = 30_000

/**
 * Decides which runner makes an entry.
 * @param budget limits the time to wait for other runners. After that, this runner makes the entry itself.
 */
export function openLeases(connection: Connection, clock: Clock, budget: Budget) {
  const holder = randomUUID()
  let kept = 0
  let arrivedAt = Number.NEGATIVE_INFINITY
  const watch = openWatch({ connection, clock, duration })

  // A failure to renew doesn't fail the write, because others wait at most until the lease expires.
  const renew = (name: string) => async (engine: RemoteEngine, call: EngineCall) =>
    engine.leases?.renew(name, holder, duration, call).catch(() => undefined)

  /** Returns undefined if the engine doesn't support leases or doesn't respond. */
  async function take(name: string): Promise<boolean | undefined> {
    const start = clock.now()
    // Count a failure as a failed write, because a full or read-only engine can still be read.
    const taken = await connection.during(() =>
      connection.tell(async ({ leases }, call) => leases?.take(name, holder, duration, call)),
    )
    // The response may have waited in the socket of a busy process while the lease expired.
    const isOld = taken === true && clock.now() - start > renewEvery
    return isOld ? connection.ask(renew(name)) : taken
  }

  function keep(name: string): Lease {
    kept++
    let renewal: Promise<unknown> | undefined
    const stop = clock.every(renewEvery, () => {
      if (connection.signal.aborted) stop()
      else renewal ??= connection.tell(renew(name)).finally(() => (renewal = undefined))
    })
    return () => {
      stop()
      kept--
      return connection.tell(async ({ leases }, call) => leases?.release(name, holder, call).catch(() => undefined))
    }
  }

  /**
   * Waits until this runner may make an entry.
   * @param look checks whether another runner has made the entry. A result ends the wait.
   * @returns the result of `look`; or a lease, or undefined if the engine doesn't grant one
   */
  return async <T>(
    entry: string,
    look: () => Promise<T | undefined>,
  ): Promise<{ found: T } | { lease: Lease | undefined }> => {
    const name = leaseName(entry)
    // Don't count time while this runner works or other runners complete entries.
    const end = budget.begin(() => kept > 0 || clock.now() - arrivedAt < recent)
    try {
      while (!budget.isSpent()) {
        const taken = await take(name)
        if (taken === undefined) break
        const lease = taken ? keep(name) : undefined
        if (!lease) await Promise.race([watch.untilFree(name, longestLease), budget.spent])
        // Check even with a new lease, because the previous holder may have just written the entry.
        const found = await look()
        if (found !== undefined) {
          arrivedAt = clock.now()
          await lease?.()
          return { found }
        }
        if (lease) return { lease }
      }
      return { lease: undefined }
    } finally {
      end()
    }
  }
}
