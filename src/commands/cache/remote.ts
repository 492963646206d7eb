import { eachLimit } from '../../async/each-limit.js'
import { originalKey } from '../../disk/cache-layout.js'
import type { Engine } from '../../engine/engine.js'
import { ContentSpaceError } from '../../errors.js'
import { receiveInMemory } from '../../files/receive.js'
import { revisionOfLocked, typeOfLocked } from '../../lock/table.js'
import type { RemoteEntry, RemoteFile } from '../../remote/remote.js'
import { certificateHint } from '../../space/offline.js'
import { spaceOf } from '../../space/space.js'
import { readEntries } from './entries.js'

export type RemoteTransfer = Awaited<ReturnType<typeof pushCache>>
export type RemoteListing = Awaited<ReturnType<typeof listRemoteCache>>

/** Reports how many of all entries have been checked. */
export type OnEntry = (done: number, total: number) => void

/**
 * Copies the locked files in the local cache, together with their conversions, to the remote cache.
 * @throws ContentSpaceError `invalidOption` without option `remote` or `remoteWrite`; `unreachable`
 */
export async function pushCache(context: Engine, onEntry?: OnEntry) {
  const { options, store, remote } = context
  const transfer = newTransfer(context)
  if (options.remote?.write !== true) {
    throw new ContentSpaceError('invalidOption', 'Option remoteWrite is not set, so nothing is written.', {
      hint: 'Set CONTENT_SPACE_REMOTE_WRITE=1 for this command.',
    })
  }
  async function push({ entry, integrity }: LocalEntry): Promise<void> {
    const content = await store.findContent(integrity)
    if (content === undefined) return void transfer.missing++
    // Replace a conversion that is damaged or was signed with another key.
    if (entry.kind === 'made') await remote.find(entry, receiveInMemory)
    const result = await remote.push(entry, content)
    if (result === undefined) throw unreachable(context)
    transfer[result === 'written' ? 'moved' : 'present']++
  }

  const isSigned = options.remote.signer?.canSign === true
  const files = lockedFiles(context)
  const entries = files.map((entry): LocalEntry => ({ entry, integrity: entry.locked }))
  await forEach([...entries, ...(isSigned ? conversionsOf(files, options.cacheDir) : [])], context, onEntry, push)
  // If the local cache lacks all files, we haven't sent any request yet.
  if (transfer.moved + transfer.present === 0) await expectAnswer(context)
  const unsigned = isSigned ? [] : ['Conversions were not pushed: these need option remoteKey.']
  return { ...transfer, warnings: [...context.stats.summary().warnings, ...unsigned] }
}

function newTransfer(context: Engine) {
  return {
    remote: openLabel(context),
    /** Files and conversions that were copied. */
    moved: 0,
    /** Entries that already existed in the destination. */
    present: 0,
    /** Locked files that neither cache has, or that couldn't be copied. */
    missing: 0,
  }
}

interface LocalEntry {
  entry: RemoteEntry
  integrity: string
}

function conversionsOf(files: readonly { locked: string }[], cacheDir: string): LocalEntry[] {
  const sources = new Set(files.map(({ locked }) => locked))
  const made = readEntries(cacheDir).filter(({ kind, of }) => kind === 'conversion' && sources.has(of))
  return made.map(({ key, integrity }) => ({ entry: { kind: 'made', key }, integrity }))
}

/**
 * Copies the locked files into the local cache.
 * @throws ContentSpaceError `invalidOption` without option `remote`; `unreachable`
 */
export async function pullCache(context: Engine, onEntry?: OnEntry) {
  const { store, remote } = context
  const transfer = newTransfer(context)
  const files = lockedFiles(context)
  await forEach(files, context, onEntry, async (file) => {
    const info = await store.info(file.key)
    if (info?.integrity === file.locked) {
      transfer.present++
      return
    }
    const found = await store
      .use(
        { key: file.key },
        async (receive) => (await remote.find(file, receive)) ?? Promise.reject(missing),
        async () => true,
      )
      .catch(ignoreNotFound)
    transfer[found ? 'moved' : 'missing']++
  })
  // Files may seem to be missing because requests for them failed.
  if (transfer.missing > 0 || transfer.moved + transfer.present === 0) await expectAnswer(context)
  return { ...transfer, warnings: context.stats.summary().warnings }
}

