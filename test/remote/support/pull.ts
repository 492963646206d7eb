import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { project } from '../../support/cli.js'
import { serveSpace, writeSpace, type ServedSpace } from '../../support/space.js'
import { key } from './runner.js'

/** Writes the peak of resident memory in kB when the process ends. `maxRSS` would include the parent's peak. */
const watch = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync, writeFileSync } from 'node:fs'
process.on('exit', () => writeFileSync(process.env.PEAK, /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]))`,
)}`

/** Serves a kit with one file. */
export async function serveFile(bytes: Buffer): Promise<ServedSpace> {
  const kit = {
    uuid: '3BD9A8C0-1111-4222-8333-444455556666',
    name: 'Brand',
    dates: { updated: '2026-01-02T03:04:05Z' },
  }
  const space = await writeSpace({
    'space.json': { space_id: 7, name: 'Test' },
    'brand/kit.json': kit,
    'brand/Files/data.zip': bytes,
  })
  const served = await serveSpace(space.folder, { rateLimit: false })
  onTestFinished(async () => {
    await served.close()
    await space.remove()
  })
  return served
}

/** Pulls the file into an empty folder with an empty local cache. */
export async function pull(service: ServedSpace, env: Record<string, string>, lock?: string) {
  const work = await project(lock === undefined ? {} : { 'content-space.lock.json': lock }, {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'))),
    CONTENT_SPACE_URL: service.url,
    CONTENT_SPACE_ID: String(service.spaceId),
    CONTENT_SPACE_TOKEN: service.token,
    CONTENT_SPACE_REMOTE_KEY: key,
    NODE_OPTIONS: `--import ${watch}`,
    PEAK: 'peak',
    ...env,
  })
  onTestFinished(() => work.remove())
  const start = performance.now()
  const { code, stderr } = await work.runProcess('pull', 'brand', '--out', 'content')
  const time = performance.now() - start
  expect([code, stderr]).toEqual([0, expect.any(String)])
  const read = (path: string) => readFile(join(work.root, path))
  return {
    bytes: hash('sha256', await read('content/files/data.zip')),
    /** The memory peak. */
    megabytes: Number(await read('peak')) / 1024,
    lock: String(await read('content-space.lock.json')),
    stderr,
    /** The duration in milliseconds. */
    time,
  }
}
