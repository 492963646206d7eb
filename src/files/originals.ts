import { memoize } from '../async/memoize.js'
import { ContentSpaceError } from '../errors.js'
import { originalKey } from '../disk/cache-layout.js'
import type { Content, ContentInfo } from '../disk/content.js'
import { noRemote, type Remote, type RemoteFile } from '../remote/remote.js'
import { isProvisional } from '../space/revision.js'
import { spaceOf, type Call } from '../space/space.js'
import { omitUndefined } from '../text/omit-undefined.js'
import type { Pool } from './convert/pool.js'
import { checkType, describeSource, download, type DownloadContext } from './download.js'
import type { FileDescriptor } from './plan.js'
import { discard, type ReceiveBody } from './receive.js'
import type { Consume, Store, StoredContent } from './store.js'

export interface SourceInfo extends ContentInfo {
  cached: boolean
  /** Whether the remote cache provided a result that was made from the source. */
  remote?: boolean
  /** The content if it isn't in the cache. */
  content?: Content
}

export interface OriginalsContext extends Omit<DownloadContext, 'pool'> {
  /**
   * Whether the lockfile must not change. With `frozen` or `strict`, a cut that differs from the lockfile is an error.
   */
  frozen: boolean
  /**
   * Returns the hash (`sha256-…`) of an original or a cut in the lockfile. `revision` is its `file_hash`, or else its
   * date.
   */
  locked: (asset: string, cut: string | undefined, revision: string | undefined) => string | undefined
  remote?: Remote
  /** Returns the slug of the locked kit that contains an asset, for error messages. */
  kitOf?: (asset: string) => string | undefined
  /** Returns whether this run updates the asset's kit, so that the cached bytes may be stale. */
  isUpdating?: (asset: string) => boolean
}

type KeyOf = (file: FileDescriptor) => string

export type Originals = ReturnType<typeof openOriginals>

/**
 * Opens the originals and cuts of the service. They are verified when they are downloaded and whenever they are read.
 * @param pool decodes downloaded pictures to check that they are complete
 */
export function openOriginals(store: Store, context: OriginalsContext, pool: Pool) {
  const { space, locked, remote = noRemote } = context
  const isLocal = ({ from }: FileDescriptor): boolean => spaceOf(space, from?.kit).local === true
  const keyOf: KeyOf = ({ asset, hash, updated, cut, type, from }) =>
    originalKey({ space: spaceOf(space, from?.kit).key, asset, revision: hash ?? updated, cut, type })
  const entryOf = (file: FileDescriptor) => remoteEntry(file, keyOf(file), context)
  const { mustRenew, isForeign, setRenewed } = createRenewals(store, context, keyOf)
  /** Cache entries by key. Several files that are made from one source search for it once. */
  const known = memoize((key) => store.info(key))

  async function find(key: string): Promise<ContentInfo | undefined> {
    const info = await known.get(key)
    // A missing source may be downloaded before the next search.
    if (!info) known.forget(key)
    return info
  }

  /**
   * Finds content by its hash in the lockfile. A service may make a cut again for each request, so we use the bytes
   * that were downloaded first. Offline, this also finds originals that were cached under another key.
   */
  async function findLocked(file: FileDescriptor, foreign = false): Promise<StoredContent | undefined> {
    const { asset, cut, hash, updated } = file
    const expected = cut !== undefined || context.offline || foreign ? locked(asset, cut, hash ?? updated) : undefined
    return expected === undefined ? undefined : store.findContent(expected)
  }

  /** Uploads this machine's content to the remote cache. */
  function share(file: FileDescriptor, integrity: string): void {
    const entry = entryOf(file)
    if (entry) remote.save(entry, integrity, () => store.findContent(integrity))
  }

  /**
   * Passes an original or a cut to `consume`. It comes from the cache or is downloaded.
   * @param consume called again if the cached content turns out to be damaged
   * @throws ContentSpaceError any error of the download; `contentMismatch`, `truncated`, `integrity`, `offline`
   */
  async function use<T>(file: FileDescriptor, consume: Consume<T>, call?: Call): Promise<T> {
    const foreign = await isForeign(file)
    const found = await findLocked(file, foreign)
    if (found) share(file, found.integrity)
    const done = found && (await store.useUndamaged(found, consume))
    if (done) return done.result
    const key = keyOf(file)
    const renew = foreign || mustRenew(file)
    const entry = entryOf(file)
    const findElsewhere =
      renew || !entry ? undefined : (receive: ReceiveBody) => checked(file, remote.find(entry, receive))
    return store.use(
      { key, lock: isLocal(file) ? undefined : key, findElsewhere, renew, signal: call?.signal },
      async (receive) => {
        const make = () => download(file, receive, { ...context, pool }, call)
        const content = await (entry ? checked(file, remote.load(entry, receive, make)) : make())
        setRenewed(file)
        return content
      },
      async (content) => {
        const mismatch = findMismatch(file, content.integrity, context)
        if (mismatch) {
          if (entry) remote.drop(entry)
          throw mismatch
        }
        share(file, content.integrity)
        return consume(content)
      },
    )
  }

  return {
    use,
    /** Returns the hash and size of a file. Downloads the file if it isn't cached. */
    async info(file: FileDescriptor, call?: Call): Promise<SourceInfo> {
      const info = mustRenew(file) ? undefined : await find(keyOf(file))
      const expected = locked(file.asset, file.cut, file.hash ?? file.updated)
      if (info && (expected === undefined || expected === info.integrity)) {
        share(file, info.integrity)
        return { ...info, cached: true }
      }
      return use(file, async (content) => infoOf(content), call)
    },
    /**
     * Returns the result that `info` would have after a download, if the lockfile contains the hash. This lets us use
     * cached conversions without downloading their source.
     */
    async expected(file: FileDescriptor): Promise<SourceInfo | undefined> {
      const integrity = locked(file.asset, file.cut, file.hash ?? file.updated)
      if (integrity === undefined || file.size === undefined || file.cut !== undefined) return undefined
      if (isLocal(file) || context.isUpdating?.(file.asset)) return undefined
      const isCached = (await find(keyOf(file))) !== undefined
      return isCached ? undefined : { integrity, size: file.size, cached: true }
    },
    /** Makes `info` and `use` search again, because the content with this hash was replaced or is damaged. */
    async forget(file: FileDescriptor, integrity: string): Promise<void> {
      known.forget(keyOf(file))
      await store.removeIfDamaged(integrity)
    },
    peek: (file: FileDescriptor) => find(keyOf(file)),
    has: async (file: FileDescriptor) => ((await store.info(keyOf(file))) ?? (await findLocked(file))) !== undefined,
  }
}

