import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { readAddress } from '../../src/space/http/credentials.js'
import { httpSpace } from '../../src/space/http/client.js'
import { downloadBytes } from '../support/download.js'
import { faultServer, json, refusal } from '../support/fault-server.js'

const assets = 1000
const uuidOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
const bytesOf = (uuid: string) => Buffer.from(`${uuid} `.repeat(100))

/** The faults that may replace the answer to a request. */
const faults: ((response: ServerResponse, file: Buffer) => void)[] = [
  (response) => json(response, {}, 500),
  (response) => refusal(response, 99, 200),
  (response) => refusal(response, 1, 500),
  (response) => json(response, { success: false, error: { code: 429, message: '' } }, 429, { 'retry-after': '0' }),
  (response) => json(response, { success: false, error: { code: 429, message: '' } }, 200, { 'retry-after': '1' }),
  (response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  (response) => void response.socket?.resetAndDestroy(),
  (response) => void response.socket?.destroy(),
  (response, file) =>
    void response
      .writeHead(200, { 'content-length': file.length })
      .write(file.subarray(0, 1000), () => response.socket?.destroy()),
  (response, file) =>
    void response.writeHead(200).write(file.subarray(0, 1000), () => response.socket?.resetAndDestroy()),
  (response, file) => void response.writeHead(200, { 'content-length': 1000 }).end(file.subarray(0, 1000)),
  (response, file) => void response.writeHead(200).end(Buffer.concat([file, file])),
  (response) => void response.writeHead(204).end(),
  (response, file) => void response.writeHead(206, { 'content-length': 1000 }).end(file.subarray(0, 1000)),
  (response) => void response.writeHead(200, { 'content-length': 0 }).end(),
  // The body stops, and the connection stays open.
  (response, file) => void response.writeHead(200, { 'content-length': file.length }).write(file.subarray(0, 10)),
  () => {},
]

const nothing = () => undefined

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0)) await clean()
})

/**
 * Returns a number from 0 to 1 for a seed, an asset, and its attempt, so that it doesn't depend on the order of
 * requests.
 */
function chance(...parts: (string | number)[]): number {
  return createHash('sha256').update(parts.join(' ')).digest().readUInt32BE() / 2 ** 32
}

test.each([1, 2, 3])(
  'loads 1,000 assets with at most 1.25 times the requests when a tenth of the requests fails (seed %i)',
  async (seed) => {
    const tries = new Map<string, number>()
    const server = await faultServer((response, { url = '' }) => {
      const uuid = url.split('/')[3] ?? ''
      const file = bytesOf(uuid)
      const nth = (tries.get(uuid) ?? 0) + 1
      tries.set(uuid, nth)
      const fault =
        chance(seed, uuid, nth) < 0.1 ? faults[Math.floor(chance('kind', seed, uuid, nth) * faults.length)] : undefined
      if (fault) fault(response, file)
      else response.writeHead(200, { 'content-length': file.length }).end(file)
    })
    const cacheDir = mkdtempSync(join(tmpdir(), 'content-space-tenth-'))
    const space = httpSpace({
      ...readAddress(server.url, 7, 'a-token-of-tests'),
      timeout: 2000,
      concurrency: 32,
      rateLimit: { requests: 2000, seconds: 300 },
      cacheDir,
      insecure: false,
      strict: true,
      warn: nothing,
      onRequest: nothing,
      onWait: nothing,
    })
    cleanups.push(
      () => space.close(),
      server.close,
      () => rmSync(cacheDir, { recursive: true, force: true }),
    )
    await Promise.all(
      Array.from({ length: assets }, async (_, at) => {
        const file = bytesOf(uuidOf(at))
        expect(file.equals(await downloadBytes(space, { uuid: uuidOf(at), size: file.length }))).toBe(true)
      }),
    )
    expect(tries.size).toBe(assets)
    expect(server.requests.length / assets).toBeGreaterThan(1.05)
    expect(server.requests.length / assets).toBeLessThanOrEqual(1.25)
  },
)
