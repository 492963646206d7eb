import { fc } from '../../support/random.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import { assetUuid, logo } from '../../support/content-service.js'
import { downloadBytes } from '../../support/download.js'
import { answer, envelope, type FaultServer, type Respond } from '../../support/fault-server.js'
import { instantClock, openBench, type Bench } from '../bench.js'

let bench: Bench
beforeEach(() => {
  bench = openBench()
})
afterEach(async () => {
  await bench.close()
})

/** The target of a redirect: the service (0) or one of two other servers, written in one of several forms. */
const hop = fc.record({
  to: fc.constantFrom(0, 0, 1, 2),
  status: fc.constantFrom(301, 302, 303, 307, 308),
  form: fc.constantFrom('plain', 'userinfo', 'no scheme', 'localhost', 'relative', 'in an envelope'),
})

test('credentials go only to the service, and no longer after a request to another origin', async () => {
  let plan: { to: number; status: number; form: string }[] = []
  let hops = 0
  const asked: { server: number; authorized: boolean; cookie: boolean }[] = []
  const servers: FaultServer[] = []
  const respond =
    (server: number): Respond =>
    (response, request, at) => {
      asked.push({
        server,
        authorized: request.headers.authorization !== undefined,
        cookie: request.headers.cookie !== undefined,
      })
      const next = plan[hops++]
      if (next === undefined) return answer(200, logo, { 'content-length': logo.length })(response, request, at)
      const location = written(next.form, servers[next.to]?.url ?? '')
      if (next.form === 'in an envelope') envelope(response, { url: location })
      else answer(next.status, '', { location, 'set-cookie': 'a=b' })(response, request, at)
    }
  for (const number of [0, 1, 2]) servers.push(await bench.serve(respond(number)))
  const { space } = await bench.open(servers[0]?.url ?? '', { clock: instantClock() })
  await fc.assert(
    fc.asyncProperty(fc.array(hop, { maxLength: 7 }), async (given) => {
      plan = given
      hops = 0
      asked.length = 0
      const error: unknown = await downloadBytes(space, { uuid: assetUuid(1), size: logo.length }).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      if (error !== undefined) expect(error).toBeInstanceOf(ContentSpaceError)
      expect(asked.length).toBeGreaterThan(0)
      expect(asked.filter(({ authorized, server }) => authorized && server !== 0)).toEqual([])
      expect(asked.some(({ cookie }) => cookie)).toBe(false)
      // In one attempt, `localhost` is also another origin, and a URL in an envelope doesn't get credentials.
      const left = asked.findIndex(
        ({ server }, at) =>
          server !== 0 || ['localhost', 'in an envelope'].includes(at === 0 ? '' : (given[at - 1]?.form ?? '')),
      )
      const rest = left === -1 ? [] : asked.slice(left, given.length + 1)
      expect(rest.filter(({ authorized }) => authorized)).toEqual([])
      expect(asked[0]?.authorized).toBe(true)
    }),
  )
})

function written(form: string, url: string): string {
  switch (form) {
    case 'userinfo':
      return `${url.replace('//', '//user:pass@')}/f`
    case 'no scheme':
      return `${url.replace('http:', '')}/f`
    case 'localhost':
      return `${url.replace('127.0.0.1', 'localhost')}/f`
    case 'relative':
      return 'f'
    default:
      return `${url}/f`
  }
}
