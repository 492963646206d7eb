import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryLimit, readContent, type BytesContent, type Content } from '../disk/content.js'
import { retryWhileTooManyFiles } from '../disk/open-files.js'

interface Received {
  content: Content
  /** The hash in hexadecimal, computed with the algorithm in `also`. */
  digest?: string
}

interface ReceiveOptions {
  /** A hash algorithm to use in addition to sha256. */
  also?: string | undefined
  /** The size in bytes at which reading stops with an error. */
  limit?: number | undefined
}

/** Reads a body to its end without verifying it. `discard` removes the content. */
export type ReceiveBody = (body: AsyncIterable<Uint8Array>, options: ReceiveOptions) => Promise<Received>

interface ReceiveContext {
  /** Returns the folder for unverified content; undefined if files can't be written, so that bodies stay in memory. */
  folder: () => string | undefined
  onFailure: (error: unknown) => void
  onChunk: () => void
}

/**
 * Reads a body to its end and hashes it. Keeps a small body in memory and writes a large one to a file.
 * @throws RangeError if the body is longer than `limit`; any error of the body. Removes the file in both cases.
 */
export async function receiveBody(
  body: AsyncIterable<Uint8Array>,
  { also, limit = Infinity }: ReceiveOptions,
  context: ReceiveContext,
): Promise<Received> {
  const sha256 = createHash('sha256')
  const other = also === undefined || also === 'sha256' ? undefined : createHash(also)
  const buffer = openBuffer(context)
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > limit) throw new RangeError(`more than ${limit} bytes`)
      sha256.update(chunk)
      other?.update(chunk)
      context.onChunk()
      await buffer.write(chunk)
    }
    const found = sha256.digest()
    const content = { integrity: `sha256-${found.toString('base64')}`, size, ...(await buffer.finish()) }
    return { content, ...(also !== undefined && { digest: other?.digest('hex') ?? found.toString('hex') }) }
  } catch (error) {
    await buffer.remove()
    throw error
  }
}

export const receiveInMemory: ReceiveBody = (body, options) =>
  receiveBody(body, options, { folder: () => undefined, onFailure: () => {}, onChunk: () => {} })

export async function discard(content: Content): Promise<void> {
  if ('path' in content) await rm(content.path, { force: true })
}

/** Reads content that can't be moved into the cache, and removes its file. */
export async function readIntoMemory(content: Content): Promise<BytesContent> {
  const { integrity, size } = content
  const bytes = await readContent(content)
  await discard(content)
  return { integrity, size, bytes }
}

const bufferSize = 256 * 1024

/** Opens a buffer that keeps a small body in memory and moves the beginning of a large body to a file. */
function openBuffer({ folder, onFailure }: ReceiveContext) {
  let chunks: Uint8Array[] = []
  let length = 0
  let file: { path: string; handle: FileHandle; written: number } | undefined
  /** Whether the body stays in memory regardless of its length. */
  let inMemory = false

  /** Writes the chunks to the file. If that fails, for example on a full disk, the body stays in memory. */
  async function flush(): Promise<void> {
    const parent = file ? undefined : folder()
    inMemory = !file && parent === undefined
    if (inMemory) return
    try {
      file ??= await createFile(parent ?? '')
      for (const chunk of chunks) await file.handle.writeFile(chunk)
      file.written += length
      chunks = []
      length = 0
    } catch (error) {
      onFailure(error)
      inMemory = true
      if (file && file.written > 0) chunks.unshift((await readFile(file.path)).subarray(0, file.written))
      await remove()
    }
  }

  async function remove(): Promise<void> {
    await file?.handle.close().catch(() => {})
    if (file) await rm(file.path, { force: true })
    file = undefined
  }

  return {
    async write(chunk: Uint8Array): Promise<void> {
      chunks.push(chunk)
      length += chunk.length
      if (!inMemory && length > (file ? bufferSize : memoryLimit)) await flush()
    },
    async finish(): Promise<{ bytes: Uint8Array } | { path: string }> {
      if (file) await flush()
      if (!file) return { bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) }
      await file.handle.close()
      return { path: file.path }
    },
    remove,
  }
}

async function createFile(folder: string): Promise<{ path: string; handle: FileHandle; written: number }> {
  const path = join(folder, randomUUID())
  return { path, handle: await retryWhileTooManyFiles(() => open(path, 'wx', 0o600)), written: 0 }
}
