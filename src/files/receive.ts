import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { memoryLimit, type Content } from '../disk/content.js'
import { retryWhileTooManyFiles } from '../disk/open-files.js'

/** A complete body that is not verified yet. */
export interface Received {
  content: Content
  /** The hash by algorithm `also`, in hexadecimal. */
  digest?: string
}

export interface ReceiveOptions {
  /** An algorithm to hash with, besides sha256. */
  also?: string | undefined
  /** Bytes. A longer body is not read to its end. */
  limit?: number | undefined
}

export interface ReceiveContext {
  /** The folder for content that is not verified; undefined when no file can be written. Bodies then stay in memory. */
  folder: () => Promise<string | undefined>
  /** Called when a file cannot be written. */
  onFailure: (error: unknown) => void
  /** Called for each chunk. */
  onChunk: () => void
}

/**
 * Reads a body to its end and hashes it: a small one into memory, a large one into a file.
 * @throws RangeError when the body is longer than `limit`; what the body throws. No file remains then.
 */
export async function receiveBody(
  body: AsyncIterable<Uint8Array>,
  { also, limit = Infinity }: ReceiveOptions,
  context: ReceiveContext,
): Promise<Received> {
  const sha256 = createHash('sha256')
  const other = also === undefined ? undefined : createHash(also)
  const buffer: Buffered = { chunks: [], length: 0, inMemory: false }
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > limit) throw new RangeError(`more than ${limit} bytes`)
      sha256.update(chunk)
      other?.update(chunk)
      context.onChunk()
      await write(buffer, chunk, context)
    }
    const content = { integrity: `sha256-${sha256.digest('base64')}`, size, ...(await finish(buffer, context)) }
    return { content, ...(other && { digest: other.digest('hex') }) }
  } catch (error) {
    await buffer.file?.handle.close().catch(() => {})
    if (buffer.file) await rm(buffer.file.path, { force: true })
    throw error
  }
}

/** Removes the file of content that is not used. */
export async function discard(content: Content): Promise<void> {
  if ('path' in content) await rm(content.path, { force: true })
}

/** Bytes that are held between writes to a file. */
const bufferSize = 256 * 1024

/** The end of a body in memory, and the file with the part before it. */
interface Buffered {
  chunks: Uint8Array[]
  /** Bytes of the chunks. */
  length: number
  file?: PartialFile | undefined
  /** Whether no file is written, however long the body is. */
  inMemory: boolean
}

interface PartialFile {
  path: string
  handle: FileHandle
  /** Bytes. */
  written: number
}

async function write(buffer: Buffered, chunk: Uint8Array, context: ReceiveContext): Promise<void> {
  buffer.chunks.push(chunk)
  buffer.length += chunk.length
  const limit = buffer.file ? bufferSize : memoryLimit
  if (!buffer.inMemory && buffer.length > limit) await flush(buffer, context)
}

async function finish(buffer: Buffered, context: ReceiveContext): Promise<{ bytes: Uint8Array } | { path: string }> {
  if (buffer.file) await flush(buffer, context)
  const { file, chunks } = buffer
  if (file) {
    await file.handle.close()
    return { path: file.path }
  }
  return { bytes: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) }
}

/** Writes the chunks to the file. When that fails, for example on a full disk, the body stays in memory. */
async function flush(buffer: Buffered, context: ReceiveContext): Promise<void> {
  try {
    buffer.file ??= await createFile(context)
    if (buffer.file === undefined) {
      buffer.inMemory = true
      return
    }
    for (const chunk of buffer.chunks) await buffer.file.handle.writeFile(chunk)
    buffer.file.written += buffer.length
    buffer.chunks = []
    buffer.length = 0
  } catch (error) {
    context.onFailure(error)
    await moveToMemory(buffer)
  }
}

async function createFile({ folder }: ReceiveContext): Promise<PartialFile | undefined> {
  const parent = await folder()
  if (parent === undefined) return undefined
  const path = join(parent, randomUUID())
  return { path, handle: await retryWhileTooManyFiles(() => open(path, 'wx', 0o600)), written: 0 }
}

async function moveToMemory(buffer: Buffered): Promise<void> {
  const { file } = buffer
  buffer.inMemory = true
  buffer.file = undefined
  if (file === undefined) return
  await file.handle.close().catch(() => {})
  if (file.written > 0) buffer.chunks.unshift((await readFile(file.path)).subarray(0, file.written))
  await rm(file.path, { force: true })
}
