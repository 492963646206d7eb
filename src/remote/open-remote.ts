import { resolvePeer } from '../disk/peer.js'
import { kindOfEntry, kinds, root, rateName } from './names.js'
import type { EngineCall, RemoteEngine } from './engine.js'
import PQueue from 'p-queue'
import type { Content } from '../disk/content.js'
import { countText } from '../text/quantities.js'
import type { RemoteAddress } from './address.js'
import { openBudget, type Budget } from './budget.js'
import { systemClock, type Clock } from '../async/clock.js'
import { openConnection, type Connection } from './connection.js'
import { openEntries } from './entries.js'
import { openLeases, type Lease } from './leases.js'
import type { Receive, Remote, RemoteEntry, RemoteKind } from './remote.js'
import type { Signer } from './signature.js'
import type { SharedRate } from '../space/http/rate-share.js'

export interface RemoteOptions {
  address: RemoteAddress
  write: boolean
  signer: Signer | undefined
  warn: (message: string) => void
  clock?: Clock
}

/** The number of concurrent writes. Large entries are streams, so this limits memory use. */
const writesAtOnce = 8

/** Milliseconds. */
const maxFlush = 30_000

/** The total time in milliseconds that a run waits for other runners. */
const maxWait = 30_000

/**
 * Opens a remote cache. It connects on first use.
 * @throws ContentSpaceError `invalidOption` if the package for the address isn't installed
 */
export function openRemote(options: RemoteOptions): Remote {
  const { address, write, signer, warn, clock = systemClock } = options
  if (address.peer !== undefined) resolvePeer(address.peer, `The remote cache at ${address.label}`)
  const connection = openConnection({ ...address, warn, clock })
  const entries = openEntries(connection, signer)
  const budget = openBudget({
    clock,
    limit: maxWait,
    signal: connection.signal,
    onSpent: () =>
      warn(
        `Waited ${maxWait / 1000} s for other runners that use the remote cache at ${address.label}. Continuing alone.`,
      ),
  })
  const waitForTurn = openLeases(connection, clock, budget)
  const queue = new PQueue({ concurrency: writesAtOnce })
  const held = new Map<string, Lease>()
  const provided = new Set<string>()
  const saved = new Set<string>()
  /** Entries that the engine didn't have, or had in an invalid form. */
  const missed = new Set<string>()
  let isForCommand = false
  const unwritten = new Set<string>()

  async function find(entry: RemoteEntry, receive: Receive): Promise<Content | undefined> {
    if (!entries.isKnown(entry) || connection.signal.aborted) return undefined
    const content = await entries.read(entry, receive)
    if (content) provided.add(content.integrity)
    else missed.add(idOf(entry))
    return content
  }

  const writeEntry = (entry: RemoteEntry, content: Content, replace: boolean) =>
    connection.tell((engine, call) => entries.write(entry, content, replace, engine, call))

  function release(id: string): void {
    const lease = held.get(id)
    held.delete(id)
    // Release leases first, because other runners wait for them before they look for the entry.
    if (lease) void queue.add(lease, { priority: 1 })
  }

  return {
    ...(write ? { rate: sharedRate(connection, budget) } : {}),
    find,
    provided: (integrity) => provided.has(integrity),
    async load(entry, receive, make) {
      // Don't search twice: `find` may have already missed the entry.
      const found = missed.has(idOf(entry)) ? undefined : await find(entry, receive)
      if (found) return found
      if (!write || !entries.isKnown(entry) || !connection.isWritable()) return make()
      const id = idOf(entry)
      const turn = await waitForTurn(id, () => find(entry, receive))
      if ('found' in turn) return turn.found
      if (turn.lease) held.set(id, turn.lease)
      try {
        return await make()
      } catch (error) {
        release(id)
        throw error
      }
    },
    save(entry, integrity, open) {
      const id = idOf(entry)
      // Several files may be made from one source. The first one to save the source releases the lease after its write.
      if (unwritten.has(id)) return
      const isNew = write && !saved.has(id) && !provided.has(integrity)
      if (!isNew || !connection.isWritable()) return release(id)
      saved.add(id)
      unwritten.add(id)
      void queue.add(async () => {
        const content = connection.isWritable() ? await open().catch(() => undefined) : undefined
        // An engine may not distinguish an empty entry from a missing one.
        if (content && content.size > 0) await writeEntry(entry, content, isForCommand || missed.has(id))
        unwritten.delete(id)
        release(id)
      })
    },
    async push(entry, content) {
      const isNew = await connection.during(() => writeEntry(entry, content, missed.has(idOf(entry))))
      return isNew === undefined ? undefined : isNew ? 'written' : 'present'
    },
    has: (entry) => connection.ask((engine, call) => entries.has(entry, engine, call)),
    list: () => connection.ask(listKinds),
    forCommand() {
      isForCommand = true
      connection.waitLonger()
    },
    problem: connection.problem,
    drop: (entry) => release(idOf(entry)),
    flush: () => flush(queue, unwritten, connection, clock),
    async close() {
      await flush(queue, unwritten, connection, clock)
      connection.close()
    },
  }
}

