import { createHash, hash } from 'node:crypto'
import { lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { lstat, open, readFile, rm, writeFile } from 'node:fs/promises'
import { isTooManyFiles, retryWhileTooManyFiles } from './open-files.js'

/** Bytes: no more of one body is held in memory, but for those whose bytes are asked for. */
export const memoryLimit = 1024 * 1024

/** Bytes. Less is read and written sooner than another thread would begin to. */
export const smallFile = 64 * 1024

/** What is known of content without reading it. */
export interface ContentInfo {
  /** `sha256-…`, as Subresource Integrity spells it. */
  integrity: string
  /** Bytes. */
  size: number
}

/**
 * Content in memory, which is what its hash says, or in a file, which may have been damaged since it was written:
 * `readContent`,
 * `copyContent` and `checkContent` find out.
 */
export type Content = ContentInfo & ({ bytes: Uint8Array } | { path: string })

/** `sha256-…` */
export function integrityOf(data: string | Uint8Array): string {
  return `sha256-${hash('sha256', data, 'base64')}`
}

/** @throws a damage error where the file is not what its hash says */
export async function readContent(content: Content): Promise<Uint8Array> {
  if ('bytes' in content) return content.bytes
  const { path, size, integrity } = content
  const bytes = await undamaged(path, async () => {
    if (size < smallFile) return lstatSync(path).isFile() ? readFileSync(path) : undefined
    return (await lstat(path)).isFile() ? readFile(path) : undefined
  })
  if (bytes?.length !== size || integrityOf(bytes) !== integrity) throw damageError(path)
  return bytes
}

export interface CopyOptions {
  /** Whether the copy is flushed to the disk. */
  flush?: boolean
  /** Another algorithm to hash with. */
  also?: string
}

/**
 * Writes content to a file that does not exist yet.
 * @returns the hash by the other algorithm, in hexadecimal
 * @throws a damage error where the content is not what its hash says: there is no file then
 */
export async function copyContent(
  content: Content,
  to: string,
  { flush = false, also }: CopyOptions = {},
): Promise<string | undefined> {
  if (content.size > memoryLimit && 'path' in content) return copyFile(content, to, flush, also)
  const bytes = await readContent(content)
  if (bytes.length < smallFile && !flush) writeFileSync(to, bytes, { flag: 'wx' })
  else await writeFile(to, bytes, { flag: 'wx', flush })
  return also && hash(also, bytes, 'hex')
}

async function copyFile(
  { path, integrity, size }: ContentInfo & { path: string },
  to: string,
  flush: boolean,
  also: string | undefined,
) {
  const other = also === undefined ? undefined : createHash(also)
  const target = await open(to, 'wx')
  try {
    await checkFile({ path, integrity, size }, async (chunk) => {
      other?.update(chunk)
      await target.writeFile(chunk)
    })
    if (flush) await target.sync()
  } catch (error) {
    await target.close()
    await rm(to, { force: true })
    throw error
  }
  await target.close()
  return other?.digest('hex')
}

/** @throws a damage error where the content is not what its hash says */
export async function checkContent(content: Content): Promise<void> {
  if ('path' in content) await checkFile(content, async () => {})
}

/** Reads a part of content. It is shorter where the content ends. */
export async function readPart(content: Content, start: number, length: number): Promise<Buffer> {
  const from = Math.max(0, start)
  const wanted = Math.max(0, Math.min(length, content.size - from))
  if ('bytes' in content) {
    const { buffer, byteOffset } = content.bytes
    return Buffer.from(buffer, byteOffset + Math.min(from, content.size), wanted)
  }
  const file = await open(content.path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(wanted), 0, wanted, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Told apart from failures to write a copy. */
export function isDamageError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EINTEGRITY'
}

export function damageError(what: string, cause?: unknown): Error {
  return Object.assign(new Error(`${what} is not what was written there`, { cause }), { code: 'EINTEGRITY' })
}

/** The `sha256-…` of a file. @param size in bytes, as far as it is known: small files are read at once */
export async function hashFile(path: string, size = Infinity): Promise<string> {
  if (size < smallFile) return integrityOf(readFileSync(path))
  const found = createHash('sha256')
  for await (const piece of pieces(path)) found.update(piece)
  return `sha256-${found.digest('base64')}`
}

/** Reads a file to its end, and then throws a damage error if it is not what its hash says. */
async function checkFile(
  { path, integrity }: ContentInfo & { path: string },
  onPiece: (piece: Buffer) => Promise<void>,
): Promise<void> {
  if (!(await undamaged(path, async () => (await lstat(path)).isFile()))) throw damageError(path)
  const found = createHash('sha256')
  const all = pieces(path)
  try {
    for (;;) {
      const { value, done } = await undamaged(path, () => all.next())
      if (done) break
      found.update(value)
      await onPiece(value)
    }
  } finally {
    await all.return()
  }
  if (`sha256-${found.digest('base64')}` !== integrity) throw damageError(path)
}

/** A file in pieces. Each is good until the next is asked for. */
async function* pieces(path: string): AsyncGenerator<Buffer, void, void> {
  const file = await retryWhileTooManyFiles(() => open(path))
  try {
    const buffer = Buffer.allocUnsafe(pieceSize)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Bytes. */
const pieceSize = 256 * 1024

/** Whether a file holds nothing, or nothing but zeros. */
export async function isBlank(path: string): Promise<boolean> {
  for await (const piece of pieces(path)) if (piece.some((byte) => byte !== 0)) return false
  return true
}

/** What cannot be read is as good as damaged, but for want of handles. */
async function undamaged<T>(path: string, read: () => Promise<T>): Promise<T> {
  try {
    return await retryWhileTooManyFiles(read)
  } catch (error) {
    throw isTooManyFiles(error) ? error : damageError(path, error)
  }
}
