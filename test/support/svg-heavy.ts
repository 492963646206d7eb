import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFiles } from '../../src/files/files.js'
import { planned, spaceOf } from './one-asset.js'

/**
 * Of one drawing: milliseconds until the answer, the longest that the event loop stood still, and bytes that memory
 * grew by.
 */
export interface Cost {
  answer: number
  still: number
  growth: number
  outcome: string
}

// Run by a process of its own, which has no other work that could be measured: drawings come as paths, costs go as
// messages.
const interval = 10
const content: Record<string, Uint8Array> = {}
const files = createFiles({
  space: spaceOf(content, 'SVG'),
  cacheDir: await mkdtemp(join(tmpdir(), 'content-space-files-')),
  offline: false,
  strict: false,
  frozen: false,
  warn: () => {},
  locked: () => undefined,
  onFile: () => {},
})

async function costOf(path: string, query: string, uuid: string): Promise<Cost> {
  content['SVG'] = await readFile(path)
  globalThis.gc?.()
  const [start, before] = [performance.now(), process.memoryUsage.rss()]
  let [last, still, most] = [start, 0, before]
  const timer = setInterval(() => {
    still = Math.max(still, performance.now() - last - interval)
    last = performance.now()
    most = Math.max(most, process.memoryUsage.rss())
  }, interval)
  const { src } = planned({ type: 'SVG', uuid, width: 90, height: 60, size: content['SVG'].length }, query)
  const outcome = await (src && files.bytes(src))?.then(
    () => 'made',
    (error: Error) => error.message,
  )
  clearInterval(timer)
  still = Math.max(still, performance.now() - last - interval)
  return { answer: performance.now() - start, still, growth: most - before, outcome: outcome ?? 'no file' }
}

process.on('message', ({ path, query, uuid }: { path: string; query: string; uuid: string }) => {
  void costOf(path, query, uuid).then((cost) => process.send?.(cost))
})
process.on('disconnect', () => files.close())
process.send?.('ready')
