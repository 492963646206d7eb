import type { EngineCall, EngineLeases } from '../engine.js'

/** Small objects that are written under a condition. */
export interface LeaseObjects {
  read(name: string, call: EngineCall): Promise<{ etag: string; text: string } | undefined>
  /**
   * Writes an object if none exists, or if it still has the given ETag.
   * @returns the new ETag; undefined if the condition is not met
   */
  write(name: string, text: string, etag: string | undefined, call: EngineCall): Promise<string | undefined>
  remove(name: string, call: EngineCall): Promise<void>
}

/** A lease of another holder, as it was first seen. */
interface Seen {
  etag: string
  /** Milliseconds of this process's clock. */
  since: number
}

/**
 * Leases for a store of objects that cannot expire. Clocks of machines may differ, so nobody compares times: a lease
 * has expired when it stays unchanged for its duration while somebody watches it.
 *
 * It is read before it is written, so that a server that ignores conditions still rarely grants a lease twice.
 */
export function s3Leases(objects: LeaseObjects, now: () => number = () => performance.now()): EngineLeases {
  const seen = new Map<string, Seen>()
  const own = new Map<string, string>()
  let count = 0

  async function write(name: string, holder: string, etag: string | undefined, call: EngineCall): Promise<boolean> {
    // The text changes each time, and so does the ETag.
    const written = await objects.write(name, `${holder} ${count++}`, etag, call)
    if (written !== undefined) own.set(name, written)
    return written !== undefined
  }

  /** Returns the lease of another holder, if it has not expired; else the ETag of an expired one, if there is one. */
  async function look(name: string, milliseconds: number, call: EngineCall): Promise<{ held: boolean; etag?: string }> {
    const found = await objects.read(name, call)
    if (found === undefined) return { held: false }
    const { etag } = found
    const before = seen.get(name)
    if (before?.etag === etag) return { held: now() - before.since < milliseconds, etag }
    seen.set(name, { etag, since: now() })
    return { held: true }
  }

  return {
    isHeld: async (name, milliseconds, call) => (await look(name, milliseconds, call)).held,
    async take(name, holder, milliseconds, call) {
      const { held, etag } = await look(name, milliseconds, call)
      return !held && write(name, holder, etag, call)
    },
    async renew(name, holder, _milliseconds, call) {
      const etag = own.get(name)
      if (etag !== undefined) await write(name, holder, etag, call)
    },
    async release(name, _holder, call) {
      if (own.delete(name)) await objects.remove(name, call)
    },
  }
}
