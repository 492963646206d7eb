import { ContentSpaceError } from '../errors.js'
import type { Call, Space } from '../space/space.js'
import { isDamageError, memoryLimit, type Content, type ContentInfo } from '../disk/content.js'
import { discard } from './intake.js'
import type { FileDescriptor } from './plan.js'
import type { Pool } from './convert/pool.js'
import { mismatch } from './sniff.js'
import { stored, type Found, type ReceiveBody, type Store, type Stored } from './store.js'
import { findDamage, tellsItsEnd } from './damage.js'
import { offlineError } from '../space/offline.js'

/** What the service has: originals and cuts, checked when they come and whenever they are read. */
export interface Originals {
  /**
   * Gives `how` what the service has, from the cache where it is there.
   * @param how reads it; called again when the cache turns out to be damaged
   * @throws ContentSpaceError what the download throws; `contentMismatch`, `truncated`, `integrity`, `offline`
   */
  use<T>(file: FileDescriptor, how: (found: Found) => Promise<T>, call?: Call): Promise<T>
  /** The same as bytes in memory. */
  read(file: FileDescriptor, call?: Call): Promise<Stored>
  /** The hash alone, without the bytes where they are in the cache. */
  look(file: FileDescriptor, call?: Call): Promise<Look>
  /** Forgets the hash of a file whose content was replaced or damaged since `look`. */
  forget(file: FileDescriptor, integrity: string): Promise<void>
  /** Whether it can be read without a download. */
  has(file: FileDescriptor): Promise<boolean>
}

export interface Look extends ContentInfo {
  cached: boolean
  /** The content, where the cache does not keep it. */
  content?: Content
}

export interface OriginalsContext {
  space: Space
  offline: boolean
  strict: boolean
  /** Whether the lock may not change: a cut that differs is an error then, as it is under `strict`. */
  frozen: boolean
  warn: (message: string) => void
  /** The `sha256-…` that the lock has for an original or a cut. */
  locked: (asset: string, cut: string | undefined) => string | undefined
}

/** @param pool decodes what cannot be told to be whole otherwise */
export function openOriginals(store: Store, context: OriginalsContext, pool: Pool): Originals {
  const { space, locked } = context
  /** Several files are made of one, and each asks for its hash. */
  const looked = new Map<string, ContentInfo>()

  /** The service may make a cut anew for each request: the first bytes that were seen go on being used. */
  async function findLocked({ asset, cut }: FileDescriptor): Promise<Found | undefined> {
    const expected = locked(asset, cut)
    // Offline, what the lock names is there under whatever key it came.
    const byHash = cut !== undefined || context.offline
    return byHash && expected !== undefined ? store.content(expected) : undefined
  }

  async function useLocked<T>(
    file: FileDescriptor,
    how: (found: Found) => Promise<T>,
  ): Promise<{ done: T } | undefined> {
    const found = await findLocked(file)
    if (!found) return undefined
    try {
      return { done: await how(found) }
    } catch (error) {
      if (!isDamageError(error)) throw error
      await store.drop(found.integrity)
      return undefined
    }
  }

  async function use<T>(file: FileDescriptor, how: (found: Found) => Promise<T>, call?: Call): Promise<T> {
    const known = await useLocked(file, how)
    if (known) return known.done
    const key = keyOf(file, space.key)
    const wanted = { key, ...(space.local ? {} : { turn: key }), signal: call?.signal }
    return store.use(
      wanted,
      (receive) => download(file, receive, { ...context, pool }, call),
      async (found) => {
        compare(file, found.integrity, locked(file.asset, file.cut), context)
        return how(found)
      },
    )
  }

  return {
    use,
    read: (file, call) => use(file, stored, call),
    async look(file, call) {
      const key = keyOf(file, space.key)
      const known = looked.get(key) ?? (await store.look(key))
      if (known) looked.set(key, known)
      const expected = locked(file.asset, file.cut)
      if (known && (expected === undefined || expected === known.integrity)) return { ...known, cached: true }
      return use(file, async (found) => lookOf(found), call)
    },
    async forget(file, integrity) {
      looked.delete(keyOf(file, space.key))
      await store.drop(integrity)
    },
    has: async (file) => ((await store.look(keyOf(file, space.key))) ?? (await findLocked(file))) !== undefined,
  }
}

function lookOf({ kept, cached, ...content }: Found): Look {
  const { integrity, size } = content
  return { integrity, size, cached, ...(kept ? {} : { content }) }
}

/** The service's own hash stands for the revision: a download says nothing of versions. */
function keyOf({ asset, hash, updated, cut }: FileDescriptor, space: string): string {
  return ['file', space, asset, hash ?? updated ?? 'unhashed', cut ?? 'original'].join('\n')
}

