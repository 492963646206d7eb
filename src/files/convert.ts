import type { Recipe } from './recipe.js'

/** What the pool asks of this process, which does one thing at a time. */
export interface Order {
  bytes: Uint8Array
  recipe: Recipe
}

/** What it answers. After `begun` all time is spent on the input; after `decoded` only encoding is left. */
export type Answer = { type: 'begun' | 'decoded' } | { type: 'done'; bytes: Uint8Array } | { type: 'failed'; reason: string }

// The entry of a child process: what hostile input can do ends with it. See `pool.ts`.
process.on('message', (order: Order) => void answer(order))
process.on('disconnect', () => process.exit())

function send(message: Answer): void {
  process.send?.(message)
}

async function answer({ bytes, recipe }: Order): Promise<void> {
  try {
    send({ type: 'done', bytes: await convert(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), recipe) })
  } catch (error) {
    send({ type: 'failed', reason: error instanceof Error ? error.message : String(error) })
  }
}

async function convert(bytes: Buffer, recipe: Recipe): Promise<Uint8Array> {
  if (recipe.kind === 'raster') {
    const { hardenSharp, makePicture } = await import('./raster.js')
    hardenSharp()
    send({ type: 'begun' })
    return makePicture(bytes, recipe, () => send({ type: 'decoded' }))
  }
  const { makeSvg } = await import('./svg.js')
  send({ type: 'begun' })
  return makeSvg(bytes, recipe)
}
