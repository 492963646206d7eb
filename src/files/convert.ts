import { hardenSharp, openPicture } from './raster.js'
import type { Recipe } from './recipe.js'

/** What the pool asks of this process, which does one order at a time: files to be made of one source. */
export interface Order {
  bytes: Uint8Array
  recipes: Recipe[]
}

/**
 * What it answers, for each recipe in turn; `at` is its place. After `begun` all time is spent on the input; after `decoded`
 * only encoding is left.
 */
export type Answer = { type: 'begun' | 'decoded' } | { type: 'done'; at: number; bytes: Uint8Array } | { type: 'failed'; at: number; reason: string }

// The entry of a child process: what hostile input can do ends with it. See `pool.ts`.
hardenSharp()
process.on('message', (order: Order) => void answer(order))
process.on('disconnect', () => process.exit())

function send(message: Answer): void {
  process.send?.(message)
}

async function answer({ bytes, recipes }: Order): Promise<void> {
  const convert = converter(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  for (const [at, recipe] of recipes.entries()) {
    try {
      send({ type: 'done', at, bytes: await convert(recipe) })
    } catch (error) {
      send({ type: 'failed', at, reason: error instanceof Error ? error.message : String(error) })
    }
  }
}

function converter(bytes: Buffer): (recipe: Recipe) => Promise<Uint8Array> {
  let picture: ReturnType<typeof openPicture> | undefined
  return async (recipe) => {
    if (recipe.kind === 'svg') {
      const { makeSvg } = await import('./svg.js')
      send({ type: 'begun' })
      return makeSvg(bytes, recipe)
    }
    send({ type: 'begun' })
    picture ??= openPicture(bytes)
    return picture(recipe, () => send({ type: 'decoded' }))
  }
}
