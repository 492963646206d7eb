import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { integrityOf } from '../../../src/disk/content.js'
import { receiveInMemory } from '../../../src/files/receive.js'
import { readRemoteAddress } from '../../../src/remote/address.js'
import { systemClock, type Clock } from '../../../src/async/clock.js'
import type { RemoteEngine } from '../../../src/remote/engine.js'
import { openRemote } from '../../../src/remote/open-remote.js'

const answered = 2
const inFlight = 8

/** Starts a server that answers requests for two entries but not for any others. */
async function startCache(): Promise<{ url: string; busy: Promise<unknown> }> {
  const paths = new Set<string>()
  const events = new EventEmitter()
  const busy = once(events, 'busy')
  const server = createServer(({ method, url = '' }, response) => {
    paths.add(url)
    if (paths.size === answered + inFlight) events.emit('busy')
    if ([...paths].indexOf(url) < answered) response.writeHead(method === 'PUT' ? 201 : 404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `http://127.0.0.1:${address.port}/`, busy }
}

test('writes that take too long are waited for once, and one warning counts them', async () => {
  const warnings: string[] = []
  const sleeps: number[] = []
  const { url, busy } = await startCache()
  // Time passes once all concurrent writes are waiting for an answer, so that every wait makes progress.
  const clock: Clock = {
    ...systemClock,
    waited: () => 0,
    async sleep(milliseconds) {
      sleeps.push(milliseconds)
      await busy
    },
  }
  const remote = openRemote({
    address: readRemoteAddress(url, { token: undefined, insecure: false }),
    write: true,
    signer: undefined,
    warn: (message) => void warnings.push(message),
    clock,
  })
  for (let at = 0; at < 20; at++) {
    const bytes = Buffer.from(`entry ${at}`)
    const content = { bytes, size: bytes.length, integrity: integrityOf(bytes) }
    const entry = { kind: 'file', key: String(at), locked: content.integrity, size: content.size } as const
    remote.save(entry, content.integrity, async () => content)
  }
  await remote.flush()
  await remote.close()
  const reason = /: 18 entries could not be written within 30 s\. Continuing without it\.$/
  expect([sleeps, warnings]).toEqual([[30_000], [expect.stringMatching(reason)]])
})

test("a flush that only waits for the release of a lease doesn't count entries", async () => {
  const warnings: string[] = []
  const engine: RemoteEngine = {
    get: async () => undefined,
    has: async () => false,
    put: async () => {},
    close: () => {},
    leases: {
      take: async () => true,
      held: async () => new Set(),
      renew: async () => true,
      release: () => new Promise(() => {}),
    },
  }
  const remote = openRemote({
    address: { ...readRemoteAddress('https://cache', { token: undefined, insecure: false }), open: async () => engine },
    write: true,
    signer: undefined,
    warn: (message) => void warnings.push(message),
    clock: { ...systemClock, waited: () => 0, sleep: async () => {} },
  })
  const entry = { kind: 'file', key: 'a', locked: integrityOf(Buffer.from('a')), size: 1 } as const
  const failing = remote.load(entry, receiveInMemory, () => Promise.reject(new Error('made nothing')))
  await expect(failing).rejects.toThrow('made nothing')
  await remote.close()
  expect(warnings).toEqual([expect.stringMatching(/: no answer within 30 s\. Continuing without it\.$/)])
})

test('a lease is released when its entry is written, also if it is saved again meanwhile', async () => {
  const events: string[] = []
  const engine: RemoteEngine = {
    get: async () => undefined,
    has: async () => false,
    put: async () => void events.push('written'),
    close: () => {},
    leases: {
      take: async () => true,
      held: async () => new Set(),
      renew: async () => true,
      release: async () => void events.push('released'),
    },
  }
  const remote = openRemote({
    address: { ...readRemoteAddress('https://cache', { token: undefined, insecure: false }), open: async () => engine },
    write: true,
    signer: undefined,
    warn: () => {},
  })
  const bytes = Buffer.from('photo')
  const content = { bytes, size: bytes.length, integrity: integrityOf(bytes) }
  const entry = { kind: 'file', key: 'photo', locked: content.integrity, size: content.size } as const
  await remote.load(entry, receiveInMemory, async () => content)
  // Two pictures are made from it.
  for (const _ of [1, 2]) remote.save(entry, content.integrity, async () => content)
  await remote.close()
  expect(events).toEqual(['written', 'released'])
})
