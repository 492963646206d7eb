import { createServer } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import * as v from 'valibot'
import { expect, onTestFinished, test } from 'vitest'
import { resolveOptions } from '../../../src/config/resolve.js'
import { openSpace } from '../../../src/space/open.js'

test("a service that was closed before its first request doesn't receive any", async () => {
  let requests = 0
  const server = createServer((_, response) => {
    requests++
    response.end('{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = v.parse(v.object({ port: v.number() }), server.address())
  const options = { space: `http://127.0.0.1:${port}`, spaceId: 7, token: 'keep-me', cacheDir: tmpdir() }
  const resolved = await resolveOptions(options, { root: tmpdir(), mode: 'test', env: {} })
  const space = await openSpace(resolved, { warn() {}, request() {}, wait() {} })
  await space.close()
  await expect(space.kits()).rejects.toMatchObject({ code: 'aborted' })
  expect(requests).toBe(0)
})