/**
 * Counts the entries of the remote cache.
 * @throws ContentSpaceError `invalidOption` without option `remote`; `unreachable`
 */
export async function listRemoteCache(context: Engine, onEntry?: OnEntry) {
  const label = openLabel(context)
  const files = lockedFiles(context)
  const kinds = await context.remote.list()
  await expectAnswer(context)
  let present = 0
  await forEach(files, context, onEntry, async (file) => {
    const has = await context.remote.has(file)
    if (has === undefined) throw unreachable(context)
    if (has) present++
  })
  return { remote: label, ...(kinds && { kinds }), locked: { files: files.length, present } }
}

/** Runs work for as many entries in parallel as there are parallel downloads. */
function forEach<T>(
  entries: readonly T[],
  { options }: Engine,
  onEntry: OnEntry = () => {},
  work: (entry: T) => Promise<void>,
): Promise<void> {
  let done = 0
  return eachLimit(entries, options.concurrency, undefined, async (entry) => {
    await work(entry)
    onEntry(++done, entries.length)
  })
}

/** @throws ContentSpaceError `unreachable` */
async function expectAnswer(context: Engine): Promise<void> {
  if ((await context.remote.has({ kind: 'made', key: '' })) === undefined) throw unreachable(context)
}

/** Prepares the remote cache for a command. @returns the cache's address, without credentials */
function openLabel(context: Engine): string {
  const label = labelOfRemote(context)
  context.remote.forCommand()
  return label
}

function labelOfRemote({ options }: Engine): string {
  if (options.remote) return options.remote.address.label
  const message = 'No remote cache is available: option remote is missing, or offline is set.'
  const hint = 'Set option remote or CONTENT_SPACE_REMOTE to its address.'
  throw new ContentSpaceError('invalidOption', message, { hint })
}

/** Returns the files of all versions that have a hash in the lockfile. */
function lockedFiles({ lock, space }: Engine): (RemoteFile & { locked: string })[] {
  const tables = Object.entries(lock.current().kits).flatMap(([kit, { versions }]) =>
    Object.values(versions).map(({ assets }) => ({ assets, own: spaceOf(space, kit).key })),
  )
  const files = tables.flatMap(({ assets, own }) =>
    Object.entries(assets).flatMap(([asset, line]) =>
      Object.entries(line.files ?? {}).map(([name, locked]) => {
        const cut = name === 'original' ? undefined : name
        const type = typeOfLocked(asset, line)
        const key = originalKey({ space: own, asset, revision: revisionOfLocked(asset, line), cut, type })
        return { kind: 'file' as const, key, locked, size: undefined }
      }),
    ),
  )
  // Versions share identical files.
  return [...new Map(files.map((file) => [file.key, file])).values()]
}

const missing = new Error('not in the remote cache')

function ignoreNotFound(error: unknown): false {
  if (error !== missing) throw error
  return false
}

function unreachable(context: Engine): ContentSpaceError {
  const [{ reason = '', step } = {}, label] = [context.remote.problem(), labelOfRemote(context)]
  const check = `Check its address${schemes(label)}, its credentials and its free space.`
  const why = reason && ` The reason: ${reason}.`
  return new ContentSpaceError('unreachable', `The remote cache at ${label} cannot be used.${why}`, {
    hint: certificateHint(reason) ?? step ?? check,
  })
}

/** With the wrong scheme, the connection may fail with any error or not respond. */
const schemes = (label: string) => (label.startsWith('redis') ? ' (rediss: with TLS, redis: without)' : '')
