import { hash, randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { engineNames } from './support/engines.js'
import { pull, serveFile } from './support/pull.js'
import { start } from './support/setup.js'

/**
 * The megabytes by which the memory peak may exceed that of a run with a small file. This is less than the size of the
 * large file.
 */
const growth = 64

describe.each(engineNames)('%s', (name) => {
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
    for (const { stderr } of [written, read]) expect(stderr).not.toContain('The remote cache at')
    expect([written.bytes, read.bytes]).toEqual([hash('sha256', bytes), hash('sha256', bytes)])
    expect(Math.max(written.megabytes, read.megabytes)).toBeLessThan(megabytes + growth)
  })
})
