import { hash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { hostileReplies, startHostileRedis } from './support/hostile-redis.js'
import { pull, serveFile } from './support/pull.js'

/** Bounds of a build with a hostile cache, in megabytes, and in milliseconds more than without it. */
const [megabytes, delay] = [400, 10_000]

test.each(Object.entries(hostileReplies))('a build is right when Redis sends %s', async (_, reply) => {
  const bytes = randomBytes(200_000)
  const service = await serveFile(bytes)
  const own = await pull(service, {})
  for (const write of ['', '1']) {
    const remote = await startHostileRedis(reply)
    const env = { CONTENT_SPACE_REMOTE: remote, CONTENT_SPACE_REMOTE_WRITE: write }
    const built = await pull(service, env, own.lock)
    expect(built).toMatchObject({ bytes: hash('sha256', bytes), lock: own.lock })
    expect(built.stderr).toMatch(/The remote cache at \S+ /)
    expect(built.megabytes).toBeLessThan(megabytes)
    expect(built.time).toBeLessThan(own.time + delay)
  }
})
