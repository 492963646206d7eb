import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFiles } from '../../src/files/files.js'
import { planned, spaceOf } from '../support/one-asset.js'

/**
 * The cost of one drawing: milliseconds until the result, milliseconds of processor time that the process has used, and
 * its memory growth in bytes.
 */
export interface Cost {
  answer: number
  used: number
  growth: number
  outcome: string
}

// Runs in a separate process, so that no other work is measured. The process receives the paths of drawings as messages
// and sends their costs.
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
  const [start, cpu, before] = [performance.now(), process.cpuUsage(), process.memoryUsage.rss()]
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, interval)
  const { src } = planned({ type: 'SVG', uuid, width: 90, height: 60, size: content['SVG'].length }, query)
  const outcome = await (src && files.bytes(src))?.then(
    () => 'made',
    (error: Error) => error.message,
  )
  clearInterval(timer)
  const { user, system } = process.cpuUsage(cpu)
  return {
    answer: performance.now() - start,
    used: (user + system) / 1000,
    growth: most - before,
    outcome: outcome ?? 'no file',
  }
}

process.on('message', ({ path, query, uuid }: { path: string; query: string; uuid: string }) => {
  void costOf(path, query, uuid).then((cost) => process.send?.(cost))
})
process.on('disconnect', () => files.close())
process.send?.('ready')
