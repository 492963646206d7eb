import PQueue from 'p-queue'
import type { Content } from '../disk/content.js'
import { countText } from '../text/quantities.js'
import type { RemoteAddress } from './address.js'
import { openBudget } from './budget.js'
import { systemClock, type Clock } from './clock.js'
import { openConnection, type Connection } from './connection.js'
import { openEntries, type Entries } from './entries.js'
import { openLeases, type Lease } from './leases.js'
import { listKinds } from './list-kinds.js'
import { checkEnginePackage, openEngine } from './open-engine.js'
import type { Receive, Remote, RemoteEntry } from './remote.js'
import { sharedRate } from './shared-rate.js'
import type { Signer } from './signature.js'

export interface RemoteOptions {
  address: RemoteAddress
  /** Option `remoteWrite`. */
  write: boolean
  /** Options `remoteKey` and `remotePublicKey`. */
  signer: Signer | undefined
  warn: (message: string) => void
  clock?: Clock
}

/** Entries that are written at the same time. Each large one is a stream, so this bounds the memory. */
const writesAtOnce = 8

/** Milliseconds. */
const maxFlush = 30_000

/** Milliseconds that a run waits for other runners, in total. */
const maxWait = 30_000

/**
 * Opens a remote cache. It connects on first use.
 * @throws ContentSpaceError `invalidOption` if the package for the address is not installed
 */
export function openRemote(options: RemoteOptions): Remote {
  const { address, write, signer, warn, clock = systemClock } = options
  checkEnginePackage(address)
  const connection = openConnection({
    label: address.label,
    open: (signal, onFailure) => openEngine(address, signal, onFailure),
    warn,
    clock,
  })
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
  const leases = openLeases(connection, clock, budget)
  const queue = new PQueue({ concurrency: writesAtOnce })
  const held = new Map<string, Lease>()
  const provided = new Set<string>()
  const saved = new Set<string>()
  /** Entries that were looked for and not found. What the engine has in their place is not valid. */
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

  function release(id: string): void {
    const lease = held.get(id)
    held.delete(id)
    if (lease) void queue.add(() => lease.release())
  }

  return {
    ...(write ? { rate: sharedRate(connection, budget) } : {}),
    find,
    reject: (entry) => void missed.add(idOf(entry)),
    provided: (integrity) => provided.has(integrity),
    async load(entry, receive, make) {
      // The caller may have looked before it took the lock of its machine.
      const found = missed.has(idOf(entry)) ? undefined : await find(entry, receive)
      if (found) return found
      if (!write || !entries.isKnown(entry) || !connection.isWritable()) return make()
      const id = idOf(entry)
      const turn = await leases.wait(id, () => find(entry, receive))
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
      const isNew = write && !saved.has(id) && !provided.has(integrity)
      if (!isNew || !connection.isWritable()) return release(id)
      saved.add(id)
      unwritten.add(id)
      void queue
        .add(() => writeEntry({ connection, entries, entry, open, replace: isForCommand || missed.has(id) }))
        .then(() => {
          unwritten.delete(id)
          release(id)
        })
    },
    async push(entry, content) {
      const replace = missed.has(idOf(entry))
      const isNew = await connection.during(() =>
        connection.tell((engine, call) => entries.write(entry, content, replace, { engine, call })),
      )
      return isNew === undefined ? undefined : isNew ? 'written' : 'present'
    },
    has: (entry) => connection.ask((engine, call) => entries.has(entry, { engine, call })),
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

/** Identifies an entry in this run, and names its lease. */
function idOf({ kind, key }: RemoteEntry): string {
  return `${kind}\n${key}`
}

interface EntryWrite {
  connection: Connection
  entries: Entries
  entry: RemoteEntry
  open: () => Promise<Content | undefined>
  replace: boolean
}

async function writeEntry({ connection, entries, entry, open, replace }: EntryWrite): Promise<void> {
  if (!connection.isWritable()) return
  const content = await open().catch(() => undefined)
  // An engine may not tell an empty entry from a missing one.
  if (content === undefined || content.size === 0) return
  await connection.tell((engine, call) => entries.write(entry, content, replace, { engine, call }))
}

/** Gives the engine up when it takes too long, so that no later call waits for the same writes. */
async function flush(
  queue: PQueue,
  unwritten: ReadonlySet<string>,
  connection: Connection,
  clock: Clock,
): Promise<void> {
  if (queue.size + queue.pending === 0 || connection.signal.aborted) return
  const done = new AbortController()
  const limit = clock.sleep(maxFlush, AbortSignal.any([done.signal, connection.signal])).then(() => true)
  const isTooLong = await connection.during(() => Promise.race([queue.onIdle(), limit]))
  done.abort()
  const entries = countText(unwritten.size, 'entry', 'entries')
  if (isTooLong === true) connection.giveUp(`${entries} could not be written within ${maxFlush / 1000} s`)
}
