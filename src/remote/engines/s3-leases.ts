import type { EngineCall, EngineLeases } from '../engine.js'

export interface LeaseObjects {
  read(name: string, call: EngineCall): Promise<{ etag: string } | undefined>
  /**
   * Writes an object if none exists, or if it still has the given ETag.
   * @returns the new ETag; undefined if the condition is not met; false if the store refuses conditions
   */
  write(name: string, text: string, etag: string | undefined, call: EngineCall): Promise<string | undefined | false>
  remove(name: string, call: EngineCall): Promise<void>
  /** Returns the ETags of all leases. */
  list(call: EngineCall): Promise<ReadonlyMap<string, string>>
}

interface Seen {
  etag: string
  /** Milliseconds of this process's clock. */
  since: number
}

/** A lease may end between two requests, but hardly as often before this process has seen one. */
const mostImpossible = 3

/**
 * Leases for a store of objects that cannot expire. Clocks of machines may differ, so times of different machines are
 * not compared: a lease has expired when a process has seen it unchanged for its duration.
 *
 * It is read before it is written, so that a server that ignores conditions still rarely grants a lease twice.
 */
export function s3Leases(objects: LeaseObjects, now: () => number = () => performance.now()): EngineLeases {
  /** Leases of all runners. Any of them shows that the store obeys conditions. */
  const seen = new Map<string, Seen>()
  const own = new Map<string, string>()
  let count = 0
  let isRefused = false
  /** Leases that could not be created, although no lease exists. */
  let impossible = 0

  async function write(name: string, holder: string, etag: string | undefined, call: EngineCall) {
    // The text changes each time, and so does the ETag.
    const written = await objects.write(name, `${holder} ${count++}`, etag, call)
    if (written === false) {
      isRefused = true
      return undefined
    }
    if (written === undefined) return false
    own.set(name, written)
    seen.set(name, { etag: written, since: now() })
    return true
  }

  function isCurrent(name: string, etag: string, milliseconds: number): boolean {
    const before = seen.get(name)
    if (before?.etag === etag) return now() - before.since < milliseconds
    seen.set(name, { etag, since: now() })
    return true
  }

  return {
    async held(names, milliseconds, call) {
      // One request for all.
      const etags = await objects.list(call)
      return new Set(
        names.filter((name) => {
          const etag = etags.get(name)
          return etag !== undefined && isCurrent(name, etag, milliseconds)
        }),
      )
    },
    async take(name, holder, milliseconds, call) {
      if (isRefused) return undefined
      const found = await objects.read(name, call)
      if (found && isCurrent(name, found.etag, milliseconds)) return false
      const written = await write(name, holder, found?.etag, call)
      if (written === false && seen.size === 0 && !(await objects.read(name, call)))
        isRefused = ++impossible >= mostImpossible
      return isRefused ? undefined : written
    },
    async renew(name, holder, _milliseconds, call) {
      const etag = own.get(name)
      return etag !== undefined && (await write(name, holder, etag, call)) === true
    },
    async release(name, _holder, call) {
      if (own.delete(name)) await objects.remove(name, call)
    },
  }
}
