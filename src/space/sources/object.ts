import { createHash } from 'node:crypto'
import { abortable } from '../../async/abortable.js'
import { derivedKey } from '../../disk/cache-layout.js'
import type { ByteStore } from '../../disk/content.js'
import { ContentSpaceError, messageOf } from '../../errors.js'
import { jsonOf } from '../../text/json.js'
import { omitUndefined } from '../../text/omit-undefined.js'
import { canonicalType } from '../asset-type.js'
import { readDimensions } from '../folder/dimensions.js'
import type { FolderContent } from '../folder/model.js'
import { listingsOf } from '../folder/space.js'
import type { Call, DownloadTarget, Space } from '../space.js'
import { checkBytes, checkKit, checkRevision } from './check.js'
import { contentOf } from './content.js'
import { openFetch, type FetchOptions } from './fetch.js'
import { openPatience } from './patience.js'
import { isRevisionHash } from './revision.js'
import type { Source, SourceAsset, SourceContext, SourceKit } from './source.js'

export interface ObjectOptions extends Omit<FetchOptions, 'key'> {
  source: Source
  /** The folder of the project, because two projects may have sources with the same name. */
  root: string
  store?: ByteStore
  warn: (message: string) => void
}

interface Listing {
  content: FolderContent
  assets: ReadonlyMap<string, SourceAsset>
}

/** Opens an object of the configuration as a space with one kit. Calls its methods only when a listing needs them. */
export function objectSpace(options: ObjectOptions): Space {
  const { source, root, store, timeout, warn } = options
  const { name } = source
  const key = `source ${root} ${name}`
  const http = openFetch({ ...options, key })
  const patience = openPatience(timeout)
  const closing = new AbortController()
  let last: Listing | undefined
  let reading: Promise<Listing> | undefined

  function contextOf(signal: AbortSignal | undefined): SourceContext {
    const either = signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal])
    return {
      signal: either,
      store: storeOf(store, key),
      log: (message) => warn(`${name}: ${http.redact(message)}`),
      async fetch(input, init) {
        const given = new Request(input, init)
        const request = new Request(given, { signal: AbortSignal.any([either, given.signal]) })
        return patience.during(http.fetch(request, patience.renew))
      },
    }
  }

  /** Calls a method of the source. @throws ContentSpaceError `sourceFailed`, `aborted`, and any error of `fetch` */
  async function call<T>(
    method: keyof Source,
    signal: AbortSignal | undefined,
    run: (context: SourceContext) => Promise<T>,
  ) {
    const { late, stop } = patience.start()
    const context = contextOf(signal ? AbortSignal.any([signal, late]) : late)
    try {
      return await abortable(
        Promise.resolve().then(() => run(context)),
        context.signal,
      )
    } catch (error) {
      if (error instanceof ContentSpaceError && !late.aborted) throw error
      throw failed(name, method, late.reason ?? error, http.redact)
    } finally {
      stop()
    }
  }

  /** Lists the kit, unless its revision is the one that this run or an earlier one listed last. */
  async function list(): Promise<Listing> {
    const revision = checkRevision(
      source,
      await call('revision', undefined, async (context) => source.revision?.(context)),
    )
    const kept = storeOf(store, `${key} listing`)
    const known = revision === undefined ? undefined : await kept.get(revision)
    const kit = checkKit(source, known ?? (await call('list', undefined, async (context) => source.list(context))))
    const whole = revision === undefined ? await withHashes(kit) : kit
    const content = await contentOf(source, whole, revision)
    if (revision !== undefined && known === undefined) await kept.set(revision, kit)
    const uuids = [...content.assets.keys()]
    return { content, assets: new Map(whole.assets.map((asset, at) => [uuids[at] ?? '', asset])) }
  }

  /** Reads and hashes the files whose changes couldn't be detected otherwise. */
  async function withHashes(kit: SourceKit): Promise<SourceKit> {
    const assets: SourceAsset[] = []
    for (const asset of kit.assets) {
      const isKnown = asset.hash !== undefined || asset.type.toUpperCase() === 'COLOR'
      assets.push(isKnown ? asset : { ...asset, ...(await factsOf(asset)) })
    }
    return { ...kit, assets }
  }

  async function factsOf(asset: SourceAsset): Promise<Partial<SourceAsset>> {
    const chunks: Uint8Array[] = []
    for await (const chunk of await open(asset, undefined)) chunks.push(chunk)
    const bytes = Buffer.concat(chunks)
    const [width, height] = (await readDimensions(canonicalType(asset.type), bytes))?.split('x').map(Number) ?? []
    const hash = createHash('md5').update(bytes).digest('hex')
    return {
      hash,
      size: bytes.length,
      ...omitUndefined({ width: asset.width ?? width, height: asset.height ?? height }),
    }
  }

  /** Opens the bytes of a file. */
  async function open(asset: SourceAsset, given: AbortSignal | undefined): Promise<AsyncIterable<Uint8Array>> {
    const found = checkBytes(source, await call('read', given, async (context) => source.read(asset, context)))
    if (found instanceof Uint8Array) return once(found)
    if (found instanceof ReadableStream) return guarded(found, given)
    const { url, headers = {} } = found
    const response = await call('read', given, async (context) => context.fetch(url, { headers }))
    if (response.ok && response.body) return guarded(response.body, given)
    await response.body?.cancel()
    throw failed(name, 'read', new Error(`HTTP status ${response.status}`), http.redact)
  }

  async function* guarded(
    stream: ReadableStream<Uint8Array>,
    given: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    const reader = stream.getReader()
    try {
      for (;;) {
        const { done, value } = await call('read', given, () => reader.read())
        if (done) return
        yield value
      }
    } finally {
      reader.cancel().catch(() => {})
    }
  }

  async function now(isFirst: boolean, { signal }: Call = {}): Promise<FolderContent> {
    if (!isFirst && last) return last.content
    // Concurrent calls share one listing, so it doesn't end when the first of them is aborted.
    reading ??= list().finally(() => (reading = undefined))
    last = await abortable(reading, signal)
    return last.content
  }

  return {
    label: name,
    key,
    worksOffline: true,
    hasRevisions: true,
    ...listingsOf(now),
    async download(target, cut, receive, { signal } = {}) {
      if (cut !== undefined)
        throw new ContentSpaceError('fileCutUnavailable', `Source ${name} has only originals, and no ${cut} cut.`, {
          asset: target.uuid,
          hint: 'Use `format` in the query to convert the original.',
        })
      return receive(await open(last?.assets.get(target.uuid) ?? lockedAsset(target), signal))
    },
    ...(source.watch && {
      watch: (changed: () => void) => source.watch?.(changed, contextOf(undefined)) ?? (() => {}),
    }),
    async close() {
      closing.abort(new ContentSpaceError('aborted', 'The source was closed.'))
      await http.close()
    },
  }
}

