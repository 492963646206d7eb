import { createHash, hash } from 'node:crypto'
import { constants, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, copyFile, lstat, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode, isTooManyFiles } from './file-error.js'
import { retryWhileTooManyFiles } from './open-files.js'

/** In bytes. Larger bodies are kept in a file unless their bytes are requested. */
export const memoryLimit = 1024 * 1024

/** In bytes. Smaller files are read and written synchronously, which is faster than the thread pool. */
export const smallFile = 64 * 1024

export interface ContentInfo {
  /** `sha256-…` in the format of Subresource Integrity. */
  integrity: string
  /** In bytes. */
  size: number
}

/**
 * Content in memory, whose hash is correct, or in a file, which may have been damaged since. `readContent`,
 * `copyContent` and `checkContent` verify it.
 */
export type Content = BytesContent | FileContent

interface FileContent extends ContentInfo {
  path: string
  /**
   * Whether this process has just written the file and hashed its bytes, so that `copyContent` and `checkContent` only
   * compare its size instead of reading it again.
   */
  isFresh?: boolean
}

export interface BytesContent extends ContentInfo {
  bytes: Uint8Array
}

export interface ByteStore {
  peek(key: string): Promise<{ bytes: Uint8Array } | undefined>
  put(key: string, bytes: Uint8Array): Promise<unknown>
}

/** Checks whether content is in memory and short enough to be written synchronously. */
export function isSmall(content: Content): boolean {
  return 'bytes' in content && content.size < smallFile
}

/** Hashes data: `sha256-…`. */
export function integrityOf(data: string | Uint8Array): string {
  return `sha256-${hash('sha256', data, 'base64')}`
}

/** Makes content from bytes, or from a string as UTF-8. */
export function contentOf(data: string | Uint8Array): BytesContent {
  const bytes = typeof data === 'string' ? Buffer.from(data) : data
  return { bytes, size: bytes.length, integrity: integrityOf(bytes) }
}

/** Hashes content, without verifying it. @returns hexadecimal digits */
export async function hashContent(content: Content, algorithm: string): Promise<string> {
  return 'bytes' in content ? hash(algorithm, content.bytes, 'hex') : hashChunks(content.path, algorithm, 'hex')
}

/** Reads and verifies content. @throws a damage error for a file that differs from its hash */
export async function readContent(content: Content): Promise<Uint8Array> {
  if ('bytes' in content) return content.bytes
  const { path, size, integrity } = content
  const bytes = await readOrDamage(path, async () => {
    if (size < smallFile) return lstatSync(path).isFile() ? readFileSync(path) : undefined
    return (await lstat(path)).isFile() ? readFile(path) : undefined
  })
  if (bytes?.length !== size || integrityOf(bytes) !== integrity) throw damageError(path)
  return bytes
}

/**
 * Copies and verifies content to a file that must not exist.
 * @throws a damage error for content that differs from its hash. The copy is removed.
 */
export async function copyContent(content: Content, to: string, flush: boolean): Promise<void> {
  if (content.size > memoryLimit && 'path' in content) return copyLarge(content, to, flush)
  const bytes = await readContent(content)
  if (bytes.length < smallFile && !flush) writeFileSync(to, bytes, { flag: 'wx' })
  else await writeFile(to, bytes, { flag: 'wx', flush })
}

/** Clones a file, or copies it where the file system can't share blocks between files, and verifies the result. */
async function copyLarge(content: FileContent, to: string, flush: boolean): Promise<void> {
  await requireFile(content.path)
  try {
    await copyFile(content.path, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  } catch (error) {
    // If the copy failed because the source is damaged, throw the damage error instead.
    await checkFile(content)
    throw error
  }
  try {
    // Don't keep the mode of a cached file, which only this user can read. Give the copy the access that its folder
    // gives to others.
    await chmod(to, (await lstat(dirname(to))).mode & 0o666)
    await checkContent({ ...content, path: to })
    if (flush) await flushFile(to)
  } catch (error) {
    await rm(to, { force: true })
    throw error
  }
}

async function flushFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Verifies content. @throws a damage error for content that differs from its hash */
export async function checkContent(content: Content): Promise<void> {
  if ('bytes' in content) return
  const { path, size, isFresh = false } = content
  if (!isFresh) return checkFile(content)
  const stats = await readOrDamage(path, () => lstat(path))
  if (!stats.isFile() || stats.size !== size) throw damageError(path)
}

/** Reads a part of content without verifying it. The part is shorter if the content ends early. */
export async function readPart(content: Content, start: number, length: number): Promise<Buffer> {
  const from = Math.max(0, start)
  const available = Math.max(0, Math.min(length, content.size - from))
  if ('bytes' in content) {
    const { buffer, byteOffset } = content.bytes
    return Buffer.from(buffer, byteOffset + Math.min(from, content.size), available)
  }
  const file = await open(content.path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(available), 0, available, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Checks whether an error means damaged content, as opposed to a failure to write a copy. */
export function isDamageError(error: unknown): boolean {
  return hasCode(error, 'EINTEGRITY')
}

/** Creates the error for content that differs from its hash. @param what the path, or a name */
export function damageError(what: string, cause?: unknown): Error {
  return Object.assign(new Error(`${what} is damaged`, { cause }), { code: 'EINTEGRITY' })
}

/** Hashes a file: `sha256-…`. @param size in bytes, if known: a small file is read synchronously */
export async function hashFile(path: string, size = Infinity): Promise<string> {
  if (size < smallFile) return integrityOf(readFileSync(path))
  return `sha256-${await hashChunks(path, 'sha256', 'base64')}`
}

/** Hashes a file of any size in little memory. */
export async function hashChunks(path: string, algorithm: string, encoding: 'hex' | 'base64'): Promise<string> {
  const found = createHash(algorithm)
  for await (const chunk of chunksOf(path)) found.update(chunk)
  return found.digest(encoding)
}

/** Reads a file to its end, then throws a damage error if it differs from its hash. */
async function checkFile({ path, integrity }: FileContent): Promise<void> {
  await requireFile(path)
  const found = await readOrDamage(path, () => hashChunks(path, 'sha256', 'base64'))
  if (`sha256-${found}` !== integrity) throw damageError(path)
}

/** @throws a damage error for a folder or a link in place of a file */
async function requireFile(path: string): Promise<void> {
  if (!(await readOrDamage(path, async () => (await lstat(path)).isFile()))) throw damageError(path)
}

/** Yields a file in chunks. They share a buffer, so each is valid only until the next is requested. */
async function* chunksOf(path: string): AsyncGenerator<Buffer, void, void> {
  const file = await retryWhileTooManyFiles(() => open(path))
  try {
    const buffer = Buffer.allocUnsafe(chunkSize)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** In bytes. */
const chunkSize = 256 * 1024

/** Checks whether a file is empty or contains only zeros. */
export async function isBlank(path: string): Promise<boolean> {
  for await (const chunk of chunksOf(path)) if (chunk.some((byte) => byte !== 0)) return false
  return true
}

/** Treats an unreadable file as damaged, unless too many files are open. */
async function readOrDamage<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await retryWhileTooManyFiles(read)
  } catch (error) {
    throw isTooManyFiles(error) ? error : damageError(path, error)
  }
}
