import type { EngineCall, EngineLeases } from '../engine.js'
import { leaseName } from '../names.js'

interface LeaseObject {
  etag: string
  /** Empty if the object doesn't name its holder. */
  holder: string
}

export interface LeaseObjects {
  read(name: string, call: EngineCall): Promise<LeaseObject | undefined>
  /**
   * Writes an object that names its holder if a condition is met. Each write results in a different ETag.
   * @returns the new ETag; undefined if the condition isn't met; false if the store refuses conditions
   */
  write(
    name: string,
    holder: string,
    condition: { IfNoneMatch?: '*'; IfMatch?: string },
    call: EngineCall,
  ): Promise<string | undefined | false>
  remove(name: string, call: EngineCall): Promise<void>
  /** Returns the ETags of all leases. */
  list(call: EngineCall): Promise<ReadonlyMap<string, string>>
}

interface Seen extends LeaseObject {
  /** The ETag of the holder's heartbeat. */
  life: string
  /** In milliseconds, by this process's clock. */
  since: number
}

/**
 * The number of times that creating a lease may fail although no lease exists, before we assume that the store refuses
 * conditional writes. Each time, a lease may have ended between two requests, but that is unlikely to happen this often
 * before this process has seen any lease.
 */
const mostImpossible = 3

/**
 * Creates leases in a store whose objects can't expire. Clocks of machines may differ, so we don't compare times of
 * different machines: a lease has expired when a process has seen no change to the lease or to its holder's heartbeat
 * for the lease's duration. A runner writes one heartbeat for all its leases. Otherwise, renewing hundreds of leases
 * would keep a slow or distant store busy.
 *
 * We read a lease before writing it, so that even a server that ignores conditions rarely grants a lease twice.
 */
export function s3Leases(objects: LeaseObjects, now: () => number = () => performance.now()): EngineLeases {
  /** Leases of all runners. Any lease proves that the store respects conditions. */
  const seen = new Map<string, Seen>()
  /** Our own leases, and the earliest time when others could see each one. */
  const own = new Map<string, { etag: string; since: number }>()
  let isRefused = false
  /** How many times a lease couldn't be created although no lease exists. */
  let impossible = 0
  let livedAt: number | undefined
  let living: Promise<void> | undefined

  async function write(name: string, holder: string, etag: string | undefined, call: EngineCall) {
    const since = now()
    const written = await objects.write(name, holder, etag ? { IfMatch: etag } : { IfNoneMatch: '*' }, call)
    isRefused ||= written === false
    if (typeof written !== 'string') return written === false ? undefined : false
    own.set(name, { etag: written, since })
    seen.set(name, { etag: written, holder, life: '', since })
    return true
  }

  function isCurrent(name: string, { etag, holder }: LeaseObject, life: string, milliseconds: number): boolean {
    const before = seen.get(name)
    if (before?.etag === etag && before.life === life) return now() - before.since < milliseconds
    seen.set(name, { etag, holder, life, since: now() })
    return true
  }

  async function showLife(holder: string, milliseconds: number, call: EngineCall): Promise<void> {
    const start = now()
    if (livedAt !== undefined && start - livedAt < milliseconds / 8) return
    const late = [...own].filter(([, { since }]) => start - since >= milliseconds)
    await objects.write(leaseName(holder), holder, {}, call)
    livedAt = start
    for (const lease of own.values()) lease.since = Math.max(lease.since, start)
    const check = async ([name, { etag }]: (typeof late)[number]) => {
      if ((await objects.read(name, call))?.etag !== etag) own.delete(name)
    }
    await Promise.all(late.map(check))
  }

  return {
    async held(names, milliseconds, call) {
      // Sends one request for all leases, and one for each known lease of another holder.
      const etags = await objects.list(call)
      const isHeld = async (name: string): Promise<boolean> => {
        const [etag, before] = [etags.get(name), seen.get(name)]
        if (etag === undefined) return false
        if (before?.etag !== etag) return isCurrent(name, { etag, holder: '' }, '', milliseconds)
        before.holder ||= (await objects.read(name, call))?.holder ?? ''
        return isCurrent(name, before, etags.get(leaseName(before.holder)) ?? '', milliseconds)
      }
      const held = await Promise.all(names.map(isHeld))
      return new Set(names.filter((_name, at) => held[at]))
    },
    async take(name, holder, milliseconds, call) {
      if (isRefused) return undefined
      const found = await objects.read(name, call)
      const isOld = found !== undefined && seen.get(name)?.etag === found.etag
      const life = isOld ? await objects.read(leaseName(found.holder), call) : undefined
      if (found && isCurrent(name, found, life?.etag ?? '', milliseconds)) return false
      const written = await write(name, holder, found?.etag, call)
      if (written === false && seen.size === 0 && !(await objects.read(name, call)))
        isRefused = ++impossible >= mostImpossible
      return isRefused ? undefined : written
    },
    async renew(name, holder, milliseconds, call) {
      await (living ??= showLife(holder, milliseconds, call).finally(() => (living = undefined)))
      return own.has(name)
    },
    async release(name, holder, call) {
      if (!own.delete(name)) return
      await objects.remove(name, call)
      if (own.size > 0 || livedAt === undefined) return
      livedAt = undefined
      await objects.remove(leaseName(holder), call)
    },
  }
}
