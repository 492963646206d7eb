import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { memoryLimit, readContent } from '../../disk/content.js'
import type { EngineCall, EntryBody } from '../engine.js'

export function sizeOfBody({ header, content }: EntryBody): number {
  return header.length + content.size
}

/** Returns an entry as one buffer if it is small, otherwise as a stream. */
export async function bodyOf(entry: EntryBody, call: EngineCall): Promise<Buffer | Readable> {
  if (sizeOfBody(entry) > memoryLimit) return Readable.from(chunksOf(entry, call), { objectMode: false })
  return Buffer.concat([entry.header, await readContent(entry.content)])
}

/** Yields the chunks of an entry. Doesn't verify them, because the process that reads the entry will. */
async function* chunksOf({ header, content }: EntryBody, call: EngineCall): AsyncGenerator<Uint8Array> {
  if (header.length > 0) yield header
  const chunks = 'bytes' in content ? [content.bytes] : createReadStream(content.path, { highWaterMark: chunkSize })
  for await (const chunk of chunks) {
    yield chunk
    // The engine has asked for more, so it has accepted this chunk.
    call.progress(chunk.length)
  }
}

/** Bytes. */
const chunkSize = 256 * 1024
