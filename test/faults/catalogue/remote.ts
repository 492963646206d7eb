import { expect } from 'vitest'
import { createKeyPair } from '../../../src/remote/keys.js'
import { contentService } from '../../support/content-service.js'
import type { Row } from '../row.js'
import { filesIn, type Bench } from '../bench.js'
import { hostileReplies, startHostileRedis } from '../../remote/support/hostile-redis.js'

/** Starts a cache server that stores what it receives. */
async function serveCache(bench: Bench) {
  const entries = new Map<string, Buffer>()
  const { url } = await bench.serve((response, request) => {
    const path = request.url ?? ''
    if (request.method === 'PUT') {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => void chunks.push(chunk))
      request.on('end', () => {
        entries.set(path, Buffer.concat(chunks))
        response.writeHead(201).end()
      })
      return
    }
    const found = entries.get(path)
    response.writeHead(found ? 200 : 404).end(request.method === 'GET' ? found : undefined)
  })
  return { url: `${url}/`, entries }
}

const published = { version: 1 }

export const remotes: Row[] = [
  {
    row: 63,
    fault: 'remote cache: a reply of Redis without an end',
    must: 'end the connection before the client collects it; go on without the cache',
    // The server ends with the test, and if tests ran concurrently, they wouldn't know which of them has started it.
    alone: true,
    async run(bench) {
      const names = ['a text of 90 GB', 'arrays within arrays', 'a flood of pushes', 'a line without an end']
      for (const name of names) {
        const server = await bench.serve(contentService(published))
        const remote = await startHostileRedis(hostileReplies[name] ?? {})
        const { kits, warnings, root } = await bench.pull(server.url, { remote, remoteKey: createKeyPair().key })
        expect(kits[0]?.written).toContain('logos/acme-logo.svg')
        expect(warnings).toEqual([expect.stringMatching(/^The remote cache at \S+ .*its response was invalid/)])
        expect(await filesIn(root)).not.toEqual([])
      }
      return `${names.length} replies: all files, and one warning for each`
    },
  },
  {
    row: 64,
    fault: 'remote cache: entries that a pull request has signed with another key',
    must: 'a miss and a warning; the public key signs nothing',
    async run(bench) {
      const cache = await serveCache(bench)
      const [own, other] = [createKeyPair(), createKeyPair()]
      const server = await bench.serve(contentService(published))
      const options = { remote: cache.url, remoteWrite: true }
      await bench.pull(server.url, { ...options, remoteKey: other.key })
      const forged = new Map(cache.entries)
      expect(forged.size).toBeGreaterThan(0)
      const reader = await bench.pull(server.url, { remote: cache.url, remotePublicKey: own.publicKey })
      expect(reader.warnings).toEqual([expect.stringContaining('not signed with this key')])
      cache.entries.clear()
      await bench.pull(server.url, { ...options, remotePublicKey: own.publicKey })
      const signed = [...cache.entries.values()].filter((entry) => entry.includes('content-space 1 '))
      expect(signed).toEqual([])
      return `${forged.size} entries ignored, 0 signed with the public key`
    },
  },
  {
    row: 65,
    fault: 'remote cache: a key that is short, incomplete, or the wrong half of a pair',
    must: 'fail before a request, without the key in the message',
    async run(bench) {
      const { key, publicKey } = createKeyPair()
      const server = await bench.serve(contentService(published))
      const wrong = [
        { remoteKey: 'x' },
        { remoteKey: publicKey },
        { remoteKey: key.slice(0, -1) },
        { remotePublicKey: key },
        { remoteKey: key, remotePublicKey: createKeyPair().publicKey },
      ]
      for (const options of wrong) {
        const error = await bench.failure(bench.pull(server.url, { remote: 'http://127.0.0.1:9/', ...options }))
        expect(error.code).toBe('invalidOption')
        for (const text of [key, publicKey]) expect(`${error.message} ${error.stack}`).not.toContain(text)
      }
      expect(server.requests).toEqual([])
      return `${wrong.length} wrong keys: invalidOption, no request`
    },
  },
]