function idOf({ kind, key }: RemoteEntry): string {
  return `${kind}\n${key}`
}

/**
 * Waits for writes. If they take too long, stops using the engine, so that later calls don't wait for the same writes.
 */
async function flush(queue: PQueue, unwritten: ReadonlySet<string>, connection: Connection, clock: Clock) {
  if (queue.size + queue.pending === 0 || connection.signal.aborted) return
  const done = new AbortController()
  const limit = clock.sleep(maxFlush, AbortSignal.any([done.signal, connection.signal])).then(() => true)
  const isTooLong = await connection.during(() => Promise.race([queue.onIdle(), limit]))
  done.abort()
  // If no entries remain, only the release of leases is pending.
  const what =
    unwritten.size === 0 ? 'no answer' : `${countText(unwritten.size, 'entry', 'entries')} could not be written`
  if (isTooLong === true) connection.giveUp(`${what} within ${maxFlush / 1000} s`)
}

/** Counts the entries of an engine by kind. Returns undefined if the engine can't list them. */
async function listKinds(engine: RemoteEngine, call: EngineCall): Promise<RemoteKind[] | undefined> {
  if (!engine.list) return undefined
  const totals = Array.from(kinds.values(), (kind): RemoteKind => ({ kind, entries: 0, size: 0 }))
  for await (const { name, size = 0 } of engine.list(root, call)) {
    const kind = kindOfEntry(name)
    const total = totals.find((one) => one.kind === kind)
    call.progress(progressOfEntry)
    if (!total) continue
    total.entries++
    total.size += size
  }
  return totals
}

/** The number of bytes that a listed entry counts as, so that a long listing counts as progress. */
const progressOfEntry = 1024

/**
 * In milliseconds. Longer pauses are shared only for this time, because the runner that received one fails instead of
 * waiting.
 */
const longestPause = 15 * 60_000

/**
 * Counts downloads in the engine. If the engine doesn't respond, each machine counts its own downloads.
 * @param budget limits the time to wait while others hold all permits or a pause is in effect, because values in the
 *   engine may be wrong
 */
function sharedRate(connection: Connection, budget: Budget): SharedRate {
  let refused = false
  let end: (() => void) | undefined
  return {
    async take(service, wanted, rate) {
      const grant =
        refused || budget.isSpent() || !connection.isWritable()
          ? undefined
          : await connection.ask(async (engine, call) =>
              // An engine that refuses scripts can still serve as a cache.
              engine.rate?.take(rateName(service), wanted, rate, call).catch(() => void (refused = true)),
            )
      if (grant?.granted === 0) end ??= budget.begin()
      else {
        end?.()
        end = undefined
      }
      return grant
    },
    giveBack(service, count) {
      void connection.tell(async (engine, call) =>
        engine.rate?.giveBack(rateName(service), count, call).catch(() => undefined),
      )
    },
    pause(service, milliseconds) {
      const length = Math.min(Math.ceil(milliseconds), longestPause)
      if (length <= 0) return
      void connection.tell(async (engine, call) =>
        engine.rate?.pause(rateName(service), length, call).catch(() => undefined),
      )
    },
  }
}
