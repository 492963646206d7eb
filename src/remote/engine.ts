import type { Content } from '../disk/content.js'
import type { Grant, Rate } from '../space/http/rate-share.js'

/**
 * The operations of a remote cache. Names consist of lower-case letters, digits, `-`, `.` and `/`. Every method rejects
 * if the engine is unreachable or refuses the call; the messages of these errors are never printed, because they may
 * contain addresses.
 */
export interface RemoteEngine {
  get(name: string, call: EngineCall): Promise<AsyncIterable<Uint8Array> | undefined>
  has(name: string, call: EngineCall): Promise<boolean>
  /** Writes an entry atomically, so that readers never see part of it. */
  put(name: string, entry: EntryBody, call: EngineCall): Promise<void>
  /** Absent if the engine can't create an entry atomically. */
  readonly leases?: EngineLeases
  readonly rate?: EngineRate
  /** Lists the entries whose names begin with a prefix. Absent if the engine can't list entries. */
  list?(prefix: string, call: EngineCall): AsyncIterable<ListedEntry>
  /** Closes connections immediately. Pending calls may reject or never settle. */
  close(): void
}

export interface EngineCall {
  signal: AbortSignal
  /** Reports received or sent bytes. */
  progress: (bytes: number) => void
  /** Reports a response to one of several requests of a call. */
  answered: () => void
}

/** The parts of an entry: a signed header, which may be empty, and the content. */
export interface EntryBody {
  header: Uint8Array
  content: Content
}

interface ListedEntry {
  name: string
  /** In bytes. Undefined if the engine doesn't report the size. */
  size: number | undefined
}

/** The maximum number of requests to list all entries. A longer list counts as endless. */
export const maxListPages = 10_000

/** Counts downloads of all runners within a time window. */
export interface EngineRate {
  /**
   * Counts up to `wanted` further downloads, within the limit of `requests` per `window` milliseconds, unless a pause
   * is in effect.
   * @returns how many it counted, and the milliseconds until more are allowed
   */
  take(name: string, wanted: number, rate: Rate, call: EngineCall): Promise<Grant>
  /** Removes up to `count` entries that this process has counted, newest first. */
  giveBack(name: string, count: number, call: EngineCall): Promise<void>
  pause(name: string, milliseconds: number, call: EngineCall): Promise<void>
}

/** Entries that expire and that only one runner at a time can create. */
export interface EngineLeases {
  /**
   * Creates a lease, unless another holder has an unexpired lease.
   * @param milliseconds until it expires
   * @returns whether `holder` now has the lease; undefined if the engine can't create it
   */
  take(name: string, holder: string, milliseconds: number, call: EngineCall): Promise<boolean | undefined>
  held(names: readonly string[], milliseconds: number, call: EngineCall): Promise<ReadonlySet<string>>
  /** Extends a lease of the same holder. @returns whether `holder` still has it */
  renew(name: string, holder: string, milliseconds: number, call: EngineCall): Promise<boolean>
  release(name: string, holder: string, call: EngineCall): Promise<void>
}

/**
 * Creates the error of an engine that refuses a call.
 * @param reason is printed in a warning. It must not contain text from the engine, because that may repeat credentials.
 * @param step the next step, if known
 */
export function refusal(reason: string, step?: string): Error {
  return Object.assign(new Error(reason), { reason, step })
}

export function httpRefusal(status: number | undefined): Error {
  return refusal(status === undefined ? 'its response was invalid' : `it answered with HTTP status ${status}`)
}

export interface Problem {
  /** Without credentials. */
  reason: string
  step: string | undefined
}

export function problemOfError(error: unknown): Problem {
  const step = error instanceof Error && 'step' in error ? error.step : undefined
  return { reason: reasonOf(error), step: typeof step === 'string' ? step : undefined }
}

/** Describes an error of an engine without its message, because that may contain an address or credentials. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // Node's codes, such as ECONNREFUSED, CERT_HAS_EXPIRED or UND_ERR_SOCKET. Certificate errors also have a reason, but
  // the reason contains names that the server sent.
  if (typeof code === 'string' && /^[A-Z][A-Z\d_]{2,40}$/.test(code)) return code
  const reason = error instanceof Error && 'reason' in error ? error.reason : undefined
  return typeof reason === 'string' ? reason : 'the connection failed'
}
