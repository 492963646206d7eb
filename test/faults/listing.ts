import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { secret } from '../support/secret.js'

const run = promisify(execFile)
const built = (path: string): string => JSON.stringify(new URL(`../../build/${path}`, import.meta.url).href)

const outcome = v.object({
  count: v.number(),
  ordered: v.boolean(),
  parseMilliseconds: v.number(),
  peakMegabytes: v.number(),
})

/**
 * Reads a section in a separate process and measures it there: the processor time for parsing, as the minimum of three
 * runs, and the memory peak.
 */
export async function listingIn(url: string, section: string): Promise<v.InferOutput<typeof outcome>> {
  const code = `
import { tmpdir } from 'node:os'
import { readAddress } from ${built('space/http/credentials.js')}
import { httpSpace } from ${built('space/http/client.js')}
import { parsePage } from ${built('space/wire/records.js')}
const nothing = () => {}
const space = httpSpace({ ...readAddress(${JSON.stringify(url)}, 7, process.env.TOKEN), timeout: 20000, concurrency: 8, rateLimit: false,
  insecure: false, strict: true, cacheDir: tmpdir(), warn: nothing, onRequest: nothing, onWait: nothing })
const { items } = await space.section(${JSON.stringify(section)}, 1)
await space.close()
const peak = process.resourceUsage().maxRSS / 1024
const wire = items.map(({ uuid, asset }, at) => ({ uuid, type: 'asset', status: 'active', display_order: at, data: {}, asset: asset.raw }))
const text = JSON.stringify({ section: { uuid: ${JSON.stringify(section)}, kit_uuid: ${JSON.stringify(section)}, name: '', version: 1, items: wire } })
const times = [1, 2, 3].map(() => {
  const start = process.cpuUsage()
  parsePage(JSON.parse(text))
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1000
})
const ordered = items.every(({ asset }, at) => asset.name === 'Mark ' + at)
console.log(JSON.stringify({ count: items.length, ordered, parseMilliseconds: Math.min(...times), peakMegabytes: peak }))
`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], {
    env: { PATH: process.env['PATH'], TOKEN: secret.token },
  })
  return v.parse(outcome, JSON.parse(stdout))
}
