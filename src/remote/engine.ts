import type { Content } from '../disk/content.js'

/**
 * What a remote cache can do. Names consist of lower-case letters, digits, `-`, `.` and `/`. Every method rejects when
 * the engine cannot be reached or refuses; messages of these errors are never printed, because they may contain
 * addresses.
 */
export interface RemoteEngine {
  /** Returns the bytes of an entry; undefined if there is none. */
  get(name: string, call: EngineCall): Promise<AsyncIterable<Uint8Array> | undefined>
  has(name: string, call: EngineCall): Promise<boolean>
  /** Writes an entry as a whole: no reader sees a part of it. */
  put(name: string, entry: EntryBody, call: EngineCall): Promise<void>
  /** Absent if the engine cannot create an entry atomically. */
  readonly leases?: EngineLeases
  /** Lists the entries whose names begin with a prefix. Absent if the engine cannot list. */
  list?(prefix: string, call: EngineCall): AsyncIterable<ListedEntry>
  /** Closes connections at once. Pending calls may reject or never settle. */
  close(): void
}

export interface EngineCall {
  /** Ends the call. */
  signal: AbortSignal
  /** Reports received or sent bytes. */
  progress: (bytes: number) => void
}

/** The parts of an entry: a signed header, which may be empty, and the content. */
export interface EntryBody {
  header: Uint8Array
  content: Content
}

interface ListedEntry {
  name: string
  /** Bytes. Undefined if the engine does not tell. */
  size: number | undefined
}

/** Entries that expire, which one runner at a time can create. */
export interface EngineLeases {
  /**
   * Creates a lease, unless another holder has one that has not expired.
   * @param milliseconds until it expires
   * @returns whether `holder` has the lease now
   */
  take(name: string, holder: string, milliseconds: number, call: EngineCall): Promise<boolean>
  /** Whether somebody has a lease. Cheaper than `take`. */
  isHeld(name: string, milliseconds: number, call: EngineCall): Promise<boolean>
  /** Extends a lease of the same holder. */
  renew(name: string, holder: string, milliseconds: number, call: EngineCall): Promise<void>
  /** Removes a lease of the same holder. */
  release(name: string, holder: string, call: EngineCall): Promise<void>
}
