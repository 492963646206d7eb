import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryLimit, type Content } from '../disk/content.js'
import { retryWhileTooManyFiles } from '../disk/open-files.js'

/** A body that has come, and is not checked yet. */
export interface Received {
  content: Content
  /** By the other algorithm, in hexadecimal. */
  digest?: string
}

export interface IntakeOptions {
  /** Where files are written that are not checked yet. Undefined: nothing can be written, and bodies stay in memory. */
  folder: () => Promise<string | undefined>
  /** Told when such a file cannot be written. */
  onFailure: (error: unknown) => void
  /** Told of each piece. */
  onChunk: () => void
}

export interface ReceiveOptions {
  /** An algorithm to hash with, beside sha256. */
  also?: string | undefined
  /** Bytes: after more, nothing more is read. */
  limit?: number | undefined
}

/**
 * Reads a body to its end, hashed as it comes: small ones into memory, others into a file.
 * @throws RangeError for a body that is longer than `limit`; what the body throws. Nothing is left behind then.
 */
export async function receiveBody(
  body: AsyncIterable<Uint8Array>,
  options: ReceiveOptions,
  context: IntakeOptions,
): Promise<Received> {
  const { also, limit = Infinity } = options
  const hash = createHash('sha256')
  const other = also === undefined ? undefined : createHash(also)
  const sink = openSink(context)
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > limit) throw new RangeError(`more than ${limit} bytes`)
      hash.update(chunk)
      other?.update(chunk)
      context.onChunk()
      await sink.write(chunk)
    }
    const content = { integrity: `sha256-${hash.digest('base64')}`, size, ...(await sink.end()) }
    return { content, ...(other && { digest: other.digest('hex') }) }
  } catch (error) {
    await sink.discard()
    throw error
  }
}

/** Removes what was received and is of no use. */
export async function discard(content: Content): Promise<void> {
  if ('path' in content) await rm(content.path, { force: true })
}

/** Bytes of a body that is written to a file: so much is held between writes. */
const pieceLimit = 256 * 1024

interface Sink {
  write(chunk: Uint8Array): Promise<void>
  end(): Promise<{ bytes: Uint8Array } | { path: string }>
  discard(): Promise<void>
}

interface PartFile {
  path: string
  handle: FileHandle
}

/** A file that fails, on a full disk for example, is given up: what came so far, and the rest, is held in memory. */
function openSink({ folder, onFailure }: IntakeOptions): Sink {
  const state: { chunks: Uint8Array[]; held: number; written: number; file?: PartFile; inMemory: boolean } = {
    chunks: [],
    held: 0,
    written: 0,
    inMemory: false,
  }

  async function create(): Promise<PartFile | undefined> {
    const place = await folder()
    if (place === undefined) return undefined
    const path = join(place, randomUUID())
    return { path, handle: await retryWhileTooManyFiles(() => open(path, 'wx', 0o600)) }
  }

  async function drain(): Promise<void> {
    try {
      const file = state.file ?? (await create())
      if (file === undefined) {
        state.inMemory = true
        return
      }
      state.file = file
      for (const chunk of state.chunks) await file.handle.writeFile(chunk)
      state.written += state.held
      state.chunks = []
      state.held = 0
    } catch (error) {
      onFailure(error)
      await retreat()
    }
  }

  async function retreat(): Promise<void> {
    const { file, written } = state
    state.inMemory = true
    delete state.file
    if (file === undefined) return
    await file.handle.close().catch(() => {})
    if (written > 0) state.chunks.unshift((await readFile(file.path)).subarray(0, written))
    await rm(file.path, { force: true })
  }

  return {
    async write(chunk) {
      state.chunks.push(chunk)
      state.held += chunk.length
      if (!state.inMemory && state.held > (state.file ? pieceLimit : memoryLimit)) await drain()
    },
    async end() {
      if (state.file) await drain()
      const { file, chunks } = state
      if (file) {
        await file.handle.close()
        return { path: file.path }
      }
      return { bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) }
    },
    async discard() {
      await state.file?.handle.close().catch(() => {})
      if (state.file) await rm(state.file.path, { force: true })
    },
  }
}