/**
 * Returns the entry of a file in the remote cache. Returns undefined if we can't detect when the file changes, because
 * the remote cache may have an older version under the same key.
 */
function remoteEntry(
  { asset, cut, hash, updated, size, from }: FileDescriptor,
  key: string,
  { space, locked, remote = noRemote }: OriginalsContext,
): RemoteFile | undefined {
  if (remote === noRemote || spaceOf(space, from?.kit).local) return undefined
  const expected = locked(asset, cut, hash ?? updated)
  if (expected === undefined && hash === undefined && updated === undefined) return undefined
  return { kind: 'file', key, locked: expected, size: cut === undefined ? size : undefined }
}

/** Decides which files to download again although they are cached. */
function createRenewals(store: Store, { locked, offline, isUpdating }: OriginalsContext, keyOf: KeyOf) {
  const renewed = new Set<string>()
  return {
    setRenewed: (file: FileDescriptor) => renewed.add(keyOf(file)),
    /** If a file has neither a hash nor a date, its key doesn't change when it is replaced. */
    mustRenew: (file: FileDescriptor): boolean =>
      file.hash === undefined &&
      file.updated === undefined &&
      !offline &&
      !renewed.has(keyOf(file)) &&
      isUpdating?.(file.asset) === true,
    /**
     * Checks whether a cache entry differs from the lockfile. Any process may have written the entry, so we replace it.
     */
    async isForeign(this: void, file: FileDescriptor): Promise<boolean> {
      const expected = locked(file.asset, file.cut, file.hash ?? file.updated)
      if (expected === undefined || renewed.has(keyOf(file))) return false
      const info = await store.info(keyOf(file))
      return info !== undefined && info.integrity !== expected
    },
  }
}

/** Checks the type of content from the remote cache, because the same bytes may have been stored under another type. */
async function checked<T extends Content | undefined>(file: FileDescriptor, finding: Promise<T>): Promise<T> {
  const content = await finding
  try {
    if (content) await checkType(file, content)
    return content
  } catch (error) {
    if (content) await discard(content)
    throw error
  }
}

function infoOf({ kept, cached, ...content }: StoredContent): SourceInfo {
  const { integrity, size } = content
  return omitUndefined({ integrity, size, cached, content: kept ? undefined : content })
}

/**
 * Compares a hash with the lockfile. If a cut differs, only warns by default, because a service may make cuts again.
 */
function findMismatch(file: FileDescriptor, integrity: string, context: OriginalsContext) {
  const { strict, frozen, warn, locked, kitOf } = context
  const expected = locked(file.asset, file.cut, file.hash ?? file.updated)
  if (expected === undefined || expected === integrity) return undefined
  const message = `${describeSource(file)} has changed: its hash is ${integrity}, but the lockfile has ${expected}.`
  const isTolerated = file.cut !== undefined && !strict && !frozen
  if (isTolerated) warn(message)
  const command = ['npx content-space update', kitOf?.(file.asset)].filter(Boolean).join(' ')
  const hint = isProvisional(file)
    ? 'The service was still processing it when it was locked. Run `npx content-space sync` and commit the lockfile.'
    : `If the change is intended, run \`${command}\`.`
  return isTolerated ? undefined : new ContentSpaceError('integrity', message, { asset: file.asset, hint })
}
