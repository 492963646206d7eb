import { rm } from 'node:fs/promises'
import { memoryLimit, type Content, type ContentInfo } from '../disk/content.js'
import type { Connection } from './connection.js'
import type { EngineCall, EntryBody, RemoteEngine } from './engine.js'
import { blobName, signedName } from './names.js'
import type { Receive, RemoteEntry, RemoteFile } from './remote.js'
import { maxLineLength, type Signer, type Subject } from './signature.js'

/** The limit in bytes for entries of unknown size. */
const maxSize = 256 * 1024 * 1024

/** After this many bytes of invalid entries, we stop reading. */
const maxWasted = 256 * 1024 * 1024

const noBytes = new Uint8Array()

interface Expected {
  integrity: string
  size: number | undefined
}

/**
 * Reads and writes entries. Trusts only locked or signed content.
 * @param signer undefined without a key, so signed entries are neither read nor written
 */
export function openEntries(connection: Connection, signer: Signer | undefined) {
  let wasted = 0

  async function receiveExpected(body: AsyncIterable<Uint8Array>, expected: Expected, receive: Receive) {
    const limit = expected.size === undefined ? maxSize : expected.size + memoryLimit
    const received = await receive(body, { limit }).catch((error: unknown) => {
      if (!(error instanceof RangeError)) throw error
    })
    const content = received?.content
    if (content?.integrity === expected.integrity) return content
    if (content && 'path' in content) await rm(content.path, { force: true })
    wasted += content?.size ?? limit
    if (wasted > maxWasted) connection.giveUp('its entries are invalid')
    else connection.invalid()
    return undefined
  }

  function readBlob(expected: Expected, receive: Receive) {
    return connection.ask(async (engine, call) => {
      const body = await engine.get(blobName(expected.integrity), call)
      return body && receiveExpected(watched(body, call, connection), expected, receive)
    })
  }

  /** Reads the first line of a signed entry, and passes the rest on. */
  async function readSigned<T>(
    subject: Subject,
    use: (info: ContentInfo, rest: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T | undefined> {
    return connection.ask(async (engine, call) => {
      const body = await engine.get(signedName(subject.kind, subject.key), call)
      if (body === undefined) return undefined
      const { line, rest } = await splitLine(watched(body, call, connection))
      const info = signer?.open(subject, line)
      if (info) return use(info, rest)
      await rest.return(undefined)
      connection.invalid()
      return undefined
    })
  }

  async function readFile(entry: RemoteFile, receive: Receive): Promise<Content | undefined> {
    const { key, locked, size } = entry
    if (locked !== undefined) return readBlob({ integrity: locked, size }, receive)
    const info = await readSigned({ kind: 'file', key }, async (signed, rest) => {
      for await (const _ of rest) break
      return signed
    })
    return info && readBlob(info, receive)
  }

  return {
    /** Returns whether an entry could be trusted if found. */
    isKnown: (entry: RemoteEntry) => signer !== undefined || (entry.kind === 'file' && entry.locked !== undefined),
    /** Returns verified content, or undefined if the engine doesn't have it or it can't be verified. */
    async read(entry: RemoteEntry, receive: Receive): Promise<Content | undefined> {
      if (entry.kind === 'file') return readFile(entry, receive)
      return readSigned(entry, (info, rest) => receiveExpected(rest, info, receive))
    },
    /**
     * Writes an entry. Throws any error of the engine.
     * @param replace whether to replace an existing entry of the same name
     * @returns whether anything was written
     */
    async write(entry: RemoteEntry, content: Content, replace: boolean, engine: RemoteEngine, call: EngineCall) {
      const { kind, key } = entry
      const put = async (name: string, body: EntryBody): Promise<boolean> => {
        if (!replace && (await engine.has(name, call))) return false
        await engine.put(name, body, call)
        return true
      }
      if (kind === 'file' && entry.size === undefined && content.size > maxSize) return false
      const blob = blobName(content.integrity)
      const isNew = kind === 'file' && (await put(blob, { header: noBytes, content }))
      const header = signer?.sign({ kind, key }, content)
      if (!header) return isNew
      // A file's own entry contains only the hash. The content is stored under that hash.
      const body = kind === 'file' ? { ...content, size: 0, bytes: noBytes } : content
      return (await put(signedName(kind, key), { header, content: body })) || isNew
    },
    /** Returns whether the engine has an entry, which may be invalid. Throws any error of the engine. */
    async has(entry: RemoteEntry, engine: RemoteEngine, call: EngineCall): Promise<boolean> {
      const isBlob = entry.kind === 'file' && entry.locked !== undefined
      return engine.has(isBlob ? blobName(entry.locked ?? '') : signedName(entry.kind, entry.key), call)
    },
  }
}

/** Passes chunks on. Throws if we stop using the engine, even if the engine never responds. */
async function* watched(
  body: AsyncIterable<Uint8Array>,
  call: EngineCall,
  { untilGivenUp }: Connection,
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  let done = false
  try {
    for (;;) {
      const next = await untilGivenUp(Promise.resolve(chunks.next()))
      done = next.done === true
      if (next.done) return
      call.progress(next.value.length)
      yield next.value
    }
  } finally {
    // Don't await this, because an engine that doesn't respond doesn't end its body either.
    if (!done) void Promise.resolve(chunks.return?.()).catch(() => {})
  }
}

/** Returns the first line of a body, and the rest. The line is empty if it doesn't end in time. */
async function splitLine(body: AsyncGenerator<Uint8Array>) {
  let start: Uint8Array = noBytes
  while (start.length < maxLineLength && !start.includes(lineEnd)) {
    const { value, done } = await body.next()
    if (done) break
    // Almost always, the first chunk contains the line, so it isn't copied.
    start = start.length === 0 ? value : Buffer.concat([start, value])
  }
  const end = start.indexOf(lineEnd)
  const line = end === -1 || end >= maxLineLength ? '' : Buffer.from(start.subarray(0, end)).toString('latin1')
  return { line, rest: after(start.subarray(end + 1), body) }
}

const lineEnd = 0x0a

async function* after(first: Uint8Array, body: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (first.length > 0) yield first
    yield* body
  } finally {
    await body.return(undefined)
  }
}
