import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { integrityOf } from '../../disk/content.js'
import { decodeWholly } from './decode.js'
import { hardenSharp, openPicture } from './raster.js'
import type { Task } from '../recipe.js'

/** Bytes, or a file that holds them: what is large does not go through the memory of the process that asks. */
export type Input = { bytes: Uint8Array } | { path: string; integrity: string }

/** To decode a picture wholly, and make nothing of it. */
export interface Decoding {
  kind: 'decode'
}

/** What the pool asks of this process, which does one order at a time: files to be made of one source. */
export interface Batch {
  input: Input
  recipes: (Task | Decoding)[]
}

/**
 * What it answers, for each recipe in turn; `at` is its place. After `begun` all time is spent on the input, as after
 * `checking` and `drawing`, which one SVG can need after each other; after `decoded` only encoding is left. `damaged`:
 * the file is not what its hash says.
 */
export type Reply =
  | { type: 'begun' | 'checking' | 'drawing' | 'decoded' | 'damaged' }
  | { type: 'done'; at: number; bytes: Uint8Array }
  | { type: 'failed'; at: number; reason: string }

// The entry of a child process: what hostile input can do ends with it. See `pool.ts`.
hardenSharp()
process.on('message', (order: Batch) => void answer(order))
process.on('disconnect', () => process.exit())

function send(message: Reply): void {
  process.send?.(message)
}

async function answer({ input, recipes }: Batch): Promise<void> {
  const bytes = read(input)
  if (bytes === undefined) return send({ type: 'damaged' })
  const convert = converter(bytes)
  for (const [at, recipe] of recipes.entries()) {
    try {
      send({ type: 'done', at, bytes: await convert(recipe) })
    } catch (error) {
      send({ type: 'failed', at, reason: error instanceof Error ? error.message : String(error) })
    }
  }
}

/** Decoders get memory only: from a path, a drawing could read what lies beside it. */
function read(input: Input): Buffer | undefined {
  if ('bytes' in input) return Buffer.from(input.bytes.buffer, input.bytes.byteOffset, input.bytes.byteLength)
  try {
    const bytes = readFileSync(input.path)
    return integrityOf(bytes) === input.integrity ? bytes : undefined
  } catch {
    return undefined
  }
}

let watchdog: Worker | undefined

/** Bytes of a drawing that is read within a second. Starting the watchdog takes longer than reading an icon. */
const quick = 256 * 1024

/** Drawings are read in one step, in which this process hears nothing of its parent. */
function watch({ length }: Buffer): void {
  if (length <= quick || watchdog) return
  watchdog = new Worker(new URL('./watchdog.js', import.meta.url), { workerData: process.ppid })
  watchdog.unref()
}

function converter(bytes: Buffer): (recipe: Task | Decoding) => Promise<Uint8Array> {
  let picture: ReturnType<typeof openPicture> | undefined
  return async (recipe) => {
    if (recipe.kind === 'svg') {
      const { makeSvg } = await import('../svg/svg.js')
      watch(bytes)
      send({ type: 'drawing' })
      return makeSvg(bytes, recipe)
    }
    if (recipe.kind === 'check') {
      const { findActive } = await import('../svg/check.js')
      watch(bytes)
      send({ type: 'checking' })
      return Buffer.from(JSON.stringify(findActive(bytes)))
    }
    send({ type: 'begun' })
    if (recipe.kind === 'decode') {
      await decodeWholly(bytes)
      return new Uint8Array()
    }
    picture ??= openPicture(bytes)
    return picture(recipe, () => send({ type: 'decoded' }))
  }
}