/** Returns what the lockfile contains about an asset that isn't listed. */
function lockedAsset({ from, uuid, name = '', type = '', hash, size }: DownloadTarget): SourceAsset {
  const listed = isRevisionHash(hash) ? undefined : hash
  return { id: from?.id ?? uuid, name, type, ...omitUndefined({ hash: listed, size }) }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

function failed(name: string, method: string, error: unknown, redact: (text: string) => string): ContentSpaceError {
  const message = redact(messageOf(error))
  const summary = `Source ${name} failed in ${method}(): ${message}`
  return new ContentSpaceError('sourceFailed', /[.!?]$/.test(summary) ? summary : `${summary}.`, {
    cause: error instanceof Error && message === error.message ? error : new Error(message),
    hint: 'Check the source in option kits, the data that it reads, and its credentials.',
  })
}

/** Creates a store for JSON values in the cache. */
function storeOf(store: ByteStore | undefined, key: string): SourceContext['store'] {
  const keyOf = (name: string): string => derivedKey({ space: key, inputs: ['source', name] })
  return {
    async get(name) {
      const found = await store?.peek(keyOf(name))
      return found && jsonOf(Buffer.from(found.bytes).toString())
    },
    async set(name, value) {
      await store?.put(keyOf(name), Buffer.from(JSON.stringify(value) ?? 'null'))
    },
  }
}
