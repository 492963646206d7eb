import { hash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { runs } from '../support/long.js'
import { hostileReplies, startHostileRedis } from './support/hostile-redis.js'
import { pull, serveFile } from './support/pull.js'

/** Limits for a build with a hostile cache: megabytes, and milliseconds in addition to a build without it. */
const [megabytes, delay] = [400, 10_000]

const cases = Object.entries(hostileReplies).map(([name, reply], at) => [name, reply, at] as const)

test.each(cases)('a build is right when Redis sends %s', async (_, reply, at) => {
  const bytes = randomBytes(200_000)
  const service = await serveFile(bytes)
  const own = await pull(service, {})
  // Short runs try each reply with a reader or a writer, and long runs with both.
  const writers = at % 2 ? ['1', ''] : ['', '1']
  for (const write of writers.slice(0, runs(1, 2))) {
    const remote = await startHostileRedis(reply)
    const env = { CONTENT_SPACE_REMOTE: remote, CONTENT_SPACE_REMOTE_WRITE: write }
    const built = await pull(service, env, own.lock)
    expect(built).toMatchObject({ bytes: hash('sha256', bytes), lock: own.lock })
    expect(built.stderr).toMatch(/The remote cache at \S+ /)
    expect(built.megabytes).toBeLessThan(megabytes)
    expect(built.time).toBeLessThan(own.time + delay)
  }
})
