import { spawn } from 'node:child_process'
import { once } from 'node:events'
import * as v from 'valibot'

const from = (path: string) => JSON.stringify(import.meta.resolve(`../../build/${path}`))

const outcome = v.object({ result: v.string(), growth: v.number(), seconds: v.number() })

/**
 * Evaluates an expression in a separate process that has the built HTTP space of a service.
 * @param work an expression that can use `space`, and `counted`, which reads a body and returns its length
 * @returns the result or the error as text, the peak growth of resident memory in MB, and the duration
 */
export async function measured(url: string, work: string, cacheDir: string): Promise<v.InferOutput<typeof outcome>> {
  const code = `
    import { readAddress } from ${from('space/http/credentials.js')}
    import { httpSpace } from ${from('space/http/client.js')}
    const nothing = () => {}
    const space = httpSpace({ ...readAddress(${JSON.stringify(url)}, 7, 'a-token-of-tests'), timeout: 5000,
      concurrency: 32, rateLimit: false, cacheDir: ${JSON.stringify(cacheDir)}, insecure: false, strict: false,
      warn: nothing, onRequest: nothing, onWait: nothing })
    const counted = async (body) => {
      let size = 0
      for await (const chunk of body) size += chunk.length
      return size
    }
    // Send a request first, so that memory that Node allocates for its first large body doesn't count as growth.
    await space.kits()
    await space.download({ uuid: 'warm-up' }, undefined, counted)
    const before = process.memoryUsage().rss
    let peak = before
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5)
    const started = performance.now()
    const result = await (async () => ${work})().then(String, (error) => error.code + ': ' + error.message)
    clearInterval(watch)
    peak = Math.max(peak, process.memoryUsage().rss)
    console.log(JSON.stringify({ result, growth: (peak - before) / 1e6, seconds: (performance.now() - started) / 1000 }))
    await space.close()
  `
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk))
  await once(child, 'close')
  return v.parse(outcome, JSON.parse(Buffer.concat(printed).toString()))
}
