import { inspect } from 'node:util'
import { fc } from '../../support/random.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ContentSpaceError } from '../../../src/errors.js'
import type { Space } from '../../../src/space/space.js'
import { assetUuid, contentService, kitUuid, sectionUuid } from '../../support/content-service.js'
import { downloadBytes } from '../../support/download.js'
import { answer, silence, type Respond } from '../../support/fault-server.js'
import { holdsSecret, spellings } from '../../support/secret.js'
import { instantClock, openBench, type Bench } from '../bench.js'

let bench: Bench
beforeEach(() => {
  bench = openBench()
})
afterEach(async () => {
  await bench.close()
})

/** Every kind of request in the interface. */
const questions: ((space: Space) => Promise<unknown>)[] = [
  (space) => space.kits(),
  (space) => space.kit(kitUuid, 'versions'),
  (space) => space.outline(kitUuid, 1),
  (space) => space.section(sectionUuid, 1),
  (space) => downloadBytes(space, { uuid: assetUuid(1) }),
  (space) => downloadBytes(space, { uuid: assetUuid(1), size: 40 }, 'PNG'),
]
const question = fc.constantFrom(...questions)

/** Statuses that have a body and end an exchange, and some that don't. */
const status = fc.oneof(
  fc.constantFrom(200, 200, 200, 204, 206, 301, 302, 304, 400, 401, 403, 404, 429, 500, 502, 503),
  fc.integer({ min: 200, max: 599 }),
)
const key = fc.constantFrom(
  'success',
  'result',
  'error',
  'server_clock',
  'kit',
  'kits',
  'kit_version',
  'section',
  'url',
  'code',
  'message',
  '__proto__',
)
const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 1 }),
    fc.boolean(),
    fc.constantFrom(1, 99, 103, 401, 429, 3304, 7777),
    tie('record'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  record: fc.dictionary(key, tie('value')),
}))
const envelope = fc.record(
  {
    success: fc.oneof(fc.boolean(), tree.value),
    result: tree.value,
    error: fc.oneof(tree.value, fc.record({ code: fc.integer(), message: tree.value })),
    server_clock: tree.value,
  },
  { requiredKeys: [] },
)
const text = envelope.map((value) => JSON.stringify(value))
const body = fc.oneof(
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
  text.map((json) => Buffer.from(json)),
  fc.tuple(text, fc.nat(100)).map(([json, length]) => Buffer.from(json).subarray(0, length)),
  fc.string({ unit: 'binary', maxLength: 60 }).map((json) => Buffer.from(json)),
)

/** Opens one server and one client for all runs. The answer is set before each run. */
async function client(): Promise<{ space: Space; set: (this: void, respond: Respond) => void }> {
  let respond = silence
  const server = await bench.serve((response, request, at) => respond(response, request, at))
  const { space } = await bench.open(server.url, { clock: instantClock(), timeout: 1000 })
  return { space, set: (next) => (respond = next) }
}

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (reason: unknown) => reason,
  )

test('an answer of any status and bytes gives a value or a ContentSpaceError', async () => {
  const { space, set } = await client()
  await fc.assert(
    fc.asyncProperty(
      question,
      status,
      body,
      fc.option(fc.constantFrom('/', 'file:///x', 'http://', '%')),
      async (ask, code, bytes, location) => {
        set(answer(code, bytes, location === null ? {} : { location }))
        const error = await outcome(ask(space))
        if (error === undefined) return
        expect(error).toBeInstanceOf(ContentSpaceError)
        expect(error).toMatchObject({ facts: { endpoint: expect.stringMatching(/^GET \/1\//) } })
      },
    ),
  )
})

test('errors never contain the token, no matter in which form the service echoes it', async () => {
  const { space, set } = await client()
  const echo = fc
    .tuple(fc.string({ maxLength: 5 }), fc.constantFrom(...spellings), fc.string({ maxLength: 5 }))
    .map((parts) => parts.join(''))
  const echoing = fc.oneof(
    echo,
    echo.map((message) => JSON.stringify({ success: false, error: { code: 103, message } })),
    echo.map((message) => JSON.stringify({ success: false, error: { code: 4711, message, [message]: message } })),
    echo.map((url) => JSON.stringify({ success: true, result: { url, kit: url, [url]: url } })),
    echo.map((name) =>
      JSON.stringify({
        success: true,
        result: { kit: [{ kit_uuid: name, name }], section: { uuid: name, version: name, items: [] } },
      }),
    ),
  )
  const headers = fc.dictionary(
    fc.constantFrom('location', 'www-authenticate', 'retry-after', 'content-type', 'content-encoding', 'etag'),
    echo.map((value) => encodeURI(value.replaceAll(/[^\x20-\x7e]/g, '?')).slice(0, 200)),
  )
  await fc.assert(
    fc.asyncProperty(question, status, echoing, headers, async (ask, code, bytes, more) => {
      set(answer(code, bytes, more))
      const error = await outcome(ask(space))
      if (error === undefined) return
      expect(error).toBeInstanceOf(ContentSpaceError)
      const shown = [
        inspect(error, { depth: 12, showHidden: true }),
        JSON.stringify(error),
        error instanceof Error ? `${error.message} ${error.stack}` : '',
      ].join('\n')
      expect(holdsSecret(shown), shown).toBe(false)
    }),
  )
})

test('a valid answer with changed bytes gives a value or a ContentSpaceError', async () => {
  const right = await bench.serve(contentService())
  const heads = await Promise.all(
    [
      'kits/',
      `kits/${kitUuid}`,
      `kits/${kitUuid}/outline/`,
      `sections/${sectionUuid}`,
      `assets/${assetUuid(1)}/download`,
    ].map(async (path) => {
      const response = await fetch(`${right.url}/1/${path}`)
      const content = Buffer.from(await response.arrayBuffer())
      return Buffer.concat([
        Buffer.from(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${content.length}\r\nconnection: close\r\n\r\n`,
        ),
        content,
      ])
    }),
  )
  const { space, set } = await client()
  const change = fc.record({
    at: fc.nat(2000),
    kind: fc.constantFrom('flip', 'cut', 'drop', 'put', 'repeat'),
    byte: fc.nat(255),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.nat(heads.length - 1),
      fc.array(change, { minLength: 1, maxLength: 4 }),
      async (which, changes) => {
        const bytes = changes.reduce(mutated, heads[which] ?? Buffer.of())
        set((response) => void response.socket?.end(bytes))
        const error = await outcome(questions[which]?.(space) ?? Promise.resolve())
        if (error !== undefined) expect(error).toBeInstanceOf(ContentSpaceError)
      },
    ),
  )
})

function mutated(bytes: Buffer, { at, kind, byte }: { at: number; kind: string; byte: number }): Buffer {
  const place = bytes.length === 0 ? 0 : at % bytes.length
  const [before, behind] = [bytes.subarray(0, place), bytes.subarray(place + 1)]
  switch (kind) {
    case 'flip':
      return Buffer.concat([before, Buffer.of(byte), behind])
    case 'cut':
      return before
    case 'drop':
      return Buffer.concat([before, behind])
    case 'put':
      return Buffer.concat([before, Buffer.of(byte), bytes.subarray(place)])
    default:
      return Buffer.concat([bytes.subarray(0, place), bytes])
  }
}
