import type { Content } from '../disk/content.js'
import type { SharedRate } from '../space/http/rate-share.js'
import type { Problem } from './engine.js'

/** Something that runners share, identified by its inputs. */
export type RemoteEntry = RemoteFile | SignedEntry

/** An original or a cut. */
export interface RemoteFile {
  kind: 'file'
  /** Identifies the file and its revision. */
  key: string
  /** The file's `sha256-…` in the lockfile. */
  locked: string | undefined
  /** In bytes, as the service lists it. */
  size: number | undefined
}

/** A conversion. It is signed, because it isn't locked. */
export interface SignedEntry {
  kind: 'made'
  /** Contains everything that the entry is made from, so equal keys mean equal content. */
  key: string
}

/** Reads a complete body into memory or a file. */
export type Receive = (
  body: AsyncIterable<Uint8Array>,
  options: { limit?: number | undefined },
) => Promise<{ content: Content }>

export interface RemoteKind {
  kind: 'file' | 'conversion'
  entries: number
  size: number
}

/** A shared cache behind the local one. It never fails a run, because this runner can make all entries itself. */
export interface Remote {
  /**
   * Returns an entry of the cache, or otherwise the result of `make`. Doesn't look again for entries that `find` didn't
   * find. With option `remoteWrite`, one runner makes an entry while others wait for it.
   */
  load<T>(this: void, entry: RemoteEntry, receive: Receive, make: () => Promise<T>): Promise<Content | T>
  /** Returns an entry of the cache, without making it. */
  find(this: void, entry: RemoteEntry, receive: Receive): Promise<Content | undefined>
  /**
   * Writes an entry in the background, if option `remoteWrite` is set and the entry didn't come from the cache.
   * @param open returns the content at the time of writing
   */
  save(this: void, entry: RemoteEntry, integrity: string, open: () => Promise<Content | undefined>): void
  /** Gives up the lease for an entry, so that another runner makes it. */
  drop(this: void, entry: RemoteEntry): void
  /** Returns whether content with this hash came from the cache in this run. */
  provided(this: void, integrity: string): boolean
  /**
   * Waits longer for the engine, and saves entries again even if the engine has them. Commands that work only with the
   * cache call this method first.
   */
  forCommand(this: void): void
  /**
   * Writes an entry immediately and waits until it is written. Replaces an entry that `find` rejected.
   * @returns whether it was written or already existed; undefined on failure
   */
  push(this: void, entry: RemoteEntry, content: Content): Promise<'written' | 'present' | undefined>
  /** Returns whether an entry exists, or undefined if the cache is unreachable. */
  has(this: void, entry: RemoteEntry): Promise<boolean | undefined>
  /** Lists all entries. Returns undefined if the engine can't list them or doesn't respond. */
  list(this: void): Promise<RemoteKind[] | undefined>
  /** Returns why the cache was last unreachable. */
  problem(this: void): Problem | undefined
  /** Counts the downloads of all machines together. Absent if this machine isn't allowed to write. */
  rate?: SharedRate
  /** Waits for writes for as long as they make progress, but at most 30 s. */
  flush(this: void): Promise<void>
  close(this: void): Promise<void>
}

/** Used offline, or without option `remote`. */
export const noRemote: Remote = {
  load: (_entry, _receive, make) => make(),
  find: async () => undefined,
  save: () => {},
  forCommand: () => {},
  push: async () => undefined,
  has: async () => undefined,
  list: async () => undefined,
  problem: () => undefined,
  drop: () => {},
  provided: () => false,
  flush: async () => {},
  close: async () => {},
}
