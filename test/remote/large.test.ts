import { hash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { project } from '../support/cli.js'
import { serveSpace, writeSpace, type ServedSpace } from '../support/space.js'
import type { EngineName } from './support/engines.js'
import { key } from './support/runner.js'
import { start } from './support/setup.js'

/** Megabytes by which the peak of memory may exceed that of a run with a small file, which is less than the large file. */
const growth = 64

/** Writes the peak of resident memory, in kB, when the process ends. `maxRSS` would contain that of its parent. */
const watch = `data:text/javascript,${encodeURIComponent(
  `import { readFileSync, writeFileSync } from 'node:fs'
process.on('exit', () => writeFileSync(process.env.PEAK, /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]))`,
)}`

async function serveFile(bytes: Buffer): Promise<ServedSpace> {
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
async function pull(service: ServedSpace, env: Record<string, string>, lock?: string) {
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
  const { code, stderr } = await work.run('pull', 'brand', '--out', 'content')
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('The remote cache at')])
  const read = (path: string) => readFile(join(work.root, path))
  return {
    bytes: hash('sha256', await read('content/files/data.zip')),
    megabytes: Number(await read('peak')) / 1024,
    lock: String(await read('content-space.lock.json')),
  }
}

describe.each<EngineName>(['redis', 's3', 'nginx'])('%s', (name) => {
  test.each([1.5, 160])('writes and reads a file of %d MiB in bounded memory', async (size) => {
    const { remote } = await start(name)
    const [reading, writing] = [
      { CONTENT_SPACE_REMOTE: remote },
      { CONTENT_SPACE_REMOTE: remote, CONTENT_SPACE_REMOTE_WRITE: '1' },
    ]
    const small = await serveFile(randomBytes(1000))
    const { megabytes } = await pull(small, writing)
    const bytes = randomBytes(size * 1024 * 1024)
    const service = await serveFile(bytes)
    const written = await pull(service, writing)
    const before = service.downloads().length
    const read = await pull(service, reading, written.lock)
    expect(service.downloads().length).toBe(before)
    expect([written.bytes, read.bytes]).toEqual([hash('sha256', bytes), hash('sha256', bytes)])
    expect(Math.max(written.megabytes, read.megabytes)).toBeLessThan(megabytes + growth)
  })
})