interface DownloadContext extends OriginalsContext {
  pool: Pool
}

async function download(
  file: FileDescriptor,
  receive: ReceiveBody,
  context: DownloadContext,
  call: Call | undefined,
): Promise<Content> {
  const { asset, label, size, cut, hash } = file
  if (context.offline) {
    throw offlineError(`${label} is not in the cache${cut ? ` as ${cut}` : ''}.`, { asset })
  }
  const original = cut === undefined
  const limit = original && size !== undefined ? size + slack : undefined
  return context.space.download(
    { uuid: asset, size, hash },
    cut,
    async (body) => {
      const { content, digest } = await receive(body, { also: original ? algorithmOf(hash) : undefined, limit }).catch(
        (error: unknown) => {
          throw error instanceof RangeError ? tooLong(file, error) : error
        },
      )
      try {
        await check(file, content, { digest, unconfirmed: body.unconfirmed === true }, context)
        return content
      } catch (error) {
        await discard(content)
        throw error
      }
    },
    call,
  )
}

/** Bytes beyond the listed size after which a body is given up; the transport is stricter where it can be. */
const slack = memoryLimit

function tooLong({ asset, label, size }: FileDescriptor, cause: RangeError): ContentSpaceError {
  return new ContentSpaceError('truncated', `${label} goes on behind the ${size} bytes that are listed.`, {
    asset,
    cause,
  })
}

interface Arrival {
  /** By the algorithm of the listed hash, if there is one. */
  digest: string | undefined
  /** Whether the transport cannot tell that the body is complete. */
  unconfirmed: boolean
}

async function check(
  file: FileDescriptor,
  content: Content,
  { digest, unconfirmed }: Arrival,
  context: DownloadContext,
): Promise<void> {
  const { asset, label, cut, type, hash } = file
  const found = await mismatch(content, cut ?? type)
  if (found !== undefined) {
    throw new ContentSpaceError('contentMismatch', `${label} should be ${cut ?? type} and is ${found}.`, {
      asset,
      hint: 'Upload the file again under its right type.',
    })
  }
  // These are the bytes that the service has, whatever it is that it has.
  if (digest !== undefined && digest === hash) return
  if (unconfirmed) refuseUntold(file, content)
  await refuseDamaged(file, content, context)
  if (digest === undefined) return
  const message = `${label} does not have the file_hash that the service lists (${hash}).`
  if (context.strict) throw new ContentSpaceError('contentMismatch', message, { asset })
  context.warn(message)
}

/** A connection that closes early looks the same as one that closes at the end of the file. */
function refuseUntold({ asset, label, cut, type }: FileDescriptor, { size }: Content): void {
  if (size > 0 && tellsItsEnd(cut ?? type)) return
  throw new ContentSpaceError(
    'truncated',
    `${label}${cut ? ` as ${cut}` : ''} came without a length, so it may be incomplete.`,
    {
      asset,
      hint: 'The service has to list the size or the file_hash of this asset, or to send Content-Length.',
    },
  )
}

/** A file of this machine is as long as it is. */
async function refuseDamaged(
  { asset, label, cut, type }: FileDescriptor,
  content: Content,
  { space, pool }: DownloadContext,
): Promise<void> {
  if (space.local) return
  const reason = cut !== undefined && content.size === 0 ? 'it is empty' : await findDamage(content, cut ?? type, pool)
  if (reason === undefined) return
  throw new ContentSpaceError('truncated', `${label}${cut ? ` as ${cut}` : ''} came damaged or not whole: ${reason}.`, {
    asset,
    hint: 'If it comes like this every time, the file in the space is damaged: upload it again.',
  })
}

/** The interface does not name the algorithm of `file_hash`: its length tells it. */
const algorithms: Readonly<Record<number, string>> = { 32: 'md5', 40: 'sha1', 64: 'sha256' }

function algorithmOf(hash: string | undefined): string | undefined {
  return hash === undefined ? undefined : algorithms[hash.length]
}

/** Only originals must stay the same. */
function compare(
  { asset, label, cut }: FileDescriptor,
  integrity: string,
  expected: string | undefined,
  { strict, frozen, warn }: OriginalsContext,
): void {
  if (expected === undefined || expected === integrity) return
  const message = `${label}${cut ? ` as ${cut}` : ''} is ${integrity}, and the lock has ${expected}.`
  if (cut !== undefined && !strict && !frozen) return warn(message)
  throw new ContentSpaceError('integrity', message, {
    asset,
    hint: 'If the change is wanted, run `content-space update`.',
  })
}
